#include <fmt/format.h>

#include "examples/translate/experiments/figures.h"

namespace translate {
namespace {

constexpr double enough = 95.0;  // percent of the sentences without a mistake

std::vector<Column> columns_of(const Setting& setting) {
  const auto epochs = [](const CandidateResult& result) {
    return Measured{{static_cast<double>(result.candidate.training.epochs)}};
  };
  const auto parameters = [](const CandidateResult& result) {
    return Measured{{static_cast<double>(result.trained.front().model.model->num_parameters())}};
  };
  const auto until = [](const CandidateResult& result) { return epochs_until(result, enough); };
  std::vector<Column> all = {
      {"epochs", epochs, 0}, {fmt::format("{:.0f} % right after epoch", enough), until, 0}, columns::exact};
  for (std::size_t test = 1; test < setting.corpus.tests.size(); ++test) {
    all.push_back(column(setting.corpus.tests[test].name + ", exact %", &Measures::exact_match, 1, test));
  }
  all.insert(all.end(), {columns::bleu,
                         column("perplexity", &Measures::perplexity, 3),
                         columns::error_rate,
                         columns::must_look,
                         columns::entropy,
                         {"parameters", parameters, 0}});
  return all;
}

}  // namespace

Report run_variants(const ExperimentOptions& options) {
  const Setting setting = setting_of(options);
  std::vector<Candidate> candidates = all_kinds(setting);
  candidates.push_back(candidate(setting, "fixed context", "none"));
  const std::vector<CandidateResult> done = train_and_test(options, setting, candidates);
  Report report("All kinds of attention against each other");
  report.settings = settings_of(setting, done);
  if (done.empty()) return report;
  report.table(table_of("On " + test_name(setting, 0), done, columns_of(setting)));
  const autograd::ChartOptions options_of_curves{.title = "Perplexity on the validation sentences",
                                                 .x_axis = "epochs",
                                                 .y_axis = "perplexity",
                                                 .y_logarithmic = true};
  report.picture("curves", training_curves(done, &CurvePoint::perplexity, options_of_curves),
                 "Perplexity on the validation sentences in the course of training");
  return report;
}

}  // namespace translate
