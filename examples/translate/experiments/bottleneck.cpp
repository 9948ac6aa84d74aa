#include "examples/translate/experiments/bottleneck.h"

#include <fmt/format.h>
#include <nn/pictures/bar_chart.h>

#include <algorithm>
#include <cmath>

#include "examples/translate/experiments/candidates.h"
#include "examples/translate/experiments/experiment_report.h"
#include "examples/translate/experiments/side_by_side.h"
#include "examples/translate/messages.h"

namespace translate {

namespace {

constexpr Differences in_bleu{.small = 0.5, .large = 2.0, .unit = "BLEU"};

// ---- what was found, in words ------------------------------------------------------------------------------------

std::string finding_quality(const Setting& setting, const CandidateResult& with, const CandidateResult& without) {
  std::vector<std::string> sentences;
  for (std::size_t test = 0; test < setting.corpus.tests.size(); ++test) {
    const auto of = [&](const CandidateResult& result, double Measures::*measure) {
      return measured(result, LengthGroup::all, measure, test);
    };
    std::string text = fmt::format(
        "On {}, {}", test_name(setting, test),
        compare("attention", of(with, &Measures::bleu), "the fixed context", of(without, &Measures::bleu), in_bleu));
    if (setting.is_artificial()) {
      text += fmt::format("; without a mistake are {} % and {} %", of(with, &Measures::exact_match).text(),
                          of(without, &Measures::exact_match).text());
    }
    sentences.push_back(text + ".");
  }
  std::string all;
  for (const std::string& sentence : sentences) all += (all.empty() ? "" : " ") + sentence;
  return all;
}

double gap(const CandidateResult& with, const CandidateResult& without, LengthGroup group) {
  return measured(with, group, &Measures::bleu).mean() - measured(without, group, &Measures::bleu).mean();
}

// Does the gap grow with length?
std::string finding_lengths(const CandidateResult& with, const CandidateResult& without) {
  std::vector<std::string> parts;
  std::vector<double> gaps;
  for (const LengthGroup group :
       {LengthGroup::short_sentences, LengthGroup::middle_sentences, LengthGroup::long_sentences}) {
    const double difference = gap(with, without, group);
    if (std::isnan(difference)) continue;
    parts.push_back(fmt::format("{} on {} sentences", signed_text(difference), name(group)));
    gaps.push_back(difference);
  }
  if (gaps.size() < 2) return "";
  std::string text = fmt::format("By length of the source, attention is ahead by this many BLEU: {}.", listed(parts));
  const double growth = gaps.back() - gaps.front();
  if (growth > in_bleu.large) return text + " The gap grows with the length.";
  if (growth < -in_bleu.large)
    return text + " The gap does not grow with the length here; it is smaller on the longest.";
  return text + " From the shortest to the longest the gap changes too little to say that it grows.";
}

using Points = std::vector<std::pair<double, double>>;

// In how many epochs does attention reach what the other one has at its best?
std::string finding_curves(const CandidateResult& with, const CandidateResult& without) {
  const Points ours = validation_curve(with, &CurvePoint::perplexity);
  const Points theirs = validation_curve(without, &CurvePoint::perplexity);
  if (ours.empty() || theirs.empty()) return "";
  const auto lower = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto best = std::min_element(theirs.begin(), theirs.end(), lower);
  const auto reached =
      std::find_if(ours.begin(), ours.end(), [&](const auto& point) { return point.second <= best->second; });
  const std::string of_theirs = fmt::format("the lowest validation perplexity of the fixed context, {:.3g} after {},",
                                            best->second, counted(static_cast<std::int64_t>(best->first), "epoch"));
  if (reached == ours.end()) return fmt::format("In training, {} is not reached by attention.", of_theirs);
  return fmt::format("In training, {} is passed by attention after {:g}.", of_theirs, reached->first);
}

// ---- pictures ----------------------------------------------------------------------------------------------------

std::string lengths_picture(const Setting& setting, const std::vector<CandidateResult>& results, std::size_t test) {
  std::vector<std::string> categories;
  std::vector<nn::BarSeries> bars;
  for (const CandidateResult& result : results) bars.push_back({.name = result.candidate.label});
  for (const LengthGroup group : groups_of(results.front(), test)) {
    categories.emplace_back(name(group));
    for (std::size_t i = 0; i < results.size(); ++i) {
      const Measured bleu = measured(results[i], group, &Measures::bleu, test);
      bars[i].values.push_back(bleu.mean());
      add_error_bar(bars[i], results[i].trained, bleu);
    }
  }
  return nn::bar_chart_svg(categories, bars,
                           {.title = fmt::format("BLEU by length of the source, {}", test_name(setting, test)),
                            .category_axis = "words in the source sentence",
                            .value_axis = "BLEU"});
}

void add_tables(ExperimentReport& out, const Setting& setting, const std::vector<CandidateResult>& results) {
  for (std::size_t test = 0; test < setting.corpus.tests.size(); ++test) {
    ReportTable table{.caption = "On " + test_name(setting, test),
                      .columns = {"model", "length", "sentences", "BLEU", "BLEU 13a", "exact %", "perplexity"}};
    for (const CandidateResult& result : results) {
      for (const LengthGroup group : groups_of(result, test)) {
        const std::int64_t sentences = result.trained.front().measures[test][static_cast<std::size_t>(group)].sentences;
        const auto cell = [&](double Measures::*measure, int digits) {
          return measured(result, group, measure, test).text(digits);
        };
        table.rows.push_back({result.candidate.label, std::string(name(group)), fmt::format("{}", sentences),
                              cell(&Measures::bleu, 1), cell(&Measures::bleu_13a, 1), cell(&Measures::exact_match, 1),
                              cell(&Measures::perplexity, 3)});
      }
    }
    out.report.table(table);
  }
}

}  // namespace

void run_bottleneck(const ExperimentOptions& options) {
  const Setting setting = setting_of(options);
  const std::vector<CandidateResult> done = with_models(train_and_test(
      options, setting, {candidate(setting, "attention", "additive"), candidate(setting, "fixed context", "none")}));
  ExperimentReport out("bottleneck", "The bottleneck: attention against a fixed context", options);
  out.note_if_stopped();
  out.report.paragraph(
      "Both models read the sentence with the same encoder. The one with the fixed context hands its decoder one "
      "vector "
      "for the whole sentence, the same at every step; the one with attention makes a new one for each word that it "
      "writes.");
  if (done.size() == 2) {
    out.report.heading("What was found");
    out.report.paragraph(finding_quality(setting, done[0], done[1]));
    for (const std::string& text : {finding_lengths(done[0], done[1]), finding_curves(done[0], done[1])}) {
      if (!text.empty()) out.report.paragraph(text);
    }
  }
  if (!done.empty()) {
    add_tables(out, setting, done);
    for (std::size_t test = 0; test < setting.corpus.tests.size(); ++test) {
      if (groups_of(done.front(), test).size() < 2) continue;
      out.picture("lengths-" + setting.corpus.tests[test].name, lengths_picture(setting, done, test),
                  fmt::format("Short and long ones of {}.", test_name(setting, test)));
    }
    out.picture("curves", curves_of_results(done), "Perplexity on the validation sentences in the course of training.");
  }
  out.settings(settings_of(setting, done));
  out.finish();
}

}  // namespace translate
