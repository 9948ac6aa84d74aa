#include <fmt/core.h>
#include <fmt/ranges.h>

#include <cstdio>

#include "examples/translate/commands.h"
#include "examples/translate/corpus.h"
#include "examples/translate/measures.h"
#include "examples/translate/refuse.h"
#include "examples/translate/run_folder.h"
#include "examples/translate/write_file.h"

namespace translate {
namespace {

// All tests, or the one that was asked for, the validation text too.
std::vector<ParallelText> texts_to_measure(const Corpus& corpus, const std::string& wanted) {
  if (wanted.empty()) return corpus.tests.empty() ? std::vector{corpus.validation} : corpus.tests;
  std::vector<std::string> names = {corpus.validation.name};
  if (wanted == corpus.validation.name) return {corpus.validation};
  for (const ParallelText& text : corpus.tests) {
    if (text.name == wanted) return {text};
    names.push_back(text.name);
  }
  refuse_option(fmt::format("--text is \"{}\"", wanted), fmt::format("there is {}", fmt::join(names, ", ")));
}

void keep_translations(const std::string& path, const std::vector<TranslatedSentence>& sentences) {
  std::string text;
  for (const TranslatedSentence& sentence : sentences) text += join(sentence.translation) + "\n";
  write_file(path, text);
}

}  // namespace

void run_eval(const EvalCommand& command) {
  const TrainedModel model = load_model(model_file_of(command.run));
  DataOptions data = model.data;
  if (!command.data.empty()) data.data = command.data;
  const Corpus corpus = load_corpus(checked(data));
  for (const ParallelText& text : texts_to_measure(corpus, command.text)) {
    const auto sentences = translate_text(model, text, command.search);
    const std::string how = command.search.beam == 1 ? "greedy" : fmt::format("beam {}", command.search.beam);
    const std::string caption = fmt::format("{}, {}, {} sentences", text.name, how, text.pairs.size());
    fmt::print("{}\n", table_text(measures_table(caption, measures_by_length(*sentences))));
    std::fflush(stdout);
    if (command.out.empty()) continue;
    make_output_folder(command.out);
    keep_translations((command.out / (text.name + ".translated")).string(), *sentences);
  }
}

}  // namespace translate
