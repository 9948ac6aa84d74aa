#include <fmt/core.h>
#include <nn/saving/atomic_file.h>

#include <cstdio>

#include "examples/translate/commands/commands.h"
#include "examples/translate/data/corpus.h"
#include "examples/translate/evaluation.h"
#include "examples/translate/messages.h"
#include "examples/translate/training/ensemble_of_runs.h"
#include "examples/translate/training/run_folder.h"

namespace translate {
namespace {

DataOptions data_to_measure(const TrainedModel& model, const EvalCommand& command) {
  if (command.data.empty()) return model.data;
  const bool was_artificial = model.data.data.empty();
  DataOptions data = was_artificial ? DataOptions() : model.data;  // its other options are the artificial language's
  data.data = command.data;
  return data;
}

void keep_translations(const std::string& path, const std::vector<TranslatedSentence>& sentences) {
  std::string text;
  for (const TranslatedSentence& sentence : sentences) text += join(sentence.translation) + "\n";
  nn::write_file(path, text);
}

}  // namespace

int run_eval(const EvalCommand& command) {
  const TrainedModel model = load_ensemble(command.run, command.with);
  const Corpus corpus = load_corpus(data_to_measure(model, command));
  const std::vector<ParallelText> texts = corpus.tests.empty() ? std::vector{corpus.validation} : corpus.tests;
  if (!command.out.empty()) make_output_folder(command.out);
  for (const ParallelText& text : texts) {
    const auto sentences = translate_text(model, text, command.search);
    const std::string how = command.search.beam == 1 ? "greedy" : fmt::format("beam {}", command.search.beam);
    const std::string caption = fmt::format("{}, {}, {}", text.name, how, counted(std::ssize(text.pairs), "sentence"));
    fmt::print("{}\n", table_text(measures_table(caption, measures_by_length(*sentences))));
    std::fflush(stdout);
    if (!command.out.empty()) keep_translations((command.out / (text.name + ".translated")).string(), *sentences);
  }
  return 0;
}

}  // namespace translate
