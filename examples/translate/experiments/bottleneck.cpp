#include <fmt/format.h>

#include "examples/translate/experiments/figures.h"

namespace translate {
namespace {

ReportTable table_of_test(const Setting& setting, const std::vector<CandidateResult>& results, std::size_t test) {
  ReportTable table{.caption = "On " + test_name(setting, test), .columns = {"model, length", "sentences"}};
  for (const CandidateResult& result : results) {
    for (const LengthGroup group : groups_of(result, test)) {
      const std::int64_t sentences = result.trained.front().measures[test][static_cast<std::size_t>(group)].sentences;
      table.rows.push_back({fmt::format("{}, {}", result.candidate.label, name(group)), fmt::format("{}", sentences)});
    }
  }
  const auto add = [&](const std::string& name, double Measures::*measure, int digits) {
    std::vector<std::string> cells;
    for (const CandidateResult& result : results) {
      for (const LengthGroup group : groups_of(result, test)) {
        cells.push_back(measured(result, measure, test, group).text(digits));
      }
    }
    add_column(table, name, cells);
  };
  add("BLEU", &Measures::bleu, 1);
  add("BLEU (13a, detokenised)", &Measures::bleu_detokenized, 1);
  add("BLEU (papers' tokens)", &Measures::bleu_papers_tokens, 1);
  add("exact %", &Measures::exact_match, 1);
  add("perplexity", &Measures::perplexity, 3);
  return table;
}

}  // namespace

Report run_bottleneck(const ExperimentOptions& options) {
  const Setting setting = setting_of(options);
  const std::vector<CandidateResult> done = train_and_test(
      options, setting, {candidate(setting, "attention", "additive"), candidate(setting, "fixed context", "none")});
  Report report("The bottleneck: attention against a fixed context");
  report.settings = settings_of(setting, done);
  report.paragraph(
      "Both models read the sentence with the same encoder. The one with the fixed context hands its decoder one "
      "vector for the whole sentence, the same at every step; the one with attention makes a new one for each word "
      "that it writes.");
  if (done.empty()) return report;
  for (std::size_t test = 0; test < setting.corpus.tests.size(); ++test) {
    report.table(table_of_test(setting, done, test));
  }
  report.picture("curves",
                 training_curves(done, &CurvePoint::perplexity,
                                 {.title = "Perplexity on the validation sentences",
                                  .x_axis = "epochs",
                                  .y_axis = "perplexity",
                                  .y_logarithmic = true}),
                 "Perplexity on the validation sentences in the course of training");
  return report;
}

}  // namespace translate
