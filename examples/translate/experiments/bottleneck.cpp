#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "examples/translate/experiments/figures.h"
#include "examples/translate/messages.h"

namespace translate {
namespace {

std::string finding_quality(const Setting& setting, const CandidateResult& with, const CandidateResult& without,
                            std::size_t test) {
  std::string text = fmt::format("On {}, {}", test_name(setting, test),
                                 compare("attention", measured(with, &Measures::bleu, test), "the fixed context",
                                         measured(without, &Measures::bleu, test), differences_in_bleu));
  if (!setting.is_artificial()) return text + ".";
  return text + fmt::format("; without a mistake are {} % and {} %.",
                            measured(with, &Measures::exact_match, test).text(),
                            measured(without, &Measures::exact_match, test).text());
}

// Says whether the gap grows with the length.
std::string finding_lengths(const CandidateResult& with, const CandidateResult& without) {
  std::vector<std::string> parts;
  for (const LengthGroup group : groups_of(with, 0)) {
    const double gap =
        measured(with, &Measures::bleu, 0, group).mean() - measured(without, &Measures::bleu, 0, group).mean();
    if (group != LengthGroup::all) parts.push_back(fmt::format("{} on {} sentences", signed_text(gap), name(group)));
  }
  if (parts.empty()) return "";
  return fmt::format("By length of the source, attention is ahead by this many BLEU: {}.", listed(parts));
}

// Says after how many epochs attention reaches the best perplexity of the fixed context.
std::string finding_curves(const CandidateResult& with, const CandidateResult& without) {
  const auto ours = training_curve(with, &CurvePoint::perplexity).points;
  const auto theirs = training_curve(without, &CurvePoint::perplexity).points;
  if (ours.empty() || theirs.empty()) return "";
  const auto lower = [](const auto& a, const auto& b) { return a.second.mean() < b.second.mean(); };
  const auto best = std::ranges::min_element(theirs, lower);
  const auto reached = std::ranges::find_if(ours, [&](const auto& point) { return !lower(*best, point); });
  const std::string of_theirs =
      fmt::format("the lowest validation perplexity of the fixed context, {:.3g} after {},", best->second.mean(),
                  counted(static_cast<std::int64_t>(best->first), "epoch"));
  if (reached == ours.end()) return fmt::format("In training, {} is not reached by attention.", of_theirs);
  return fmt::format("In training, {} is passed by attention after {:g}.", of_theirs, reached->first);
}

std::string lengths_picture(const Setting& setting, const std::vector<CandidateResult>& results, std::size_t test) {
  std::vector<std::string> groups;
  std::vector<Bars> bars;
  for (const LengthGroup group : groups_of(results.front(), test)) groups.emplace_back(name(group));
  for (const CandidateResult& result : results) {
    bars.push_back({result.candidate.label});
    for (const LengthGroup group : groups_of(results.front(), test)) {
      bars.back().values.push_back(measured(result, &Measures::bleu, test, group));
    }
  }
  return bar_chart(groups, bars,
                   {.title = fmt::format("BLEU by length of the source, {}", test_name(setting, test)),
                    .category_axis = "words in the source sentence",
                    .value_axis = "BLEU"});
}

ReportTable table_of_test(const Setting& setting, const std::vector<CandidateResult>& results, std::size_t test) {
  ReportTable table{.caption = "On " + test_name(setting, test),
                    .columns = {"model", "length", "sentences", "BLEU", "BLEU 13a", "exact %", "perplexity"}};
  for (const CandidateResult& result : results) {
    for (const LengthGroup group : groups_of(result, test)) {
      const std::int64_t sentences = result.trained.front().measures[test][static_cast<std::size_t>(group)].sentences;
      const auto cell = [&](double Measures::*measure, int digits) {
        return measured(result, measure, test, group).text(digits);
      };
      table.rows.push_back({result.candidate.label, std::string(name(group)), fmt::format("{}", sentences),
                            cell(&Measures::bleu, 1), cell(&Measures::bleu_13a, 1), cell(&Measures::exact_match, 1),
                            cell(&Measures::perplexity, 3)});
    }
  }
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
      "vector "
      "for the whole sentence, the same at every step; the one with attention makes a new one for each word that it "
      "writes.");
  if (done.empty()) return report;
  const std::size_t tests = setting.corpus.tests.size();
  if (done.size() == 2) {
    std::vector<std::string> texts;
    for (std::size_t test = 0; test < tests; ++test) {
      texts.push_back(finding_quality(setting, done[0], done[1], test));
    }
    texts.push_back(finding_lengths(done[0], done[1]));
    texts.push_back(finding_curves(done[0], done[1]));
    report.findings(texts);
  }
  for (std::size_t test = 0; test < tests; ++test) {
    report.table(table_of_test(setting, done, test));
    if (groups_of(done.front(), test).size() < 2) continue;
    report.picture("lengths-" + setting.corpus.tests[test].name, lengths_picture(setting, done, test),
                   fmt::format("Short and long ones of {}.", test_name(setting, test)));
  }
  report.picture("curves",
                 training_curves(done, &CurvePoint::perplexity,
                                 {.title = "Perplexity on the validation sentences",
                                  .x_axis = "epochs",
                                  .y_axis = "perplexity",
                                  .y_logarithmic = true}),
                 "Perplexity on the validation sentences in the course of training.");
  return report;
}

}  // namespace translate
