#include "examples/translate/data/corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/expect.h"
#include "tests/support/temporary_folder.h"

namespace translate_corpus_test {

using autograd::ErrorId;
using fixtures::mentions;
using fixtures::message_of;
using fixtures::TemporaryFolder;
using translate::Alignment;
using translate::Corpus;
using translate::read_corpus;
using translate::Words;

// Starts with the least that a corpus needs: two lines to train on and one to validate with.
class CorpusFolder : public testing::Test {
 protected:
  void SetUp() override {
    write("train.en", "A man.\nTwo men\n");
    write("train.de", "Ein Mann.\nZwei Männer\n");
    write("val.en", "Sun\n");
    write("val.de", "Sonne\n");
  }
  void write(const std::string& file, const std::string& text) const { fixtures::write(folder_ / file, text); }
  void remove(const std::string& file) const { std::filesystem::remove(folder_ / file); }
  Corpus read() const { return read_corpus(folder_.path().string()); }
  std::string complaint() const {
    return message_of(ErrorId::bad_file, [&] { read(); });
  }

  TemporaryFolder folder_;
};

TEST_F(CorpusFolder, IsRead) {
  const Corpus corpus = read();
  EXPECT_EQ(corpus.source_language, "en");
  EXPECT_EQ(corpus.target_language, "de");
  EXPECT_EQ(corpus.train.name, "train");
  ASSERT_EQ(corpus.train.pairs.size(), 2u);
  EXPECT_EQ(corpus.train.pairs[0].source, (Words{"a", "man", "."}));
  EXPECT_EQ(corpus.train.pairs[1].target, (Words{"zwei", "männer"}));
  EXPECT_EQ(corpus.train.pairs[1].line, 2u);
  EXPECT_EQ(corpus.train.pairs[0].gold, std::nullopt);
  EXPECT_EQ(corpus.validation.name, "val");
  EXPECT_EQ(corpus.validation.pairs[0].target, (Words{"sonne"}));
  EXPECT_TRUE(corpus.tests.empty());
  EXPECT_TRUE(corpus.notes.empty());
}

TEST_F(CorpusFolder, CanBeOfOtherLanguages) {
  for (const std::string text : {"train", "val"}) {
    std::filesystem::rename(folder_ / (text + ".en"), folder_ / (text + ".fr"));
    std::filesystem::rename(folder_ / (text + ".de"), folder_ / (text + ".cs"));
  }
  const Corpus corpus = read_corpus(folder_.path().string(), "cs", "fr");
  EXPECT_EQ(corpus.validation.pairs[0].source, (Words{"sonne"}));
  EXPECT_EQ(corpus.validation.pairs[0].target, (Words{"sun"}));
}

TEST_F(CorpusFolder, MayHaveTests) {
  for (const std::string test : {"test2016", "test_2017.coco", "test"}) {
    write(test + ".en", "A\n");
    write(test + ".de", "Ein\n");
  }
  write("test2018.fr", "Un\n");
  write("testament.txt", "");
  const Corpus corpus = read();
  std::vector<std::string> names;
  for (const translate::ParallelText& test : corpus.tests) names.push_back(test.name);
  EXPECT_THAT(names, testing::ElementsAre("test", "test2016", "test_2017.coco"));
}

TEST_F(CorpusFolder, MustBeOne) {
  EXPECT_TRUE(mentions(message_of(ErrorId::bad_file, [&] { read_corpus(folder_ / "none"); }),
                       {"none cannot be read as a folder: No such file"}));
  EXPECT_TRUE(mentions(message_of(ErrorId::bad_file, [&] { read_corpus(folder_ / "train.en"); }),
                       {"train.en cannot be read as a folder: Not a directory"}));
  message_of(ErrorId::bad_file, [] { read_corpus(""); });
}

TEST_F(CorpusFolder, NamesAllMissingFiles) {
  remove("train.de");
  remove("val.en");
  write("test2016.en", "A\n");
  EXPECT_TRUE(mentions(complaint(), {"has no test2016.de, train.de, val.en", "it takes train.en, train.de"}));
}

TEST_F(CorpusFolder, MustHaveAsManyLinesOnBothSides) {
  write("train.de", "Ein Mann.\nZwei\nDrei\n");
  EXPECT_TRUE(mentions(complaint(), {"train.en has 2 lines", "train.de has 3", "line k"}));
}

TEST_F(CorpusFolder, MustNotBeEmpty) {
  write("val.de", "");
  EXPECT_TRUE(mentions(complaint(), {"val.de is empty"}));
}

TEST_F(CorpusFolder, MustBeReadable) {
  write("train.de", "Ein Mann.\nZwei M\xE4nner\n");
  EXPECT_TRUE(mentions(complaint(), {"train.de, line 2: byte 7 of the line (0xE4) is not UTF-8"}));
  remove("train.de");
  std::filesystem::create_directory(folder_ / "train.de");
  EXPECT_TRUE(mentions(complaint(), {"train.de cannot be read: it is a folder"}));
}

TEST_F(CorpusFolder, LeavesLinesWithoutWordsOutOfTraining) {
  write("train.en", "\nA man.\n \nTwo men\nThree\n");
  write("train.de", "Null\nEin Mann.\n\u00A0\nZwei\n\n");
  const Corpus corpus = read();
  ASSERT_EQ(corpus.train.pairs.size(), 2u);
  EXPECT_EQ(corpus.train.pairs[0].line, 2u);
  EXPECT_EQ(corpus.train.pairs[1].line, 4u);
  EXPECT_THAT(corpus.notes,
              testing::ElementsAre("3 lines of train (1, 3, 5) have no words in one of the languages; left out"));
}

TEST_F(CorpusFolder, KeepsLinesWithoutWordsInTests) {
  write("test.en", "\nA\n");
  write("test.de", "Null\nEin\n");
  const Corpus corpus = read();
  ASSERT_EQ(corpus.tests[0].pairs.size(), 2u);
  EXPECT_EQ(corpus.tests[0].pairs[0].source, Words{});
  EXPECT_EQ(corpus.tests[0].pairs[0].target, Words{"null"});
  EXPECT_THAT(corpus.notes, testing::ElementsAre("1 line of test (1) has no words in one of the languages; kept, so "
                                                 "that the others keep their numbers"));
}

TEST_F(CorpusFolder, SaysOfManyLinesOnlyTheFirst) {
  write("train.en", "a\n\n\n\n\n\n\n\n");
  write("train.de", "a\n\n\n\n\n\n\n\n");
  EXPECT_TRUE(mentions(read().notes.at(0), {"7 lines of train (2, 3, 4, 5, 6, ..) have"}));
}

TEST_F(CorpusFolder, MustHaveWordsToTrainOn) {
  write("train.en", "a\n\n");
  write("train.de", "\na\n");
  EXPECT_TRUE(mentions(complaint(), {"no pair of lines with words to train on"}));
}

TEST_F(CorpusFolder, LeavesOutPairsThatAreLongOnEitherSide) {
  write("train.en", "a b c\na\na b\na\n");
  write("train.de", "a\na b c\na b\na\n");
  const auto kept = [&](std::int64_t max_words) {
    std::vector<std::size_t> lines;
    const Corpus corpus = translate::load_corpus({.data = folder_.path().string(), .max_words = max_words});
    for (const translate::SentencePair& pair : corpus.train.pairs) lines.push_back(pair.line);
    return lines;
  };
  EXPECT_THAT(kept(2), testing::ElementsAre(3, 4));
  EXPECT_THAT(kept(1), testing::ElementsAre(4));
  EXPECT_THAT(kept(0), testing::SizeIs(4));
}

// Alignments count the lines of the file, including those that training leaves out.
TEST_F(CorpusFolder, MayHaveAlignments) {
  write("train.en", "A man.\n\nTwo men\n");
  write("train.de", "Ein Mann.\n\nZwei Männer\n");
  write("train.align", "0-0\n\n0-0 1p1\n");
  write("some-val-first1.align", "0-0\n");
  write("value.align", "7-7\n");
  const Corpus corpus = read();
  EXPECT_EQ(corpus.train.pairs[1].gold, (Alignment{{0, 0, true}, {1, 1, false}}));
  EXPECT_EQ(corpus.validation.pairs[0].gold, (Alignment{{0, 0, true}}));
  EXPECT_THAT(corpus.notes, testing::Contains("value.align names none of the texts; left out"));
  EXPECT_THAT(corpus.notes, testing::Contains("train.align has the alignments of the first 3 lines of train"));
}

TEST_F(CorpusFolder, RefusesAlignmentsThatDoNotFit) {
  write("val.align", "0-0 0-1\n");
  EXPECT_TRUE(mentions(complaint(), {"val.align, line 1: link 0-1 leads to target word 1 of 1"}));
}

}  // namespace translate_corpus_test
