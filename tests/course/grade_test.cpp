// Grades in the formats of others.
#include "runner/commands/grade.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace course_grade_test {

using namespace learn;
using nlohmann::json;
using testing::HasSubstr;

std::vector<Grade> grades() {
  Grade passed;
  passed.id = "01_twice";
  passed.title = "Twice";
  passed.file = "01_twice.cpp";
  passed.outcome = "passed";
  passed.points = passed.of = 2.0;
  passed.seconds = 0.5;
  Grade wrong = passed;
  wrong.id = "02_row_sums";
  wrong.title = "Row sums";
  wrong.file = "02_row_sums.cpp";
  wrong.outcome = "wrong";
  wrong.points = 0.0;
  wrong.of = 3.0;
  wrong.message = "sums: 3 of 3 <entries> & \"more\"";
  wrong.output = "line 1\n\033[31mred\x01\n";
  wrong.line = 7;
  return {passed, wrong};
}

std::string from_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(digits.find(c));
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes += static_cast<char>(bits >> count & 0xFF);
    }
  }
  return bytes;
}

TEST(Grade, Sums) {
  EXPECT_EQ(total(grades()), 2.0);
  EXPECT_EQ(total_of(grades()), 5.0);
}

TEST(Grade, OurOwnJson) {
  const json read = json::parse(grades_as_json(grades()));
  EXPECT_EQ(read.at("points"), 2.0);
  EXPECT_EQ(read.at("of"), 5.0);
  EXPECT_EQ(read.at("exercises").at(1).at("outcome"), "wrong");
  EXPECT_EQ(read.at("exercises").at(1).at("line"), 7);
}

TEST(Grade, JUnit) {
  const std::string xml = grades_as_junit(grades());
  EXPECT_THAT(
      xml, testing::StartsWith("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"2\" failures=\"1\""));
  EXPECT_THAT(xml,
              HasSubstr("<testcase classname=\"backstep\" name=\"01_twice\" file=\"01_twice.cpp\" time=\"0.500\"/>"));
  EXPECT_THAT(xml, HasSubstr("message=\"sums: 3 of 3 &lt;entries&gt; &amp; &quot;more&quot;\""));
  EXPECT_THAT(xml, HasSubstr("line 1\n?[31mred?\n</failure>"));
}

// An answer prints what it likes, and a reader of XML refuses a file that is not UTF-8.
TEST(Grade, BytesThatAreNoTextAreReplaced) {
  EXPECT_EQ(xml_text("a\xff\xc3"), "a\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(xml_text("ä ✓\x1b\""), "ä ✓?&quot;");
}

TEST(Grade, Gradescope) {
  const json read = json::parse(grades_for_gradescope(grades()));
  EXPECT_EQ(read.at("score"), 2.0);
  EXPECT_EQ(read.at("execution_time"), 1);
  const json& tests = read.at("tests");
  ASSERT_EQ(tests.size(), 2u);
  EXPECT_EQ(tests[0].at("status"), "passed");
  EXPECT_EQ(tests[1].at("status"), "failed");
  EXPECT_EQ(tests[1].at("max_score"), 3.0);
  EXPECT_EQ(tests[1].at("name"), "02 Row sums");
  EXPECT_THAT(tests[1].at("output"), HasSubstr("line 1"));
  EXPECT_EQ(tests[1].at("visibility"), "visible");
}

TEST(Grade, GitHubClassroom) {
  const json read = json::parse(from_base64(grades_for_github(grades())));
  EXPECT_EQ(read.at("version"), 1);
  EXPECT_EQ(read.at("status"), "fail");
  EXPECT_EQ(read.at("max_score"), 5.0);
  EXPECT_EQ(read.at("tests").at(0).at("status"), "pass");
  EXPECT_EQ(read.at("tests").at(1).at("line_no"), 7);
  EXPECT_EQ(read.at("tests").at(1).at("score"), 0.0);
}

TEST(Grade, Base64) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

}  // namespace course_grade_test
