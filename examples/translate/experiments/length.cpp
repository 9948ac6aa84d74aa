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
constexpr double alike = 5.0;          // BLEU

std::int64_t length_of(const TranslatedSentence& sentence) {
  return static_cast<std::int64_t>(sentence.pair.source.size());
}

// ---- which sentences -----------------------------------------------------------------------------------------------

// The tests whose sentences are alike but for their length. Those with a clause more than any in training are something
// else: they are drawn apart, or what is new to the model would be taken for what is long.
struct Part {
  std::string addition;  // to labels; empty for the usual sentences
  std::vector<std::size_t> tests;
};

std::vector<Part> parts_of(const Setting& setting) {
  if (setting.is_artificial()) return {{"", {0}}, {", longer", {1}}};
  std::vector<std::size_t> all(setting.corpus.tests.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return {{"", all}};
}

// Sentences with from .. to words in the source.
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
std::vector<Bin> bins_of(const CandidateResult& result, const Part& part, std::int64_t fewest) {
  const std::vector<std::vector<TranslatedSentence>>& tests = result.trained.front().tests;
  std::int64_t longest = 0;
  for (const std::size_t test : part.tests) {
    for (const TranslatedSentence& sentence : tests[test]) longest = std::max(longest, length_of(sentence));
  }
  std::vector<Bin> bins;
  for (std::int64_t from = 1; from <= longest; from += bin_width) {
    Bin bin{.from = from, .to = from + bin_width - 1};
    for (const std::size_t test : part.tests) {
      bin.sentences += std::count_if(tests[test].begin(), tests[test].end(),
                                     [&bin](const TranslatedSentence& sentence) { return bin.has(sentence); });
    }
    if (bin.sentences >= fewest) bins.push_back(bin);
  }
  return bins;
}

Measured in_bin(const CandidateResult& result, const Part& part, const Bin& bin, double Measures::*measure) {
  return measured_if(
      result, part.tests, [&bin](const TranslatedSentence& one) { return bin.has(one); }, measure);
}

// A part with its bins.
struct Lengths {
  Part part;
  std::vector<Bin> bins;
};

// ---- what was found, in words ------------------------------------------------------------------------------------

// How far does it hold what it has on the shortest?
std::string finding_of(const CandidateResult& result, const Lengths& lengths) {
  if (lengths.bins.empty()) return "";
  std::vector<Measured> bleu;
  for (const Bin& bin : lengths.bins) bleu.push_back(in_bin(result, lengths.part, bin, &Measures::bleu));
  std::size_t held = 0;
  while (held + 1 < bleu.size() && bleu[held + 1].mean() > bleu[0].mean() - alike) ++held;
  std::string text = fmt::format("{}: BLEU is {} on sentences of {} words", capitalised(result.candidate.label),
                                 bleu[0].text(), lengths.bins[0].text());
  if (held + 1 == bleu.size()) {
    return text + fmt::format(" and stays there, within {:g}, up to the longest, {} words.", alike,
                              lengths.bins.back().text());
  }
  if (held > 0) text += fmt::format(" and stays there, within {:g}, up to {} words", alike, lengths.bins[held].text());
  return text + fmt::format(", falls to {} at {} words, and is {} at {}.", bleu[held + 1].text(),
                            lengths.bins[held + 1].text(), bleu.back().text(), lengths.bins.back().text());
}

std::string finding_gap(const std::vector<CandidateResult>& results, const Lengths& lengths) {
  const std::vector<Bin>& bins = lengths.bins;
  if (results.size() < 2 || bins.size() < 2) return "";
  std::vector<double> gaps;
  for (const Bin& bin : bins) {
    gaps.push_back(in_bin(results[0], lengths.part, bin, &Measures::bleu).mean() -
                   in_bin(results[1], lengths.part, bin, &Measures::bleu).mean());
  }
  const auto widest = std::max_element(gaps.begin(), gaps.end());
  const Bin& where = bins[static_cast<std::size_t>(widest - gaps.begin())];
  std::string text =
      fmt::format("The gap between the two is {} BLEU on the shortest sentences ({} words) and {} on the longest ({})",
                  signed_text(gaps.front()), bins.front().text(), signed_text(gaps.back()), bins.back().text());
  const bool is_inside = *widest - gaps.back() > 1.0 && *widest - gaps.front() > 1.0;
  if (is_inside) text += fmt::format(", and widest at {} words: {:.1f}", where.text(), *widest);
  return text + ".";
}

// Is it the number of words, or that there is a clause more? Sentences of about the same length, of both kinds.
std::string finding_new(const CandidateResult& result, const Lengths& usual, const Lengths& longer) {
  const Bin* shared = nullptr;  // the longest that both have
  for (const Bin& bin : usual.bins) {
    const auto is_same = [&bin](const Bin& other) { return other.from == bin.from; };
    if (std::any_of(longer.bins.begin(), longer.bins.end(), is_same)) shared = &bin;
  }
  if (shared == nullptr) return "";
  const Measured trained = in_bin(result, usual.part, *shared, &Measures::exact_match);
  const Measured more = in_bin(result, longer.part, *shared, &Measures::exact_match);
  std::string text = fmt::format(
      "With {}, sentences of {} words are without a mistake in {} % of the cases if they have as many clauses as those "
      "of training, and in {} % if they have one more.",
      result.candidate.label, shared->text(), trained.text(), more.text());
  if (trained.mean() - more.mean() > 10.0) {
    text +=
        " So it is not the number of words that is hard for it: how to go on after the last clause that training had "
        "was never learnt.";
  }
  return text;
}

// ---- the report --------------------------------------------------------------------------------------------------

struct Axis {
  std::string title;
  std::string name;
};

// One line for each model and part.
std::string picture(const std::vector<CandidateResult>& results, const std::vector<Lengths>& all,
                    double Measures::*measure, const Axis& axis) {
  std::vector<nn::ChartSeries> lines;
  for (const Lengths& lengths : all) {
    for (const CandidateResult& result : results) {
      nn::ChartSeries line{.name = result.candidate.label + lengths.part.addition, .markers = true};
      line.dashed = !lengths.part.addition.empty();
      if (line.dashed) line.same_colour_as = static_cast<std::size_t>(&result - results.data());
      for (const Bin& bin : lengths.bins) {
        const Measured value = in_bin(result, lengths.part, bin, measure);
        line.x.push_back(bin.middle());
        line.y.push_back(value.mean());
        add_error_bar(line, result.trained, value);
      }
      if (!line.x.empty()) lines.push_back(line);
    }
  }
  return nn::line_chart_svg(
      lines, {.title = axis.title, .x_axis = "words in the source", .y_axis = axis.name, .y_from_zero = true});
}

ReportTable table_of(const std::vector<CandidateResult>& results, const std::string& caption, const Lengths& lengths) {
  ReportTable table{.caption = caption, .columns = {"words in the source", "sentences"}};
  for (const CandidateResult& result : results) {
    table.columns.push_back(result.candidate.label + ", BLEU");
    table.columns.push_back(result.candidate.label + ", exact %");
  }
  for (const Bin& bin : lengths.bins) {
    std::vector<std::string> row{bin.text(), fmt::format("{}", bin.sentences)};
    for (const CandidateResult& result : results) {
      row.push_back(in_bin(result, lengths.part, bin, &Measures::bleu).text());
      row.push_back(in_bin(result, lengths.part, bin, &Measures::exact_match).text());
    }
    table.rows.push_back(row);
  }
  return table;
}

std::string caption_of(const Setting& setting, const Part& part) {
  if (setting.is_artificial()) return "On " + test_name(setting, part.tests.front());
  return "By length of the source, all tests together";
}

}  // namespace

void run_length(const ExperimentOptions& options) {
  const Setting setting = setting_of(options);
  const std::vector<CandidateResult> done = with_models(train_and_test(
      options, setting, {candidate(setting, "attention", "additive"), candidate(setting, "fixed context", "none")}));
  ExperimentReport out("length", "Quality against the length of the sentence", options);
  out.note_if_stopped();
  if (!done.empty()) {
    std::vector<Lengths> all;
    for (const Part& part : parts_of(setting))
      all.push_back({part, bins_of(done.front(), part, options.quick ? 2 : 15)});
    out.report.heading("What was found");
    std::vector<std::string> texts;
    for (const CandidateResult& result : done) texts.push_back(finding_of(result, all.front()));
    texts.push_back(finding_gap(done, all.front()));
    if (all.size() > 1) texts.push_back(finding_new(done.front(), all[0], all[1]));
    for (const std::string& text : texts) {
      if (!text.empty()) out.report.paragraph(text);
    }
    const std::string note =
        all.size() > 1 ? fmt::format(" Dashed: {}.", test_name(setting, all[1].part.tests.front())) : "";
    out.picture("bleu", picture(done, all, &Measures::bleu, {"BLEU by the length of the sentence", "BLEU"}),
                "BLEU by length of the source." + note);
    if (setting.is_artificial()) {
      out.picture("exact",
                  picture(done, all, &Measures::exact_match, {"Sentences without a mistake, by their length", "%"}),
                  "Translations that equal their reference, by length of the source." + note);
    }
    for (const Lengths& lengths : all) out.report.table(table_of(done, caption_of(setting, lengths.part), lengths));
  }
  out.settings(settings_of(setting, done));
  out.finish();
}

}  // namespace translate
