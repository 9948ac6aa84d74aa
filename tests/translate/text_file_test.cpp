#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "examples/translate/data/text.h"
#include "tests/support/expect.h"
#include "tests/support/temporary_folder.h"

namespace translate_text_file_test {

using autograd::ErrorId;
using fixtures::mentions;
using fixtures::message_of;
using fixtures::TemporaryFolder;
using translate::read_lines;

using Lines = std::vector<std::string>;

class TextFile : public testing::Test {
 protected:
  Lines lines_of(const std::string& text) const {
    fixtures::write(folder_ / "text", text);
    return read_lines(folder_ / "text");
  }
  std::string complaint_about(const std::string& text) const {
    return message_of(ErrorId::bad_file, [&] { lines_of(text); });
  }
  std::string complaint_about_file(const std::string& file) const {
    return message_of(ErrorId::bad_file, [&] { read_lines(folder_ / file); });
  }

  TemporaryFolder folder_;
};

TEST_F(TextFile, IsCutIntoLines) {
  EXPECT_EQ(lines_of("a\n\n b \n"), (Lines{"a", "", " b "}));
  EXPECT_EQ(lines_of(""), Lines{});
  EXPECT_EQ(lines_of("\n"), Lines{""});
}

TEST_F(TextFile, NeedsNoLineEndAtItsEnd) {
  EXPECT_EQ(lines_of("a\nb"), (Lines{"a", "b"}));
}

TEST_F(TextFile, MayComeFromWindows) {
  EXPECT_EQ(lines_of("\xEF\xBB\xBF"
                     "ä\r\nb\r\n"),
            (Lines{"ä", "b"}));
}

// A byte order mark counts only at the start of a file; inside a line a carriage return is white space.
TEST_F(TextFile, KeepsWhatIsNoLineEnd) {
  EXPECT_EQ(lines_of("a\n\xEF\xBB\xBF"
                     "b\rc\u2028d\n"),
            (Lines{"a",
                   "\xEF\xBB\xBF"
                   "b\rc\u2028d"}));
}

TEST_F(TextFile, MayHaveZeroBytes) {
  EXPECT_EQ(lines_of(std::string("a\0b\n", 4)), Lines{std::string("a\0b", 3)});
}

TEST_F(TextFile, MustBeUtf8) {
  EXPECT_TRUE(mentions(complaint_about("ä\nä gro\xDF\n"), {"text, line 2: byte 7 of the line (0xDF) is not UTF-8"}));
  EXPECT_TRUE(mentions(complaint_about(std::string("\xFF\xFE"
                                                   "a\0\n\0",
                                                   6)),
                       {"line 1: byte 1 of the line (0xFF)", "convert the file to UTF-8"}));
}

TEST_F(TextFile, MustHaveLinesOfSentences) {
  const std::string longest(translate::longest_line, 'a');
  EXPECT_EQ(lines_of(longest + "\r\n").size(), 1u);
  EXPECT_TRUE(mentions(complaint_about("a\n" + longest + "a"), {"text, line 2: more than 100000 bytes"}));
}

TEST_F(TextFile, MustBeAFile) {
  EXPECT_TRUE(mentions(complaint_about_file("none"), {"none cannot be read: No such file"}));
  EXPECT_TRUE(mentions(complaint_about_file("."), {"cannot be read: it is a folder"}));
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_TRUE(mentions(complaint_about_file("pipe"), {"pipe cannot be read: it is not a regular file"}));
  std::filesystem::create_symlink("circle", folder_ / "circle");
  EXPECT_TRUE(mentions(complaint_about_file("circle"), {"circle cannot be read: Too many levels of symbolic links"}));
  fixtures::write(folder_ / "file", "");
  EXPECT_TRUE(mentions(complaint_about_file("file/inside"), {"inside cannot be read: Not a directory"}));
}

TEST_F(TextFile, MustBeReadable) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  fixtures::write(folder_ / "secret", "a\n");
  chmod((folder_ / "secret").c_str(), 0);
  EXPECT_TRUE(mentions(complaint_about_file("secret"), {"secret cannot be read: Permission denied"}));
}

}  // namespace translate_text_file_test
