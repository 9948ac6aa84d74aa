#include "examples/translate/experiments/hard_cases.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "examples/translate/experiments/distance.h"
#include "tests/support/expect.h"
#include "tests/support/temporary_folder.h"

namespace translate_hard_cases_test {

using fixtures::mentions;
using translate::CandidateResult;
using translate::Hard;
using translate::HardCase;
using translate::Measured;

std::vector<CandidateResult> models(const std::vector<std::string>& labels) {
  std::vector<CandidateResult> results;
  for (const std::string& label : labels) {
    results.emplace_back();
    results.back().candidate.label = label;
  }
  return results;
}

std::string only_finding(const std::vector<CandidateResult>& results, const HardCase& hard) {
  const std::vector<std::string> findings = findings_of(results, {hard});
  return findings.empty() ? "" : findings.front();
}

HardCase far_words(const std::vector<double>& right) {
  HardCase hard{.what = Hard::far_words, .name = "far", .where = "of words from far away", .right = {}};
  for (const double one : right) hard.right.push_back({{one}});
  return hard;
}

// ---- what the numbers say ----------------------------------------------------------------------------------------

TEST(HardCases, WhoIsBehindIsNamedWithTheReason) {
  const auto results = models({"additive", "local_monotonic", "general"});
  EXPECT_EQ(only_finding(results, far_words({100.0, 9.1, 99.0})).substr(0, 98),
            "Of words from far away, 100.0 % are right at best; clearly behind: local_monotonic (9.1 %). For lo");
  EXPECT_TRUE(mentions(only_finding(results, far_words({100.0, 9.1, 99.0})), {"its window reaches 10 words"}));
}

TEST(HardCases, NothingIsSaidThatWasNotMeasured) {
  const auto results = models({"additive", "local_monotonic", "general"});
  EXPECT_EQ(only_finding(results, far_words({100.0, 99.0, 98.0})), "");
  const std::string other = only_finding(results, far_words({80.0, 100.0, 99.0}));
  EXPECT_TRUE(mentions(other, {"additive (80.0 %)"}));
  EXPECT_FALSE(mentions(other, {"local_monotonic"}));
  EXPECT_FALSE(mentions(other, {"window"}));
  const double unknown = std::nan("");
  EXPECT_EQ(only_finding(results, far_words({100.0, unknown, unknown})), "");
}

TEST(HardCases, AReasonIsGivenOnce) {
  const auto results = models({"additive", "fixed context"});
  const HardCase middle{Hard::lengths, "middle", "of middle sentences", {{{100.0}}, {{50.0}}}};
  const HardCase longer{Hard::lengths, "long", "of long sentences", {{{100.0}}, {{0.0}}}};
  const std::vector<std::string> findings = findings_of(results, {middle, longer});
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_TRUE(mentions(findings[0], {"one vector has to hold"}));
  EXPECT_FALSE(mentions(findings[1], {"one vector has to hold"}));
}

TEST(HardCases, WhereNobodyIsGood) {
  const auto results = models({"additive", "coverage", "general"});
  HardCase hard{Hard::more_clauses, "more", "of longer sentences", {{{1.0}}, {{34.0}}, {{0.0}}}};
  const std::string text = only_finding(results, hard);
  EXPECT_TRUE(mentions(text, {"Of longer sentences, nobody is good: from 0.0 % (general) to 34.0 % (coverage)",
                              "never learnt", "For coverage: it is told"}));
  hard.right = {{{32.0}}, {{34.0}}, {{0.0}}};  // not clearly the best
  EXPECT_FALSE(mentions(only_finding(results, hard), {"For coverage"}));
  hard.right = {{{40.0}}, {{34.0}}, {{0.0}}};
  EXPECT_FALSE(mentions(only_finding(results, hard), {"For coverage"}));
}

TEST(HardCases, TheTableHasARowPerModel) {
  const auto results = models({"additive", "general"});
  const translate::ReportTable table = table_of(results, {far_words({100.0, 9.1})});
  EXPECT_EQ(table.columns, (std::vector<std::string>{"attention", "far"}));
  EXPECT_EQ(table.rows, (std::vector<std::vector<std::string>>{{"additive", "100.0"}, {"general", "9.1"}}));
}

// ---- words from far away -----------------------------------------------------------------------------------------

TEST(Distance, EverySentenceHasAWordFromFarAway) {
  const translate::Setting setting = translate::setting_of({.quick = true});
  const translate::ParallelText text = sentences_with_far_words(setting, 2000, 20);
  ASSERT_EQ(text.pairs.size(), 20U);
  for (const translate::SentencePair& pair : text.pairs) {
    bool has_far_word = false;
    for (const translate::Link& link : *pair.gold) {
      const bool counts = pair.must_look[static_cast<std::size_t>(link.target)];
      has_far_word = has_far_word || (counts && std::abs(link.source - link.target) >= translate::far_distance);
    }
    EXPECT_TRUE(has_far_word) << translate::join(pair.source);
  }
}

TEST(Distance, RangesHaveNames) {
  EXPECT_EQ(translate::distance_ranges.front().text(), "0–2");
  EXPECT_EQ(translate::distance_ranges[3].text(), "9");
  EXPECT_EQ(translate::distance_ranges.back().text(), "11 or more");
  for (std::size_t i = 1; i < translate::distance_ranges.size(); ++i) {
    EXPECT_EQ(translate::distance_ranges[i].from, translate::distance_ranges[i - 1].to + 1);
  }
}

// A model that knows nothing but one word writes it everywhere: right is what is that word.
TEST(Distance, WordsAreCountedInTheirRange) {
  const fixtures::TemporaryFolder folder;
  const translate::ExperimentOptions options{.out = folder.path(), .quick = true};
  const translate::Setting setting = setting_of(options);
  std::vector<CandidateResult> results = train_and_test(options, setting, {candidate(setting, "additive", "additive")});
  translate::TrainedModel& model = results.front().trained.front().model;
  const std::int64_t word = translate::Vocabulary::eos + 1;
  const std::string known = model.target.words({word})[0];
  const std::string other = model.target.words({word + 1})[0];
  for (auto& [name, weight] : model.model->named_parameters()) {
    const autograd::NoGradGuard no_grad;
    weight.zero_();
    if (name.ends_with("bias") && weight.size(0) == model.target.size()) weight.set_({word}, 1.0);
  }
  translate::ParallelText text;
  text.pairs.push_back({.source = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"},
                        .target = {known, other, known, known},
                        .gold = translate::Alignment{{11, 0, true}, {3, 1, true}, {10, 2, true}, {3, 3, true}},
                        .must_look = {true, true, true, false}});
  const translate::ByDistance counts = words_by_distance(results.front(), text);
  const auto words = [&counts](std::size_t range) { return counts[range].words; };
  EXPECT_EQ(words(0), 1);  // the other word, from 2 places away; the last one need not look
  EXPECT_EQ(words(2), 1);  // from 8
  EXPECT_EQ(words(5), 1);  // from 11
  EXPECT_EQ(words(1) + words(3) + words(4), 0);
  EXPECT_EQ(counts[0].right.mean(), 0.0);
  EXPECT_EQ(counts[2].right.mean(), 100.0);
  EXPECT_EQ(counts[5].right.mean(), 100.0);
  EXPECT_TRUE(counts[1].right.values.empty());
}

}  // namespace translate_hard_cases_test
