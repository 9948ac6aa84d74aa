#include <gtest/gtest.h>

#include "examples/translate/data/corpus.h"
#include "tests/support/expect.h"
#include "tests/support/temporary_folder.h"

namespace translate_alignment_file_test {

using autograd::ErrorId;
using fixtures::mentions;
using fixtures::message_of;
using fixtures::TemporaryFolder;
using translate::Alignment;
using translate::ParallelText;
using translate::read_alignments;

ParallelText three_pairs() {
  ParallelText text{.name = "test"};
  text.pairs.push_back({.source = {"a", "b", "c"}, .target = {"x", "y"}});
  text.pairs.push_back({.source = {"a"}, .target = {"x"}});
  text.pairs.push_back({.source = {}, .target = {"x"}});
  return text;
}

class AlignmentFile : public testing::Test {
 protected:
  std::size_t read(const std::string& content) {
    fixtures::write(folder_ / "test.align", content);
    return read_alignments(text_, folder_ / "test.align");
  }
  std::string complaint_about(const std::string& content) {
    return message_of(ErrorId::bad_file, [&] { read(content); });
  }

  TemporaryFolder folder_;
  ParallelText text_ = three_pairs();
};

TEST_F(AlignmentFile, HasSureAndPossibleLinks) {
  EXPECT_EQ(read("0-0 1p0  2-1\t\n0-0\n"), 2u);
  EXPECT_EQ(text_.pairs[0].gold, (Alignment{{0, 0, true}, {1, 0, false}, {2, 1, true}}));
  EXPECT_EQ(text_.pairs[1].gold, (Alignment{{0, 0, true}}));
  EXPECT_EQ(text_.pairs[2].gold, std::nullopt);
}

TEST_F(AlignmentFile, MayHaveLinesWithoutLinks) {
  EXPECT_EQ(read("\n0-0\n\n"), 3u);
  EXPECT_EQ(text_.pairs[0].gold, Alignment{});
  EXPECT_EQ(text_.pairs[2].gold, Alignment{});
}

TEST_F(AlignmentFile, MayBeEmpty) {
  EXPECT_EQ(read(""), 0u);
  EXPECT_EQ(text_.pairs[0].gold, std::nullopt);
}

TEST_F(AlignmentFile, HasNothingButLinks) {
  for (const std::string wrong : {"1", "1-", "-1", "p1", "1:1", "1-1-", "1-x", "+1-0", "-1-0", "0--1", "0p-1", "1s1",
                                  "99999999999-0", "0-99999999999", "\xC3\xA4"}) {
    EXPECT_TRUE(mentions(complaint_about("0-0\n0-0 " + wrong + "\n"),
                         {"test.align, line 2: \"" + wrong + "\" is not a link", "write 3-5"}));
  }
}

// what() is a C string, which a NUL would end.
TEST_F(AlignmentFile, ANulIsShownAndCutsNoMessageOff) {
  EXPECT_TRUE(mentions(complaint_about(std::string("1-\0\n", 4)), {"\"1-\\x00\" is not a link", "try: "}));
}

TEST_F(AlignmentFile, StaysWithinTheSentences) {
  EXPECT_TRUE(mentions(complaint_about("0-0\n1-0\n"), {"test.align, line 2: link 1-0 leads to source word 1 of 1"}));
  EXPECT_TRUE(mentions(complaint_about("0-0 2p2\n"), {"test.align, line 1: link 2p2 leads to target word 2 of 2"}));
  EXPECT_TRUE(mentions(complaint_about("\n\n0-0\n"), {"test.align, line 3: link 0-0 leads to source word 0 of 0"}));
}

TEST_F(AlignmentFile, IsNotLongerThanTheText) {
  EXPECT_TRUE(mentions(complaint_about("\n\n\n\n"), {"test.align has 4 lines, but test only 3 pairs"}));
}

TEST_F(AlignmentFile, MustBeThere) {
  EXPECT_TRUE(mentions(message_of(ErrorId::bad_file, [&] { read_alignments(text_, folder_ / "none"); }),
                       {"none cannot be read"}));
}

}  // namespace translate_alignment_file_test
