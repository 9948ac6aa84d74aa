#include <fmt/format.h>

#include "examples/translate/experiments/distance.h"
#include "examples/translate/experiments/figures.h"
#include "examples/translate/messages.h"
#include "examples/translate/training/progress.h"
#include "examples/translate/training/stop_signal.h"

namespace translate {
namespace {

constexpr double enough = 95.0;  // percent of the sentences without a mistake

// Returns the processor time of an update; models that a stop left no time to measure have none.
Column time_column(const ExperimentOptions& options, const Setting& setting,
                   const std::vector<CandidateResult>& results) {
  const auto measure_time = [&](const CandidateResult& result) -> Measured {
    if (stop_wanted()) return {};
    show_progress("timing " + result.candidate.label);
    return {{1000.0 * seconds_per_update(setting, result.candidate, options.quick ? 2 : 30)}};
  };
  return computed_once(results, {"ms per update", measure_time});
}

Column epochs_column() {
  const auto until = [](const CandidateResult& result) { return epochs_until(result, enough); };
  return {fmt::format("{:.0f} % right after epoch", enough), until, 0};
}

ReportTable quality_table(const Setting& setting, const std::vector<CandidateResult>& results,
                          const std::string& caption) {
  const auto epochs = [](const CandidateResult& result) {
    return Measured{{static_cast<double>(result.candidate.training.epochs)}};
  };
  std::vector<Column> columns = {{"epochs", epochs, 0}, epochs_column(), columns::exact};
  if (setting.corpus.tests.size() > 1) {
    columns.push_back(column(setting.corpus.tests[1].name + ", exact %", &Measures::exact_match, 1, 1));
  }
  columns.insert(columns.end(), {columns::bleu, columns::error_rate, columns::must_look});
  return table_of(caption, "attention", results, columns);
}

// ---- what is hard for which --------------------------------------------------------------------------------------

// Says which model is right most often, and which are clearly behind it.
std::string finding_hard(const std::vector<CandidateResult>& results, const Column& hard) {
  const std::vector<const CandidateResult*> sorted = sorted_by(results, hard);
  if (sorted.size() < 2) return "";
  const Measured best = hard.number(*sorted.back());
  std::vector<std::string> behind;
  for (const CandidateResult* result : sorted) {
    const Measured number = hard.number(*result);
    const bool is_behind = is_clearly_above(best, number, {.large = 5.0});
    if (is_behind) behind.push_back(fmt::format("{} ({})", result->candidate.label, number.text()));
  }
  if (behind.empty()) return "";
  return fmt::format("{}: {} % are right at best, with {}; clearly behind: {}.", capitalised(hard.name), best.text(),
                     sorted.back()->candidate.label, listed(behind));
}

void add_hard_cases(Report& report, const ExperimentOptions& options, const Setting& setting,
                    const std::vector<CandidateResult>& results) {
  const ParallelText text =
      options.quick ? sentences_with_far_words(setting, 50, 2) : sentences_with_far_words(setting, 6000, 200);
  std::vector<Column> columns;
  for (const LengthGroup group : groups_of(results.front(), 0)) {
    if (group == LengthGroup::all) continue;
    const auto right = [group](const CandidateResult& result) {
      return measured(result, &Measures::exact_match, 0, group);
    };
    columns.push_back({fmt::format("{} sentences", name(group)), right});
  }
  columns.push_back(column("sentences with one more clause", &Measures::exact_match, 1, 1));
  const auto far_words = [&text](const CandidateResult& result) { return words_from_afar(result, text); };
  const std::string words = fmt::format("words from {} places away or more", far_distance);
  columns.push_back(computed_once(results, {words, far_words}));
  report.heading("Hard cases");
  report.paragraph(
      fmt::format("Words from far away are those of {} new sentences that have one, and cannot be guessed. Each is "
                  "written after the reference up to there, so a mistake does not affect the words after it.",
                  text.pairs.size()));
  for (const Column& hard : columns) report.paragraph(finding_hard(results, hard));
  report.table(table_of("Right, %: whole sentences, and words from far away", "attention", results, columns));
}

// ---- documents ---------------------------------------------------------------------------------------------------

// Adds a comparison on documents of several sentences, for which hierarchical attention was made.
void add_documents(Report& report, const ExperimentOptions& options) {
  const Setting setting = setting_of(options, {.documents = true});
  const std::vector<CandidateResult> done =
      train_and_test(options, setting,
                     {candidate(setting, "hierarchical", "hierarchical"), candidate(setting, "additive", "additive")});
  if (done.size() < 2) return;
  report.heading("Documents");
  report.paragraph(fmt::format("Of whole documents without a mistake, {}.",
                               compare("hierarchical", measured(done[0], &Measures::exact_match), "additive",
                                       measured(done[1], &Measures::exact_match), {.large = 4.0})));
  report.table(quality_table(setting, done, "On documents of several short sentences"));
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
  const Column time = time_column(options, setting, done);
  report.findings({extremes(done, quality_column(setting)), extremes(done, epochs_column()),
                   extremes(done, columns::must_look), extremes(done, columns::entropy), extremes(done, time)});
  report.table(quality_table(setting, done, "Quality, on " + description(setting)));
  add_quality_picture(report, setting, done);
  if (setting.is_artificial()) {
    const nn::LineChartOptions options_of_curves{
        .title = "Validation sentences without a mistake", .x_axis = "epochs", .y_axis = "%", .y_from_zero = true};
    report.picture("curves", training_curves(done, &CurvePoint::exact_match, options_of_curves),
                   "The same on the validation sentences, in the course of training.");
  }
  report.table(table_of("Cost, and how spread the weights are", "attention", done,
                        {column("perplexity", &Measures::perplexity, 3), columns::entropy, columns::parameters, time}));
  if (setting.is_artificial() && !stop_wanted()) {
    add_hard_cases(report, options, setting, done);
    add_documents(report, options);
  }
  return report;
}

}  // namespace translate
