// BLEU against what sacreBLEU itself says (fixtures/bleu.py), and the tokeniser by itself.
#include <gtest/gtest.h>
#include <nn/measures/bleu.h>
#include <nn/measures/tokenizer_13a.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/expect.h"
#include "tests/support/golden.h"

namespace nn_bleu_test {

using nlohmann::json;
using Words = std::vector<std::string>;

nn::BleuOptions options_of(const json& given) {
  nn::BleuOptions options;
  if (given.value("tokenize", "13a") == "none") options.tokenizer = nn::BleuTokenizer::none;
  const std::string smoothing = given.value("smooth_method", "exp");
  if (smoothing == "none") options.smoothing = nn::BleuSmoothing::none;
  if (smoothing == "floor") options.smoothing = nn::BleuSmoothing::floor;
  if (smoothing == "add-k") options.smoothing = nn::BleuSmoothing::add_k;
  options.smoothing_value = given.value("smooth_value", -1.0);
  options.lowercase = given.value("lowercase", false);
  options.max_ngram_order = given.value("max_ngram_order", 4);
  options.effective_order = given.value("effective_order", false);
  return options;
}

TEST(Bleu, EqualsSacreBleu) {
  std::ifstream file(std::string(BACKSTEP_FIXTURES) + "/bleu.json");
  const json cases = json::parse(file);
  ASSERT_GT(cases.size(), 80U);
  for (const json& expected : cases) {
    SCOPED_TRACE(expected.at("name").get<std::string>());
    const nn::BleuScore score =
        nn::corpus_bleu(expected.at("hypotheses").get<Words>(), expected.at("references").get<std::vector<Words>>(),
                        options_of(expected.at("options")));
    EXPECT_NEAR(score.score, expected.at("score").get<double>(), 1e-12);
    EXPECT_EQ(score.hypothesis_length, expected.at("hypothesis_length").get<std::int64_t>());
    EXPECT_EQ(score.reference_length, expected.at("reference_length").get<std::int64_t>());
    EXPECT_NEAR(score.brevity_penalty, expected.at("brevity_penalty").get<double>(), 1e-15);
    ASSERT_EQ(score.precisions.size(), expected.at("precisions").size());
    for (std::size_t n = 0; n < score.precisions.size(); ++n) {
      EXPECT_NEAR(score.precisions[n], expected.at("precisions").at(n).get<double>(), 1e-12) << "order " << n + 1;
    }
  }
}

// NLTK's: 100 * corpus_bleu(references, hypotheses, weights=(1 / n,) * n) of nltk.translate.bleu_score, 3.8.
TEST(Bleu, OfFewerOrdersEqualsNltk) {
  const Words hypotheses{"the cat sat on the red mat today", "it was a good day"};
  const std::vector<Words> references{{"the cat sat on a red mat", "it was a very good day"}};
  const std::vector<double> expected{84.61538461538461, 73.37993857053428, 56.408490444115245};
  for (std::int64_t orders = 1; orders <= 3; ++orders) {
    const nn::BleuScore score = nn::corpus_bleu(hypotheses, references, {.max_ngram_order = orders});
    EXPECT_NEAR(score.score, expected[static_cast<std::size_t>(orders) - 1], 1e-12);
    EXPECT_EQ(score.precisions.size(), static_cast<std::size_t>(orders));
  }
}

TEST(Bleu, InLowerCaseDoesNotSeeCapitals) {
  const Words hypotheses{"Der Ärger WAR groß, sagt ÄNNE."};
  const std::vector<Words> references{{"der ärger war groß, sagt Änne."}};
  EXPECT_LT(nn::corpus_bleu(hypotheses, references).score, 50.0);
  EXPECT_NEAR(nn::corpus_bleu(hypotheses, references, {.lowercase = true}).score, 100.0, 1e-12);
  const Words greek{"ΟΔΟΣ ΤΗΣ ΠΟΛΗΣ ΜΑΣ"};
  EXPECT_NEAR(nn::corpus_bleu(greek, {{"οδος της πολης μας"}}, {.lowercase = true}).score, 100.0, 1e-12);
}

TEST(Bleu, OfTokensIsBleuWithoutTokenizer) {
  const Words hypotheses{"a b c d e", "f g"};
  const Words references{"a b c d x", "f g h"};
  const nn::BleuOptions none{.tokenizer = nn::BleuTokenizer::none};
  const std::vector<Words> split{{"a", "b", "c", "d", "e"}, {"f", "g"}};
  const std::vector<Words> split_references{{"a", "b", "c", "d", "x"}, {"f", "g", "h"}};
  EXPECT_EQ(nn::corpus_bleu_of_tokens(split, split_references).score,
            nn::corpus_bleu(hypotheses, {references}, none).score);
}

TEST(Bleu, RefusesListsOfDifferentLength) {
  using autograd::ErrorId;
  EXPECT_TRUE(fixtures::says("nn_measures", {fixtures::message_of(ErrorId::bad_argument, [] {
                               nn::corpus_bleu({"a", "b"}, {{"a"}});
                             })}));
  fixtures::message_of(ErrorId::bad_argument, [] { nn::corpus_bleu({"a"}, {}); });
  for (const std::int64_t orders : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1} << 40}) {
    fixtures::message_of(ErrorId::bad_argument, [=] { nn::corpus_bleu({"a"}, {{"a"}}, {.max_ngram_order = orders}); });
  }
  fixtures::message_of(ErrorId::bad_argument, [] { nn::corpus_bleu_of_tokens({{"a"}}, {}); });
}

TEST(Tokenizer13a, KeepsNumbersTogether) {
  EXPECT_EQ(nn::tokenize_13a("It cost 1,234.56, or so."), (Words{"It", "cost", "1,234.56", ",", "or", "so", "."}));
  EXPECT_EQ(nn::tokenize_13a("2-3 well-known"), (Words{"2", "-", "3", "well-known"}));
}

TEST(Tokenizer13a, DecodesEntitiesOnce) {
  EXPECT_EQ(nn::tokenize_13a("&amp;lt; &quot;"), (Words{"<", "\""}));
}

}  // namespace nn_bleu_test
