#include "examples/translate/experiments/variants.h"

#include <fmt/format.h>
#include <nn/attention/attention_kinds.h>
#include <nn/pictures/bar_chart.h>
#include <nn/pictures/line_chart.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "examples/translate/experiments/candidates.h"
#include "examples/translate/experiments/experiment_report.h"
#include "examples/translate/stop_signal.h"

namespace translate {

namespace {

// All of one kind of data, trained and timed.
struct Comparison {
  std::string data;  // for captions
  std::vector<CandidateResult> results;
  std::map<std::string, double> milliseconds;  // per update, by label
};

std::vector<Candidate> all_candidates(const Setting& setting) {
  std::vector<Candidate> candidates;
  for (const std::string& kind : nn::attention_kinds()) candidates.push_back(candidate(setting, kind, kind));
  candidates.push_back(candidate(setting, "transformer", "transformer"));
  candidates.push_back(candidate(setting, "no attention", "none"));
  return candidates;
}

Comparison run_comparison(const ExperimentOptions& options, const Setting& setting,
                          const std::vector<Candidate>& candidates, const std::string& data) {
  Comparison comparison{
      .data = data, .results = with_models(train_and_test(options, setting, candidates)), .milliseconds = {}};
  for (const CandidateResult& result : comparison.results) {
    if (StopSignal::received() != 0) break;
    show_progress("timing " + result.candidate.label);
    comparison.milliseconds[result.candidate.label] =
        1000.0 * seconds_per_update(setting, result.candidate, options.quick ? 2 : 30);
  }
  end_progress();
  return comparison;
}

// ---- what was found, in words ------------------------------------------------------------------------------------

struct Score {
  std::string label;
  Measured value;
};

std::vector<Score> ranking(const std::vector<CandidateResult>& results, double Measures::*measure, bool more_is_better,
                           std::size_t test = 0) {
  std::vector<Score> scores;
  for (const CandidateResult& result : results) {
    const Measured value = measured(result, LengthGroup::all, measure, test);
    if (!std::isnan(value.mean())) scores.push_back({result.candidate.label, value});
  }
  std::stable_sort(scores.begin(), scores.end(), [more_is_better](const Score& a, const Score& b) {
    return more_is_better ? a.value.mean() > b.value.mean() : a.value.mean() < b.value.mean();
  });
  return scores;
}

// The best, those that are not clearly behind it, and the others with their numbers.
std::string finding_ranking(const std::vector<Score>& scores, const Differences& differences, const std::string& what) {
  if (scores.size() < 2) return "";
  std::vector<std::string> near, behind;
  for (std::size_t i = 1; i < scores.size(); ++i) {
    const bool is_behind = judge(scores[0].value, scores[i].value, differences) == Verdict::better;
    (is_behind ? behind : near).push_back(fmt::format("{} ({})", scores[i].label, scores[i].value.text()));
  }
  std::string text = fmt::format("{}: {} has the best figure, {}.", what, scores[0].label, scores[0].value.text());
  if (!near.empty()) text += fmt::format(" Not clearly behind: {}.", listed(near));
  if (!behind.empty()) text += fmt::format(" Clearly behind: {}.", listed(behind));
  return text;
}

std::string finding_threshold(const std::vector<CandidateResult>& results) {
  constexpr double learnt = 95.0;
  std::vector<std::string> below;
  for (const CandidateResult& result : results) {
    const Measured exact = measured(result, LengthGroup::all, &Measures::exact_match);
    if (exact.mean() < learnt) below.push_back(fmt::format("{} ({})", result.candidate.label, exact.text()));
  }
  if (below.empty())
    return fmt::format("All of them translate {:.0f} % of the test sentences without a mistake.", learnt);
  return fmt::format("Below {:.0f} % of test sentences without a mistake: {}.", learnt, listed(below));
}

// Who loses most on the sentences that are longer than those of training?
std::string finding_longer(const Setting& setting, const std::vector<CandidateResult>& results) {
  if (setting.corpus.tests.size() < 2 || results.size() < 2) return "";
  std::vector<std::pair<double, std::string>> losses;
  for (const CandidateResult& result : results) {
    const double usual = measured(result, LengthGroup::all, &Measures::exact_match, 0).mean();
    const double longer = measured(result, LengthGroup::all, &Measures::exact_match, 1).mean();
    losses.emplace_back(usual - longer,
                        fmt::format("{} (from {:.1f} % to {:.1f} %)", result.candidate.label, usual, longer));
  }
  std::sort(losses.begin(), losses.end());
  if (losses.back().first - losses.front().first < 2.0) {
    return fmt::format("On \"{}\" sentences than training had, all lose about as much.", setting.corpus.tests[1].name);
  }
  return fmt::format("On \"{}\" sentences than training had, {} loses least and {} most.", setting.corpus.tests[1].name,
                     losses.front().second, losses.back().second);
}

std::string finding_time(const Comparison& comparison) {
  if (comparison.milliseconds.size() < 2) return "";
  const auto shorter = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto [fastest, slowest] =
      std::minmax_element(comparison.milliseconds.begin(), comparison.milliseconds.end(), shorter);
  return fmt::format("An update takes from {:.1f} ms ({}) to {:.1f} ms ({}), in processor time on this machine.",
                     fastest->second, fastest->first, slowest->second, slowest->first);
}

std::string finding_documents(const Comparison& documents) {
  if (documents.results.size() < 2) return "";
  const CandidateResult& hierarchical = documents.results[0];
  const CandidateResult& flat = documents.results[1];
  const auto exact = [](const CandidateResult& result) {
    return measured(result, LengthGroup::all, &Measures::exact_match);
  };
  return fmt::format(
      "On documents of several sentences, whole documents right: {}. Weights far from the linked word are a "
      "second measure of it; AER: {} and {}.",
      compare("hierarchical", exact(hierarchical), "additive", exact(flat),
              {.small = 1.0, .large = 4.0, .unit = "points"}),
      measured(hierarchical, LengthGroup::all, &Measures::alignment_error_rate).text(),
      measured(flat, LengthGroup::all, &Measures::alignment_error_rate).text());
}

// ---- tables and pictures -----------------------------------------------------------------------------------------

std::string milliseconds_text(const Comparison& comparison, const std::string& label) {
  const auto found = comparison.milliseconds.find(label);
  return found == comparison.milliseconds.end() ? "–" : fmt::format("{:.1f}", found->second);
}

ReportTable table_of(const Setting& setting, const Comparison& comparison) {
  ReportTable table{.caption = comparison.data,
                    .columns = {"attention", "exact %", "BLEU", "perplexity", "AER %", "AER must look %", "entropy",
                                "parameters", "ms per update"}};
  const bool has_longer = setting.corpus.tests.size() > 1;
  if (has_longer) table.columns.insert(table.columns.begin() + 2, setting.corpus.tests[1].name + ", exact %");
  for (const CandidateResult& result : comparison.results) {
    const auto cell = [&](double Measures::*measure, int digits) {
      return measured(result, LengthGroup::all, measure).text(digits);
    };
    std::vector<std::string> row{result.candidate.label, cell(&Measures::exact_match, 1)};
    if (has_longer) row.push_back(measured(result, LengthGroup::all, &Measures::exact_match, 1).text());
    row.insert(row.end(),
               {cell(&Measures::bleu, 1), cell(&Measures::perplexity, 3), cell(&Measures::alignment_error_rate, 1),
                cell(&Measures::alignment_error_rate_must_look, 1), cell(&Measures::entropy, 2),
                fmt::format("{}", result.trained.front().model.model->num_parameters()),
                milliseconds_text(comparison, result.candidate.label)});
    table.rows.push_back(row);
  }
  return table;
}

struct Bars {
  std::string title;
  std::string axis;
};

std::string bars_of(const std::vector<CandidateResult>& results,
                    const std::vector<std::pair<std::string, double Measures::*>>& measures, const Bars& text) {
  std::vector<std::string> categories;
  std::vector<nn::BarSeries> bars;
  for (const auto& [label, measure] : measures) bars.push_back({.name = label});
  for (const CandidateResult& result : results) {
    categories.push_back(result.candidate.label);
    for (std::size_t i = 0; i < measures.size(); ++i) {
      const Measured value = measured(result, LengthGroup::all, measures[i].second);
      bars[i].values.push_back(value.mean());
      add_error_bar(bars[i], result.trained, value);
    }
  }
  return nn::bar_chart_svg(categories, bars, {.title = text.title, .value_axis = text.axis});
}

std::string curves_of(const std::vector<CandidateResult>& results) {
  std::vector<nn::ChartSeries> lines;
  for (const CandidateResult& result : results) {
    nn::ChartSeries line{.name = result.candidate.label};
    for (const auto& [epoch, perplexity] : validation_curve(result, &CurvePoint::perplexity)) {
      line.x.push_back(epoch);
      line.y.push_back(perplexity);
    }
    lines.push_back(line);
  }
  return nn::line_chart_svg(lines, {.title = "Perplexity on the validation sentences",
                                    .x_axis = "epochs",
                                    .y_axis = "perplexity",
                                    .y_logarithmic = true});
}

void add_pictures(ExperimentReport& out, const Setting& setting, const std::vector<CandidateResult>& results) {
  if (setting.is_artificial()) {
    out.picture("exact", bars_of(results, {{"exact match", &Measures::exact_match}}, {"Whole sentences right", "%"}),
                "Test sentences translated without a mistake.");
  } else {
    out.picture("bleu", bars_of(results, {{"BLEU", &Measures::bleu}}, {"Quality", "BLEU"}),
                "BLEU on the test sentences.");
  }
  const double known = measured(results.front(), LengthGroup::all, &Measures::alignment_error_rate).mean();
  if (!std::isnan(known)) {
    out.picture("aer",
                bars_of(results,
                        {{"all words", &Measures::alignment_error_rate},
                         {"words that must look", &Measures::alignment_error_rate_must_look}},
                        {"Alignment error rate", "%"}),
                "How far the strongest weights are from the known alignment; less is better.");
  }
  out.picture("curves", curves_of(results), "Perplexity on the validation sentences in the course of training.");
}

}  // namespace

void run_variants(const ExperimentOptions& options) {
  const Setting setting = setting_of(options);
  const Comparison all = run_comparison(options, setting, all_candidates(setting), "On " + description(setting));
  ExperimentReport out("variants", "All kinds of attention against each other", options);
  Comparison documents;
  const Setting document_setting = setting.is_artificial() ? setting_of(options, {.documents = true}) : Setting();
  if (setting.is_artificial() && StopSignal::received() == 0) {
    documents = run_comparison(options, document_setting,
                               {candidate(document_setting, "hierarchical", "hierarchical"),
                                candidate(document_setting, "additive", "additive")},
                               "On documents of several short sentences");
  }
  out.note_if_stopped();
  if (!all.results.empty()) {
    out.report.heading("What was found");
    std::vector<std::string> texts = {
        finding_ranking(ranking(all.results, &Measures::bleu, true), {.small = 0.5, .large = 2.0}, "BLEU"),
        finding_ranking(ranking(all.results, &Measures::alignment_error_rate, false),
                        {.small = 1.0, .large = 5.0, .more_is_better = false}, "Alignment error rate, all words")};
    if (setting.is_artificial()) {
      texts.insert(texts.begin(), finding_threshold(all.results));
      texts.push_back(finding_ranking(ranking(all.results, &Measures::alignment_error_rate_must_look, false),
                                      {.small = 1.0, .large = 5.0, .more_is_better = false},
                                      "Alignment error rate, words that cannot be guessed without looking"));
      texts.push_back(finding_longer(setting, all.results));
    }
    texts.push_back(finding_time(all));
    texts.push_back(finding_documents(documents));
    for (const std::string& text : texts) {
      if (!text.empty()) out.report.paragraph(text);
    }
    out.report.table(table_of(setting, all));
    if (!documents.results.empty()) out.report.table(table_of(document_setting, documents));
    add_pictures(out, setting, all.results);
  }
  out.setting("dot, scaled_dot",
              "the sizes of state and encoder outputs differ, so the keys are projected first; then dot "
              "is general attention with other initial weights");
  out.settings(settings_of(setting, all.results));
  out.finish();
}

}  // namespace translate
