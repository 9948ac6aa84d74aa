#include <fmt/core.h>
#include <nn/saving/atomic_file.h>

#include <algorithm>
#include <cstdio>
#include <limits>

#include "examples/translate/commands/commands.h"
#include "examples/translate/data/corpus.h"
#include "examples/translate/data/text.h"
#include "examples/translate/evaluation.h"
#include "examples/translate/messages.h"
#include "examples/translate/report/attention_picture.h"
#include "examples/translate/training/run_folder.h"

namespace translate {
namespace {

// The model's own translation of a sentence.
AttentionPicture own_translation(const TrainedModel& model, const Words& source) {
  const Translation translation = translate_sentences(model, {source}).front();
  return {source, translation.words, translation.weights};
}

// What the model looks at when it has to write this translation.
AttentionPicture forced_translation(const TrainedModel& model, const SentencePair& pair) {
  return {pair.source, pair.target, translate_text(model, {"", {pair}})->front().forced_weights};
}

AttentionPicture picture_of(const TrainedModel& model, const std::string& line, const std::filesystem::path& file,
                            std::size_t number) {
  const std::size_t tab = line.find('\t');
  const bool has_tab = tab != std::string::npos;
  const Words source = words_of_line(line.substr(0, tab), file, number);
  if (!has_tab && !source.empty()) return own_translation(model, source);
  const Words target = has_tab ? words_of_line(line.substr(tab + 1), file, number) : Words();
  if (source.empty() || target.empty()) {
    refuse_files(fmt::format("{}, line {}: there are no words{}", name_of(file), number,
                             has_tab ? " on one side of the tab" : ""),
                 "a line has a sentence, or a sentence, a tab and its translation");
  }
  return forced_translation(model, {.source = source, .target = target});
}

void show(const AttentionPicture& picture, std::size_t number, const AlignCommand& command) {
  if (!picture.weights.defined()) {
    refuse_option("this model has no attention", "align is for models that have one");
  }
  fmt::print("{}\n{}\n\n{}\n{}\n", in_one_line(join(picture.source)), in_one_line(join(picture.target)), picture.text(),
             picture.links());
  if (!command.out.empty() && !picture.source.empty() && !picture.target.empty()) {
    const std::string path = command.out / fmt::format("alignment-{}.svg", number);
    nn::write_file(path, picture.svg());
    fmt::print("in {}\n", path);
  }
  fmt::print("\n");
  std::fflush(stdout);
}

}  // namespace

int run_align(const AlignCommand& command) {
  check_range("sentences", command.sentences, 1, std::numeric_limits<std::int64_t>::max());
  const TrainedModel model = load_model(model_file_of(command.run));
  if (!command.out.empty()) make_output_folder(command.out);
  std::size_t number = 0;
  if (!command.file.empty()) {
    for (const std::string& line : read_lines(command.file)) {
      ++number;
      show(picture_of(model, line, command.file, number), number, command);
    }
    return 0;
  }
  const Corpus corpus = load_corpus(model.data);
  const ParallelText& text = corpus.tests.empty() ? corpus.validation : corpus.tests.front();
  const auto count = std::min(text.pairs.size(), static_cast<std::size_t>(command.sentences));
  while (number < count) {
    ++number;
    show(forced_translation(model, text.pairs[number - 1]), number, command);
  }
  return 0;
}

}  // namespace translate
