// Byte-pair encoding against subword-nmt's own merges and pieces (fixtures/byte_pair_encoding.py).
#include <gtest/gtest.h>
#include <nn/measures/tokenizer_13a.h>
#include <nn/translation/byte_pair_encoding.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/expect.h"

namespace nn_byte_pair_encoding_test {

using autograd::ErrorId;
using fixtures::error_of;
using nlohmann::json;
using nn::BytePairEncoding;
using nn::Words;

Words words_of(const std::string& line) {
  return nn::split_at_white_space(line);
}

std::vector<Words> text_of(const json& lines) {
  std::vector<Words> text;
  for (const std::string line : lines) text.push_back(words_of(line));
  return text;
}

json fixture_cases() {
  std::ifstream file(std::string(BACKSTEP_FIXTURES) + "/byte_pair_encoding.json");
  return json::parse(file);
}

TEST(BytePairEncoding, LearnsAndAppliesTheMergesOfSubwordNmt) {
  for (const json& wanted : fixture_cases()) {
    SCOPED_TRACE(wanted["name"]);
    const BytePairEncoding encoding = BytePairEncoding::learn(text_of(wanted["text"]), wanted["asked"]);
    EXPECT_EQ(encoding.to_text(), wanted["codes"].get<std::string>());
    for (const json& sentence : wanted["sentences"]) {
      EXPECT_EQ(encoding.pieces(words_of(sentence[0])), words_of(sentence[1]));
    }
  }
}

TEST(BytePairEncoding, PutsWordsTogetherAgain) {
  for (const json& wanted : fixture_cases()) {
    const BytePairEncoding encoding = BytePairEncoding::learn(text_of(wanted["text"]), wanted["asked"]);
    for (const json& sentence : wanted["sentences"]) {
      const Words words = words_of(sentence[0]);
      EXPECT_EQ(nn::words_of_pieces(encoding.pieces(words)), words);
    }
  }
  EXPECT_EQ(nn::words_of_pieces({"lo@@", "west", "b@@"}), (Words{"lowest", "b"}));
  EXPECT_EQ(nn::word_of_each_piece({"a", "lo@@", "w@@", "est", "b"}), (std::vector<std::int64_t>{0, 1, 1, 1, 2}));
}

TEST(BytePairEncoding, WithoutMergesHasCharacters) {
  EXPECT_EQ(BytePairEncoding().pieces(Words{"größe", "犬"}), (Words{"g@@", "r@@", "ö@@", "ß@@", "e", "犬"}));
  EXPECT_EQ(BytePairEncoding::learn({{"ab", "ab"}}, 0).merges().size(), 0u);
  EXPECT_EQ(BytePairEncoding::learn({}, 5).merges().size(), 0u);
}

TEST(BytePairEncoding, GoesThroughAFile) {
  const BytePairEncoding encoding = BytePairEncoding::learn({{"low", "low", "lower", "lower"}}, 10);
  const BytePairEncoding again = BytePairEncoding::from_text(encoding.to_text(), "merges");
  EXPECT_EQ(again.merges(), encoding.merges());
  EXPECT_EQ(again.pieces(std::string("lower")), encoding.pieces(std::string("lower")));
}

TEST(BytePairEncoding, RefusesWhatItCannotUse) {
  for (const char* text : {"", "#version: 0.1\n", "#version: 0.2\na\n", "#version: 0.2\na \n", "#version: 0.2\na b c\n",
                           "#version: 0.2\na b\na b\n"}) {
    SCOPED_TRACE(text);
    error_of(ErrorId::bad_file, [&] { BytePairEncoding::from_text(text, "merges"); });
  }
  error_of(ErrorId::bad_argument, [] { BytePairEncoding::learn({}, -1); });
}

}  // namespace nn_byte_pair_encoding_test
