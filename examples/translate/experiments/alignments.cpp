#include <fmt/format.h>

#include "examples/translate/experiments/candidates.h"
#include "examples/translate/experiments/shapes.h"

namespace translate {
namespace {

ReportTable patterns_table(const std::vector<PatternCount>& counts) {
  ReportTable table{.caption = "Sentences with each shape", .columns = {"shape", "in own translations", "of"}};
  const bool is_any_known = counts.front().known > 0;
  if (is_any_known) {
    table.columns.insert(table.columns.end(),
                         {"alignment known", "in the attention on references", "in the alignment", "in both"});
  }
  for (const PatternCount& count : counts) {
    std::vector<std::string> row{std::string(name(count.pattern)), fmt::format("{}", count.own),
                                 fmt::format("{}", count.sentences)};
    for (const std::int64_t number : {count.known, count.forced, count.gold, count.both}) {
      if (is_any_known) row.push_back(fmt::format("{}", number));
    }
    table.rows.push_back(row);
  }
  return table;
}

}  // namespace

Report run_alignments(const ExperimentOptions& options) {
  const Setting setting = setting_of(options);
  const std::vector<CandidateResult> done =
      train_and_test(options, setting, {candidate(setting, "attention", "additive")});
  Report report("Shapes of alignments, found in a trained model");
  report.settings = settings_of(setting, done);
  if (done.empty()) return report;
  const std::vector<TranslatedSentence>& sentences = done.front().trained.front().tests.front();
  std::vector<PatternCount> counts;
  for (const nn::AlignmentPattern pattern : nn::all_alignment_patterns) {
    counts.push_back(count_pattern(pattern, sentences));
  }
  report.table(patterns_table(counts));
  report.heading("The clearest example of each");
  for (const PatternCount& count : counts) {
    const std::string shape(name(count.pattern));
    const std::string what = fmt::format("{}: {}.", shape, description(count.pattern));
    if (count.example != nullptr) draw_found(report, shape, what, *count.example, count.best);
  }
  return report;
}

}  // namespace translate
