#include <gtest/gtest.h>
#include <nn/translation/vocabulary.h>

#include "tests/support/expect.h"

namespace nn_vocabulary_test {

using autograd::ErrorId;
using fixtures::message_of;
using nn::Vocabulary;
using nn::Words;

TEST(Vocabulary, StartsWithTheSpecialWords) {
  const Vocabulary vocabulary;
  EXPECT_EQ(vocabulary.size(), 4);
  EXPECT_EQ(vocabulary.words({Vocabulary::pad, Vocabulary::unk, Vocabulary::bos, Vocabulary::eos}),
            (Words{"<pad>", "<unk>", "<bos>", "<eos>"}));
}

// Three of b, two of a, z, ä and 犬, which are ordered by code point, one of c.
TEST(Vocabulary, HasTheMostFrequentWordsFirst) {
  const std::vector<Words> text = {{"b", "犬", "ä", "z", "a"}, {"b", "犬", "ä", "z", "a"}, {"b", "c"}};
  const Vocabulary all(text);
  EXPECT_EQ(all.size(), 10);
  EXPECT_EQ(all.words({4, 5, 6, 7, 8, 9}), (Words{"b", "a", "z", "ä", "犬", "c"}));
  const Vocabulary frequent(text, 2);
  EXPECT_EQ(frequent.size(), 9);
  EXPECT_TRUE(frequent.contains("犬"));
  EXPECT_FALSE(frequent.contains("c"));
}

TEST(Vocabulary, KnowsNumbersAndWords) {
  const Vocabulary vocabulary(std::vector<Words>{{"a", "b", "a"}});
  EXPECT_EQ(vocabulary.ids({"b", "a", "never", "<eos>"}),
            (std::vector<std::int64_t>{5, 4, Vocabulary::unk, Vocabulary::eos}));
  EXPECT_EQ(vocabulary.encode({"b", "new"}), (std::vector<std::int64_t>{5, Vocabulary::unk, Vocabulary::eos}));
  EXPECT_EQ(vocabulary.encode({}), std::vector<std::int64_t>{Vocabulary::eos});
  EXPECT_EQ(vocabulary.word(vocabulary.id("b")), "b");
}

// A text may spell a special word out.
TEST(Vocabulary, HasEachWordOnce) {
  const Vocabulary vocabulary(std::vector<Words>{{"<unk>", "<pad>", "<unk>", "a"}});
  EXPECT_EQ(vocabulary.size(), 5);
  EXPECT_EQ(vocabulary.id("<unk>"), Vocabulary::unk);
}

TEST(Vocabulary, RefusesNumbersWithoutAWord) {
  message_of(ErrorId::token_out_of_range, [] { Vocabulary().word(4); });
  message_of(ErrorId::token_out_of_range, [] { Vocabulary().words({0, -1}); });
}

TEST(Vocabulary, RefusesAFrequencyOfNothing) {
  message_of(ErrorId::bad_argument, [] { Vocabulary({}, 0); });
}

TEST(Vocabulary, IsTheSameFromItsJson) {
  const Vocabulary vocabulary(std::vector<Words>{{"ä", "\"", "\\", "犬", "\u2028"}});
  EXPECT_EQ(Vocabulary::from_json(vocabulary.to_json(), "written"), vocabulary);
}

TEST(Vocabulary, IsNotWrittenWithAWordThatIsNotUtf8) {
  const Vocabulary vocabulary(std::vector<Words>{{"gro\xDF"}});
  message_of(ErrorId::bad_argument, [&] { vocabulary.to_json(); });
}

TEST(Vocabulary, RefusesOtherFiles) {
  const auto complaint = [](const std::string& text) {
    return message_of(ErrorId::bad_file, [&text] { Vocabulary::from_json(text, "words.json"); });
  };
  complaint("");
  complaint("{}");
  complaint("[1]");
  complaint(R"({"words": [1, 2, 3, 4]})");
  complaint(R"({"words": ["<pad>", "<unk>"]})");
  complaint(R"({"words": ["<pad>", "<bos>", "<unk>", "<eos>"]})");
  complaint(R"({"words": ["<pad>", "<unk>", "<bos>", "<eos>", "a", "a"]})");
}

}  // namespace nn_vocabulary_test
