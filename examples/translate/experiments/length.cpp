#include <fmt/format.h>

#include <algorithm>

#include "examples/translate/experiments/figures.h"

namespace translate {
namespace {

constexpr std::int64_t bin_width = 4;  // words

// The sentences of one test with from .. from + bin_width - 1 words in the source.
struct Bin {
  std::size_t test = 0;
  std::int64_t from = 0;

  std::vector<TranslatedSentence> sentences(const Trained& trained) const {
    std::vector<TranslatedSentence> picked;
    for (const TranslatedSentence& sentence : trained.tests[test]) {
      const std::int64_t words = std::ssize(sentence.pair.source);
      if (from <= words && words < from + bin_width) picked.push_back(sentence);
    }
    return picked;
  }
  Measured measured(const CandidateResult& result, double Measures::*measure) const {
    Measured values;
    for (const Trained& trained : result.trained) {
      values.values.push_back(translate::measure(sentences(trained)).*measure);
    }
    return values;
  }
  double middle() const { return static_cast<double>(from) + 0.5 * static_cast<double>(bin_width - 1); }
  std::string text() const { return fmt::format("{}–{}", from, from + bin_width - 1); }
};

// Returns the bins of at least `fewest` sentences, because BLEU of a few sentences means little.
std::vector<Bin> bins_of(std::size_t test, const Trained& trained, std::int64_t fewest) {
  constexpr std::int64_t longest = 1000;
  std::vector<Bin> bins;
  for (std::int64_t from = 1; from < longest; from += bin_width) {
    const Bin bin{test, from};
    if (std::ssize(bin.sentences(trained)) >= fewest) bins.push_back(bin);
  }
  return bins;
}

ReportTable table_of(const std::string& caption, const std::vector<CandidateResult>& results,
                     const std::vector<Bin>& bins) {
  ReportTable table{.caption = caption, .columns = {"words in the source", "sentences"}};
  for (const CandidateResult& result : results) {
    table.columns.push_back(result.candidate.label + ", BLEU");
    table.columns.push_back(result.candidate.label + ", exact %");
  }
  for (const Bin& bin : bins) {
    std::vector<std::string> row{bin.text(), fmt::format("{}", bin.sentences(results.front().trained.front()).size())};
    for (const CandidateResult& result : results) {
      row.push_back(bin.measured(result, &Measures::bleu).text());
      row.push_back(bin.measured(result, &Measures::exact_match).text());
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
  std::vector<Line> lines;
  std::vector<ReportTable> tables;
  // Each test has lines of its own: sentences with a clause more than any in training are new in more than their
  // length.
  for (std::size_t test = 0; test < setting.corpus.tests.size(); ++test) {
    const std::vector<Bin> bins = bins_of(test, done.front().trained.front(), options.quick ? 2 : 15);
    for (std::size_t i = 0; i < done.size(); ++i) {
      Line line{done[i].candidate.label + (test == 0 ? "" : ", " + setting.corpus.tests[test].name)};
      if (test > 0) line.dashed_as = i;
      for (const Bin& bin : bins) line.points[bin.middle()] = bin.measured(done[i], &Measures::bleu);
      lines.push_back(line);
    }
    tables.push_back(table_of("On " + test_name(setting, test), done, bins));
  }
  report.picture("bleu",
                 line_chart(lines, {.title = "BLEU by the length of the sentence",
                                    .x_axis = "words in the source",
                                    .y_axis = "BLEU",
                                    .y_from_zero = true}),
                 "BLEU by length of the source; dashed: further tests");
  for (const ReportTable& table : tables) report.table(table);
  return report;
}

}  // namespace translate
