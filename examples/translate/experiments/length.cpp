#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "examples/translate/experiments/figures.h"

namespace translate {
namespace {

constexpr std::int64_t bin_width = 4;  // words

// Sentences with from .. from + bin_width - 1 words in the source.
struct Bin {
  std::int64_t from = 0;
  std::int64_t sentences = 0;

  bool has(const TranslatedSentence& sentence) const {
    const std::int64_t words = std::ssize(sentence.pair.source);
    return from <= words && words < from + bin_width;
  }
  double middle() const { return static_cast<double>(from) + 0.5 * static_cast<double>(bin_width - 1); }
  std::string text() const { return fmt::format("{}–{}", from, from + bin_width - 1); }
};

// Tests whose sentences differ only in length. Sentences with a clause more than any in training are drawn apart, or
// the effect of what is new to the model would be taken for an effect of length.
struct Part {
  std::string addition = "";  // to labels; empty for the usual sentences
  std::vector<std::size_t> tests = {};
  std::vector<Bin> bins = {};
};

std::vector<TranslatedSentence> sentences_in(const Bin& bin, const Trained& trained, const Part& part) {
  std::vector<TranslatedSentence> picked;
  for (const std::size_t test : part.tests) {
    std::ranges::copy_if(trained.tests[test], std::back_inserter(picked),
                         [&bin](const TranslatedSentence& sentence) { return bin.has(sentence); });
  }
  return picked;
}

// Returns the tests in bins of at least `fewest` sentences each, because BLEU of a few sentences means little.
std::vector<Part> parts_of(const Setting& setting, const CandidateResult& result, std::int64_t fewest) {
  std::vector<Part> parts = {{"", {0}}, {", longer", {1}}};
  if (!setting.is_artificial()) {
    parts.pop_back();
    parts.front().tests.resize(setting.corpus.tests.size());
    std::iota(parts.front().tests.begin(), parts.front().tests.end(), std::size_t{0});
  }
  constexpr std::int64_t longest = 1000;
  for (Part& part : parts) {
    for (std::int64_t from = 1; from < longest; from += bin_width) {
      Bin bin{.from = from};
      bin.sentences = std::ssize(sentences_in(bin, result.trained.front(), part));
      if (bin.sentences >= fewest) part.bins.push_back(bin);
    }
  }
  return parts;
}

Measured in_bin(const CandidateResult& result, const Part& part, const Bin& bin, double Measures::*measure) {
  Measured values;
  for (const Trained& trained : result.trained) {
    values.values.push_back(translate::measure(sentences_in(bin, trained, part)).*measure);
  }
  return values;
}

// ---- what was found ----------------------------------------------------------------------------------------------

// Compares the shortest sentences with the longest.
std::string finding_length(const CandidateResult& result, const Part& part) {
  if (part.bins.empty()) return "";
  const Bin& first = part.bins.front();
  const Bin& last = part.bins.back();
  return fmt::format("{}: BLEU is {} on sentences of {} words, and {} on those of {}.",
                     capitalised(result.candidate.label), in_bin(result, part, first, &Measures::bleu).text(),
                     first.text(), in_bin(result, part, last, &Measures::bleu).text(), last.text());
}

// Draws one line for each model and part.
std::string lengths_chart(const std::vector<CandidateResult>& results, const std::vector<Part>& parts,
                          double Measures::*measure, const std::string& title, const std::string& axis) {
  std::vector<Line> lines;
  for (const Part& part : parts) {
    for (std::size_t i = 0; i < results.size(); ++i) {
      Line line{results[i].candidate.label + part.addition};
      if (!part.addition.empty()) line.dashed_as = i;
      for (const Bin& bin : part.bins) line.points[bin.middle()] = in_bin(results[i], part, bin, measure);
      lines.push_back(line);
    }
  }
  return line_chart(lines, {.title = title, .x_axis = "words in the source", .y_axis = axis, .y_from_zero = true});
}

ReportTable lengths_table(const std::vector<CandidateResult>& results, const std::string& caption, const Part& part) {
  ReportTable table{.caption = caption, .columns = {"words in the source", "sentences"}};
  for (const CandidateResult& result : results) {
    table.columns.push_back(result.candidate.label + ", BLEU");
    table.columns.push_back(result.candidate.label + ", exact %");
  }
  for (const Bin& bin : part.bins) {
    std::vector<std::string> row{bin.text(), fmt::format("{}", bin.sentences)};
    for (const CandidateResult& result : results) {
      row.push_back(in_bin(result, part, bin, &Measures::bleu).text());
      row.push_back(in_bin(result, part, bin, &Measures::exact_match).text());
    }
    table.rows.push_back(row);
  }
  return table;
}

}  // namespace

Report run_length(const ExperimentOptions& options) {
  const Setting setting = setting_of(options);
  const std::vector<CandidateResult> done = train_and_test(
      options, setting, {candidate(setting, "attention", "additive"), candidate(setting, "fixed context", "none")});
  Report report("Quality against the length of the sentence");
  report.settings = settings_of(setting, done);
  if (done.empty()) return report;
  const std::vector<Part> parts = parts_of(setting, done.front(), options.quick ? 2 : 15);
  const bool has_longer = parts.size() > 1;
  std::vector<std::string> texts;
  for (const CandidateResult& result : done) texts.push_back(finding_length(result, parts[0]));
  report.findings(texts);
  const std::string note = has_longer ? fmt::format(" Dashed: {}.", test_name(setting, 1)) : "";
  report.picture("bleu", lengths_chart(done, parts, &Measures::bleu, "BLEU by the length of the sentence", "BLEU"),
                 "BLEU by length of the source." + note);
  if (setting.is_artificial()) {
    report.picture(
        "exact",
        lengths_chart(done, parts, &Measures::exact_match, "Sentences without a mistake, by their length", "%"),
        "Translations that equal their reference, by length of the source." + note);
  }
  for (const Part& part : parts) {
    report.table(
        lengths_table(done, has_longer ? "On " + test_name(setting, part.tests[0]) : "All tests together", part));
  }
  return report;
}

}  // namespace translate
