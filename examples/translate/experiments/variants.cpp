#include "examples/translate/experiments/variants.h"

#include <fmt/format.h>
#include <nn/attention/attention_kinds.h>
#include <nn/pictures/bar_chart.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "examples/translate/experiments/candidates.h"
#include "examples/translate/experiments/experiment_report.h"
#include "examples/translate/experiments/hard_cases.h"
#include "examples/translate/experiments/side_by_side.h"
#include "examples/translate/stop_signal.h"

namespace translate {

namespace {

constexpr double learnt = 95.0;  // percent of the sentences without a mistake

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
  candidates.push_back(candidate(setting, "fixed context", "none"));
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

const CandidateResult* result_called(const std::vector<CandidateResult>& results, const std::string& label) {
  for (const CandidateResult& result : results) {
    if (result.candidate.label == label) return &result;
  }
  return nullptr;
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

// Who translates nearly all sentences without a mistake?
std::string finding_threshold(const std::vector<CandidateResult>& results) {
  std::vector<std::string> below;
  std::vector<double> above;
  for (const CandidateResult& result : results) {
    const Measured exact = measured(result, LengthGroup::all, &Measures::exact_match);
    if (exact.mean() < learnt) {
      below.push_back(fmt::format("{} ({} %)", result.candidate.label, exact.text()));
    } else {
      above.push_back(exact.mean());
    }
  }
  if (above.empty()) return fmt::format("Nobody gets {:.0f} % of the test sentences without a mistake.", learnt);
  std::sort(above.begin(), above.end());
  std::string text = fmt::format("{} of {} models translate at least {:.0f} % of the test sentences without a mistake",
                                 above.size(), results.size(), learnt);
  text += above.size() == 1 ? fmt::format(": {:.1f} %.", above[0])
                            : fmt::format(", from {:.1f} to {:.1f} %.", above.front(), above.back());
  if (!below.empty()) text += fmt::format(" Below that: {}.", listed(below));
  return text;
}

// Who learns soon, and who late?
std::string finding_epochs(const std::vector<CandidateResult>& results) {
  std::map<double, std::vector<std::string>> by_epochs;
  for (const CandidateResult& result : results) {
    const Measured epochs = epochs_until(result, learnt);
    if (!epochs.values.empty()) by_epochs[epochs.mean()].push_back(result.candidate.label);
  }
  std::vector<std::string> parts;
  for (const auto& [epochs, labels] : by_epochs) parts.push_back(fmt::format("{:.3g} ({})", epochs, listed(labels)));
  if (parts.empty()) return "";
  std::string text =
      fmt::format("{:.0f} % of the validation sentences are right for the first time after this many epochs: {}.",
                  learnt, listed(parts));
  const std::vector<std::string>& last = by_epochs.rbegin()->second;
  if (parts.size() > 1 && last.front() == "transformer") {
    text +=
        " The Transformer is the last one: it has to learn from positions what a recurrent encoder has built in, "
        "the order of the words.";
  }
  return text;
}

// Where do the strongest weights point?
std::string finding_alignment(const std::vector<CandidateResult>& results) {
  const std::vector<Score> all = ranking(results, &Measures::alignment_error_rate, false);
  const std::vector<Score> must_look = ranking(results, &Measures::alignment_error_rate_must_look, false);
  if (all.size() < 2) return "";
  std::string text =
      fmt::format("The alignment error rate over all words goes from {} % ({}) to {} % ({})", all.front().value.text(),
                  all.front().label, all.back().value.text(), all.back().label);
  if (must_look.size() < 2) return text + ".";
  return text + fmt::format("; over the words that cannot be guessed without looking, from {} % ({}) to {} % ({}).",
                            must_look.front().value.text(), must_look.front().label, must_look.back().value.text(),
                            must_look.back().label);
}

// Is anybody's attention hard to read? One whose entropy is far above the others'.
std::string finding_entropies(const std::vector<CandidateResult>& results) {
  const std::vector<Score> scores = ranking(results, &Measures::entropy, true);
  if (scores.size() < 3) return "";
  const Measured& median = scores[scores.size() / 2].value;
  if (scores[0].value.mean() < std::max(0.5, 2.0 * median.mean())) return "";
  std::string text =
      fmt::format("The weights of {} are the most spread, {} nats per word, where the median of the models is {}.",
                  scores[0].label, scores[0].value.text(2), median.text(2));
  if (scores[0].label == "multi_head" || scores[0].label == "transformer") {
    text += " They are a mean over heads, each of which looks elsewhere: what the picture shows is none of them.";
  }
  return text;
}

bool are_same(const CandidateResult& a, const CandidateResult& b) {
  for (double Measures::*measure : {&Measures::bleu, &Measures::perplexity, &Measures::entropy}) {
    if (measured(a, LengthGroup::all, measure).values != measured(b, LengthGroup::all, measure).values) return false;
  }
  return true;
}

// Two that are the same under two names.
std::string finding_same(const std::vector<CandidateResult>& results) {
  const CandidateResult* dot = result_called(results, "dot");
  const CandidateResult* general = result_called(results, "general");
  if (dot == nullptr || general == nullptr || !are_same(*dot, *general)) return "";
  return "dot and general have the same figures in every digit. State and encoder outputs differ in size, so the "
         "translator puts a layer on the keys before the dot product, and that is general attention.";
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
  const auto of = [](const CandidateResult& result, double Measures::*measure) {
    return measured(result, LengthGroup::all, measure);
  };
  const Differences in_percent{.small = 1.0, .large = 4.0, .unit = "points"};
  return fmt::format(
      "Documents of several sentences, which hierarchical attention is made for: of whole documents without a mistake, "
      "{}. Alignment error rate over the words that cannot be guessed without looking: {} % and {} %.",
      compare("hierarchical", of(hierarchical, &Measures::exact_match), "additive", of(flat, &Measures::exact_match),
              in_percent),
      of(hierarchical, &Measures::alignment_error_rate_must_look).text(),
      of(flat, &Measures::alignment_error_rate_must_look).text());
}

// ---- tables and pictures -----------------------------------------------------------------------------------------

std::string milliseconds_text(const Comparison& comparison, const std::string& label) {
  const auto found = comparison.milliseconds.find(label);
  return found == comparison.milliseconds.end() ? "–" : fmt::format("{:.1f}", found->second);
}

std::vector<std::string> epochs_texts(const std::vector<CandidateResult>& results) {
  std::vector<std::string> texts;
  for (const CandidateResult& result : results) texts.push_back(fmt::format("{}", result.candidate.training.epochs));
  return texts;
}

std::vector<std::string> learnt_texts(const std::vector<CandidateResult>& results) {
  std::vector<std::string> texts;
  for (const CandidateResult& result : results) {
    const Measured epochs = epochs_until(result, learnt);
    const std::size_t seeds = result.trained.size();
    std::string text = epochs.values.size() == 1 ? fmt::format("{:.0f}", epochs.mean()) : epochs.text();
    if (!epochs.values.empty() && epochs.values.size() < seeds) {
      text += fmt::format(" ({} of {} seeds)", epochs.values.size(), seeds);
    }
    texts.push_back(text);
  }
  return texts;
}

ReportTable quality_table(const Setting& setting, const Comparison& comparison) {
  std::vector<ResultColumn> columns = {{"exact %", &Measures::exact_match}};
  if (setting.corpus.tests.size() > 1) {
    columns.push_back({setting.corpus.tests[1].name + ", exact %", &Measures::exact_match, 1, 1});
  }
  columns.insert(columns.end(), {{"BLEU", &Measures::bleu},
                                 {"AER %", &Measures::alignment_error_rate},
                                 {"AER must look %", &Measures::alignment_error_rate_must_look}});
  ReportTable table{.caption = comparison.data, .columns = {"attention"}};
  for (const CandidateResult& result : comparison.results) table.rows.push_back({result.candidate.label});
  add_column(table, "epochs", epochs_texts(comparison.results));
  if (setting.is_artificial()) {
    add_column(table, fmt::format("{:.0f} % right after epoch", learnt), learnt_texts(comparison.results));
  }
  add_columns(table, comparison.results, columns);
  return table;
}

ReportTable cost_table(const Comparison& comparison) {
  ReportTable table =
      table_of_results("Cost, and how spread the weights are", "attention", comparison.results,
                       {{"perplexity", &Measures::perplexity, 3}, {"entropy, nats per word", &Measures::entropy, 2}});
  std::vector<std::string> parameters, milliseconds;
  for (const CandidateResult& result : comparison.results) {
    parameters.push_back(fmt::format("{}", result.trained.front().model.model->num_parameters()));
    milliseconds.push_back(milliseconds_text(comparison, result.candidate.label));
  }
  add_column(table, "parameters", parameters);
  add_column(table, "ms per update", milliseconds);
  return table;
}

std::string epochs_picture(const std::vector<CandidateResult>& results) {
  std::vector<std::string> labels;
  nn::BarSeries bars;
  for (const CandidateResult& result : results) {
    const Measured epochs = epochs_until(result, learnt);
    labels.push_back(result.candidate.label);
    bars.values.push_back(epochs.mean());
    add_error_bar(bars, result.trained, epochs);
  }
  return nn::bar_chart_svg(
      labels, {bars},
      {.title = fmt::format("Until {:.0f} % of the validation sentences are without a mistake", learnt),
       .value_axis = "epochs"});
}

void add_pictures(ExperimentReport& out, const Setting& setting, const std::vector<CandidateResult>& results) {
  if (setting.is_artificial()) {
    out.picture("exact",
                bars_of_results(results, {{"exact match", &Measures::exact_match}}, "Sentences without a mistake", "%"),
                "Test sentences whose translation equals the reference.");
    out.picture("epochs", epochs_picture(results), "Epochs until that was passed for the first time; no bar: never.");
    out.picture("curves", curves_of_results(results, CurveKind::exact_match),
                "The same on the validation sentences, in the course of training.");
  } else {
    out.picture("bleu", bars_of_results(results, {{"BLEU", &Measures::bleu}}, "Quality", "BLEU"),
                "BLEU on the test sentences.");
    out.picture("curves", curves_of_results(results),
                "Perplexity on the validation sentences in the course of training.");
  }
  const double known = measured(results.front(), LengthGroup::all, &Measures::alignment_error_rate).mean();
  if (std::isnan(known)) return;
  out.picture("aer",
              bars_of_results(results,
                              {{"all words", &Measures::alignment_error_rate},
                               {"words that must look", &Measures::alignment_error_rate_must_look}},
                              "Alignment error rate", "%"),
              "How far the strongest weights are from the known alignment; less is better.");
}

// The section on what is hard for whom.
void add_hard_cases(ExperimentReport& out, const ExperimentOptions& options, const Setting& setting,
                    const std::vector<CandidateResult>& results) {
  const ParallelText text =
      options.quick ? sentences_with_far_words(setting, 50, 2) : sentences_with_far_words(setting, 6000, 200);
  std::vector<ByDistance> by_distance;
  for (const CandidateResult& result : results) by_distance.push_back(words_by_distance(result, text));
  std::vector<HardCase> cases = hard_sentences(setting, results);
  if (!text.pairs.empty()) cases.push_back(hard_words(by_distance));
  out.report.heading("Hard cases");
  for (const std::string& finding : findings_of(results, cases)) out.report.paragraph(finding);
  out.report.table(table_of(results, cases));
  if (text.pairs.empty()) return;
  out.picture("distance", distance_picture(results, by_distance),
              fmt::format("{} new sentences with a word from {} places away or more. Each word is written after the "
                          "reference up to there; only words that cannot be guessed count.",
                          text.pairs.size(), far_distance));
}

std::vector<std::string> findings(const Setting& setting, const Comparison& all) {
  if (setting.is_artificial()) {
    return {finding_threshold(all.results), finding_epochs(all.results), finding_alignment(all.results),
            finding_entropies(all.results), finding_same(all.results),   finding_time(all)};
  }
  return {finding_ranking(ranking(all.results, &Measures::bleu, true), {.small = 0.5, .large = 2.0}, "BLEU"),
          finding_alignment(all.results), finding_entropies(all.results), finding_same(all.results), finding_time(all)};
}

}  // namespace

void run_variants(const ExperimentOptions& options) {
  const Setting setting = setting_of(options);
  const Comparison all =
      run_comparison(options, setting, all_candidates(setting), "Quality, on " + description(setting));
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
    for (const std::string& text : findings(setting, all)) {
      if (!text.empty()) out.report.paragraph(text);
    }
    out.report.table(quality_table(setting, all));
    add_pictures(out, setting, all.results);
    out.report.table(cost_table(all));
    if (setting.is_artificial()) add_hard_cases(out, options, setting, all.results);
    if (!documents.results.empty()) {
      out.report.heading("Documents");
      out.report.paragraph(finding_documents(documents));
      out.report.table(quality_table(document_setting, documents));
    }
  }
  out.settings(settings_of(setting, all.results));
  out.finish();
}

}  // namespace translate
