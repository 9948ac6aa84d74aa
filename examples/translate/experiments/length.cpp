#include "examples/translate/experiments/length.h"

#include <fmt/format.h>
#include <nn/pictures/line_chart.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "examples/translate/experiments/candidates.h"
#include "examples/translate/experiments/experiment_report.h"

namespace translate {

namespace {

constexpr std::int64_t bin_width = 4;  // words

std::int64_t length_of(const TranslatedSentence& sentence) {
  return static_cast<std::int64_t>(sentence.pair.source.size());
}

// Sentences of all tests with from .. to words in the source.
struct Bin {
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::int64_t sentences = 0;

  bool has(const TranslatedSentence& sentence) const {
    return from <= length_of(sentence) && length_of(sentence) <= to;
  }
  double middle() const { return 0.5 * static_cast<double>(from + to); }
  std::string text() const { return fmt::format("{}–{}", from, to); }
};

// With at least so many sentences each: BLEU of a few means little.
std::vector<Bin> bins_of(const std::vector<std::vector<TranslatedSentence>>& tests, std::int64_t fewest) {
  std::int64_t longest = 0;
  for (const auto& test : tests) {
    for (const TranslatedSentence& sentence : test) longest = std::max(longest, length_of(sentence));
  }
  std::vector<Bin> bins;
  for (std::int64_t from = 1; from <= longest; from += bin_width) {
    Bin bin{.from = from, .to = from + bin_width - 1};
    for (const auto& test : tests) {
      bin.sentences +=
          std::count_if(test.begin(), test.end(), [&bin](const auto& sentence) { return bin.has(sentence); });
    }
    if (bin.sentences >= fewest) bins.push_back(bin);
  }
  return bins;
}

// In the training text.
std::int64_t longest_source(const Setting& setting) {
  std::size_t longest = 0;
  for (const SentencePair& pair : setting.corpus.train.pairs) longest = std::max(longest, pair.source.size());
  return static_cast<std::int64_t>(longest);
}

std::vector<std::size_t> all_tests(const Setting& setting) {
  std::vector<std::size_t> tests(setting.corpus.tests.size());
  std::iota(tests.begin(), tests.end(), std::size_t{0});
  return tests;
}

Measured in_bin(const Setting& setting, const CandidateResult& result, const Bin& bin, double Measures::*measure) {
  return measured_if(
      result, all_tests(setting), [&bin](const TranslatedSentence& one) { return bin.has(one); }, measure);
}

// ---- what was found, in words ------------------------------------------------------------------------------------

// BLEU against length, as a straight line through the bins that training has seen, and what is left beyond.
std::string finding_of(const Setting& setting, const CandidateResult& result, const std::vector<Bin>& bins) {
  const std::int64_t trained = longest_source(setting);
  std::vector<double> lengths, scores;
  for (const Bin& bin : bins) {
    if (bin.to > trained) continue;
    lengths.push_back(bin.middle());
    scores.push_back(in_bin(setting, result, bin, &Measures::bleu).mean());
  }
  if (bins.empty()) return "";
  const double per_ten = 10.0 * slope(lengths, scores);
  std::string text = fmt::format("{}: ", result.candidate.label);
  if (std::isnan(per_ten)) {
    text += "too few lengths to speak of a slope";
  } else if (std::abs(per_ten) < 2.0) {
    text += fmt::format("hardly any change with the length ({:+.1f} BLEU per ten words more)", per_ten);
  } else {
    text += fmt::format("{:+.1f} BLEU per ten words more", per_ten);
  }
  text += fmt::format(", from {} on {} words to {} on {}",
                      in_bin(setting, result, bins.front(), &Measures::bleu).text(), bins.front().text(),
                      in_bin(setting, result, bins.back(), &Measures::bleu).text(), bins.back().text());
  const auto is_new = [trained](const TranslatedSentence& sentence) { return length_of(sentence) > trained; };
  const Measured beyond = measured_if(result, all_tests(setting), is_new, &Measures::bleu);
  if (!beyond.values.empty()) {
    text += fmt::format("; {} on sentences longer than any in training (more than {} words)", beyond.text(), trained);
  }
  return text + ".";
}

std::string finding_gap(const Setting& setting, const std::vector<CandidateResult>& results,
                        const std::vector<Bin>& bins) {
  if (results.size() < 2 || bins.size() < 2) return "";
  std::vector<double> lengths, gaps;
  for (const Bin& bin : bins) {
    lengths.push_back(bin.middle());
    gaps.push_back(in_bin(setting, results[0], bin, &Measures::bleu).mean() -
                   in_bin(setting, results[1], bin, &Measures::bleu).mean());
  }
  const auto widest = std::max_element(gaps.begin(), gaps.end());
  const Bin& where = bins[static_cast<std::size_t>(widest - gaps.begin())];
  std::string text = fmt::format(
      "The gap between the two is {:.1f} BLEU on the shortest sentences ({} words), {:.1f} on the longest ({}), and "
      "widest "
      "at {} words: {:.1f}.",
      gaps.front(), bins.front().text(), gaps.back(), bins.back().text(), where.text(), *widest);
  const bool narrows = *widest - gaps.back() > 5.0;
  if (narrows) text += " It narrows again where both have little left to lose.";
  return text;
}

// ---- the report --------------------------------------------------------------------------------------------------

std::string picture(const Setting& setting, const std::vector<CandidateResult>& results, const std::vector<Bin>& bins,
                    double Measures::*measure, const std::string& axis) {
  std::vector<nn::ChartSeries> lines;
  for (const CandidateResult& result : results) {
    nn::ChartSeries line{.name = result.candidate.label, .markers = true};
    for (const Bin& bin : bins) {
      const Measured value = in_bin(setting, result, bin, measure);
      line.x.push_back(bin.middle());
      line.y.push_back(value.mean());
      add_error_bar(line, result.trained, value);
    }
    lines.push_back(line);
  }
  return nn::line_chart_svg(
      lines, {.title = axis + " against the length of the sentence",
              .x_axis = fmt::format("words in the source (training: at most {})", longest_source(setting)),
              .y_axis = axis,
              .y_from_zero = true});
}

ReportTable table_of(const Setting& setting, const std::vector<CandidateResult>& results,
                     const std::vector<Bin>& bins) {
  ReportTable table{.caption = "By length of the source, all tests together", .columns = {"words", "sentences"}};
  for (const CandidateResult& result : results) {
    table.columns.push_back(result.candidate.label + ", BLEU");
    table.columns.push_back(result.candidate.label + ", exact %");
  }
  for (const Bin& bin : bins) {
    std::vector<std::string> row{bin.text(), fmt::format("{}", bin.sentences)};
    for (const CandidateResult& result : results) {
      row.push_back(in_bin(setting, result, bin, &Measures::bleu).text());
      row.push_back(in_bin(setting, result, bin, &Measures::exact_match).text());
    }
    table.rows.push_back(row);
  }
  return table;
}

}  // namespace

void run_length(const ExperimentOptions& options) {
  const Setting setting = setting_of(options);
  const std::vector<CandidateResult> done = with_models(train_and_test(
      options, setting, {candidate(setting, "attention", "additive"), candidate(setting, "fixed context", "none")}));
  ExperimentReport out("length", "Quality against the length of the sentence", options);
  out.note_if_stopped();
  if (!done.empty()) {
    const std::vector<Bin> bins = bins_of(done.front().trained.front().tests, options.quick ? 2 : 15);
    out.report.heading("What was found");
    for (const CandidateResult& result : done) out.report.paragraph(finding_of(setting, result, bins));
    const std::string gap = finding_gap(setting, done, bins);
    if (!gap.empty()) out.report.paragraph(gap);
    out.picture("bleu", picture(setting, done, bins, &Measures::bleu, "BLEU"), "BLEU by length of the source.");
    if (setting.is_artificial()) {
      out.picture("exact", picture(setting, done, bins, &Measures::exact_match, "Whole sentences right, %"),
                  "Translations that equal their reference, by length of the source.");
    }
    out.report.table(table_of(setting, done, bins));
  }
  out.settings(settings_of(setting, done));
  out.finish();
}

}  // namespace translate
