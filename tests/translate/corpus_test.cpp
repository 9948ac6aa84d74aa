#include "examples/translate/data/corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/expect.h"
#include "tests/support/golden.h"
#include "tests/support/temporary_folder.h"

namespace translate_corpus_test {

using autograd::ErrorId;
using fixtures::message_of;
using fixtures::TemporaryFolder;
using nn::AlignmentLinks;
using translate::Corpus;
using translate::read_lines;
using translate::Words;

using Lines = std::vector<std::string>;

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
  Corpus read() const { return translate::load_corpus({.data = folder_.path().string()}); }
  void refuses() const {
    message_of(ErrorId::bad_file, [&] { read(); });
  }
  Lines lines_of(const std::string& text) const {
    write("text", text);
    return read_lines(folder_ / "text");
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
  EXPECT_EQ(corpus.train.pairs[0].target_line->text, "Ein Mann.");
  EXPECT_EQ(corpus.train.pairs[0].target_line->language, "de");
  EXPECT_FALSE(corpus.train.pairs[0].gold);
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
  const Corpus corpus =
      translate::load_corpus({.data = folder_.path().string(), .source_language = "cs", .target_language = "fr"});
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

TEST_F(CorpusFolder, MustBeWhole) {
  message_of(ErrorId::bad_file, [&] { translate::load_corpus({.data = folder_ / "none"}); });
  message_of(ErrorId::bad_file, [&] { translate::load_corpus({.data = folder_ / "train.en"}); });
  write("train.de", "Ein Mann.\nZwei\nDrei\n");  // more lines than in train.en
  refuses();
  write("train.de", "Ein Mann.\nZwei M\xE4nner\n");
  refuses();
  remove("train.de");
  refuses();
  std::filesystem::create_directory(folder_ / "train.de");
  refuses();
  remove("train.de");
  write("train.de", "Ein Mann.\nZwei Männer\n");
  write("val.de", "");
  refuses();
  write("val.de", "Sonne\n");
  write("test2016.en", "A\n");  // without test2016.de
  refuses();
  remove("test2016.en");
  read();
}

TEST_F(CorpusFolder, LinesWithoutWordsAreLeftOutOfTrainingOnly) {
  write("train.en", "\nA man.\n \nTwo men\nThree\n");
  write("train.de", "Null\nEin Mann.\n\u00A0\nZwei\n\n");
  write("test.en", "\nA\n");
  write("test.de", "Null\nEin\n");
  const Corpus corpus = read();
  ASSERT_EQ(corpus.train.pairs.size(), 2u);
  EXPECT_EQ(corpus.train.pairs[0].line, 2u);
  EXPECT_EQ(corpus.train.pairs[1].line, 4u);
  ASSERT_EQ(corpus.tests[0].pairs.size(), 2u);
  EXPECT_EQ(corpus.tests[0].pairs[0].source, Words{});
  EXPECT_TRUE(fixtures::is_golden("translate_corpus", corpus.notes.at(0) + "\n"));
  write("train.en", "a\n\n");
  write("train.de", "\na\n");
  refuses();
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

// ---- alignments --------------------------------------------------------------------------------------------------

// They count the lines of the file, including those that training leaves out.
TEST_F(CorpusFolder, MayHaveAlignments) {
  write("train.en", "A man.\n\nTwo men\nMen\n");
  write("train.de", "Ein Mann.\n\nZwei Männer\nMänner\n");
  write("train.align", "\n\n0-0 1p1\t\n");
  const Corpus corpus = read();
  EXPECT_TRUE(corpus.train.pairs[0].gold->sure.empty());
  EXPECT_EQ(corpus.train.pairs[1].gold->sure, (AlignmentLinks{{0, 0}}));
  EXPECT_EQ(corpus.train.pairs[1].gold->possible, (AlignmentLinks{{1, 1}}));
  EXPECT_FALSE(corpus.train.pairs[2].gold);
  EXPECT_FALSE(corpus.validation.pairs[0].gold);
}

TEST_F(CorpusFolder, RefusesAlignmentsThatDoNotFit) {
  for (const char* wrong : {"1", "0-", "-1", "p0", "0:0", "0-0-", "0-x", "+0-0", "-1-0", "0--1", "0p-1", "0s0", "0-1",
                            "1-0", "1p0", "99999999999999999999-0", "0-99999999999", "\xC3\xA4", "0-0\n0-0"}) {
    write("val.align", std::string(wrong) + "\n");
    refuses();
  }
  write("val.align", "0-0\n");
  EXPECT_EQ(read().validation.pairs[0].gold->sure, (AlignmentLinks{{0, 0}}));
}

// ---- lines -------------------------------------------------------------------------------------------------------

TEST_F(CorpusFolder, FilesAreCutIntoLines) {
  EXPECT_EQ(lines_of("a\n\n b \n"), (Lines{"a", "", " b "}));
  EXPECT_EQ(lines_of("a\nb"), (Lines{"a", "b"}));
  EXPECT_EQ(lines_of(""), Lines{});
  EXPECT_EQ(lines_of("\n"), Lines{""});
  EXPECT_EQ(lines_of("\xEF\xBB\xBFä\r\nb\r\n"), (Lines{"ä", "b"}));  // from Windows
  EXPECT_EQ(lines_of("a\n\xEF\xBB\xBF\rc\u2028d\n"), (Lines{"a", "\xEF\xBB\xBF\rc\u2028d"}));
  EXPECT_EQ(lines_of(std::string("a\0b\n", 4)), Lines{std::string("a\0b", 3)});
  message_of(ErrorId::bad_file, [&] { lines_of("ä\nä gro\xDF\n"); });
}

}  // namespace translate_corpus_test
