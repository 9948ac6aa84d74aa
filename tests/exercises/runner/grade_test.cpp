// Grades: in the formats of others, on the teacher's page, and where a student's answers are found.
#include "runner/grading/grade.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "autograd/text/printable.h"
#include "runner/grading/class.h"
#include "runner/grading/class_page.h"
#include "runner/grading/formats.h"
#include "runner/grading/grade_answer.h"
#include "runner/grading/gradescope.h"
#include "runner/system/files.h"
#include "runner/system/process.h"
#include "tests/support/golden.h"
#include "tests/support/temporary_folder.h"

namespace course_grade_test {

using namespace learn;
using nlohmann::json;
using testing::ElementsAre;
using testing::IsEmpty;
namespace fs = std::filesystem;

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

// An answer prints what it likes.
TEST(Grade, AllFormatsTakeAnyBytes) {
  std::vector<Grade> bytes = grades();
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  bytes[1].message = bytes[1].output = bytes[1].title = all;
  bytes[1].mistakes = {{all, all}};
  const auto has_bytes_of_a_terminal = [](const std::string& text) {
    return std::any_of(text.begin(), text.end(), [](unsigned char c) { return (c < 0x20 && c != '\n') || c >= 0x7F; });
  };
  for (const std::string& text : {grades_as_json(bytes), grades_for_gradescope(bytes), class_as_json({{all, bytes}})}) {
    EXPECT_FALSE(has_bytes_of_a_terminal(text));
  }
  EXPECT_TRUE(json::accept(grades_as_json(bytes)));
  EXPECT_TRUE(json::accept(grades_for_gradescope(bytes)));
  EXPECT_TRUE(json::accept(from_base64(grades_for_github(bytes))));
  EXPECT_TRUE(json::accept(class_as_json({{all, bytes}})));
  const std::string page = class_page({{all, bytes}}, {all, all});
  EXPECT_EQ(autograd::printable_lines(page), page);
}

// ---- a class ------------------------------------------------------------------------------------------------------------

std::vector<GradedStudent> two_students() {
  GradedStudent ada{"Ada", grades()};
  ada.grades[1].mistakes = {{"columns_summed", "Which axis is <left>?"}};
  GradedStudent bob{"Bob, \"B.\"", grades()};
  bob.grades[1].mistakes = ada.grades[1].mistakes;
  bob.grades[0].outcome = "not graded";
  bob.grades[0].message = "its own solution is <slow>";
  return {ada, bob};
}

TEST(GradeClass, Csv) {
  EXPECT_EQ(class_as_csv(two_students()),
            "student,points,of,passed,01_twice,02_row_sums\n"
            "Ada,2,5,1,2,0\n"
            "\"Bob, \"\"B.\"\"\",2,5,0,,0\n");
  EXPECT_EQ(class_as_csv({{"=1+1", {}}}), "student,points,of,passed\n'=1+1,0,0,0\n");  // no formula
}

// Who stands where, who made which mistake, what could not be graded; nothing is fetched, and no text is markup.
TEST(GradeClass, ThePage) {
  const std::string page = class_page(two_students(), {"Class <4b>", "Graded with --seed 7."});
  EXPECT_TRUE(fixtures::is_golden("course_class_page", page.substr(page.find("<body>"))));
}

TEST(GradeClass, AnExerciseThatCannotBeGradedIsNoAnswersFault) {
  const json students = json::parse(class_as_json(two_students())).at("students");
  EXPECT_EQ(students.at(1).at("exercises").at(0).at("outcome"), "not graded");
}

TEST(GradeClass, WhatIsKeptIsReadAgain) {
  const Grade before = two_students()[0].grades[1];
  const Grade after = read_grade(to_json(before));
  EXPECT_EQ(to_json(after), to_json(before));
  EXPECT_ANY_THROW(read_grade(json::object()));
}

TEST(GradeClass, AFolderWithAnswersIsOneStudents) {
  const fixtures::TemporaryFolder folder;
  write_file(folder / "bob/01_twice.cpp", "");
  write_file(folder / "ada/deep/01_twice.cpp", "");
  write_file(folder / ".grades/ada/x.json", "");
  write_file(folder / "grades.csv", "");
  const std::vector<Student> students = students_in(folder.path());
  ASSERT_EQ(students.size(), 2u);
  EXPECT_EQ(students[0].name, "ada");
  EXPECT_THAT(answers_in(students[0].folder, "01_twice.cpp"), ElementsAre(folder / "ada/deep/01_twice.cpp"));
  EXPECT_THAT(answers_in(students[0].folder, "02_row_sums.cpp"), IsEmpty());
  write_file(folder / "01_twice.cpp", "");
  EXPECT_TRUE(students_in(folder.path()).empty());
}

// What a desk keeps aside is not what was handed in, and what a link leads to is somebody else's.
TEST(GradeClass, FindsNoHiddenAnswersAndFollowsNoLinks) {
  const fixtures::TemporaryFolder folder;
  write_file(folder / "ada/.learn/attic/01_twice.cpp", "");
  write_file(folder / "bob/01_twice.cpp", "");
  fs::create_directory_symlink(folder / "bob", folder / "ada/mine");
  EXPECT_THAT(answers_in(folder / "ada", "01_twice.cpp"), IsEmpty());
}

// What a browser makes of a second download counts where there is nothing else.
TEST(GradeClass, FindsWhatWasDownloadedTwice) {
  const fixtures::TemporaryFolder folder;
  for (const char* const name : {"ada/01_twice (1).cpp", "ada/01_twice(2).cpp", "ada/deep/01_twice (11).cpp",
                                 "ada/01_twice (1) (1).cpp", "ada/01_twice 1.merged.cpp"}) {
    write_file(folder / name, "");
  }
  EXPECT_THAT(answers_in(folder / "ada", "01_twice.cpp"),
              ElementsAre(folder / "ada/01_twice (1).cpp", folder / "ada/01_twice(2).cpp",
                          folder / "ada/deep/01_twice (11).cpp"));
  write_file(folder / "ada/deep/01_twice.cpp", "");
  EXPECT_EQ(answers_in(folder / "ada", "01_twice.cpp")[0], folder / "ada/deep/01_twice.cpp");
  EXPECT_EQ(without_mark_of_copy("12_unbroadcast (1)"), "12_unbroadcast");
  EXPECT_EQ(without_mark_of_copy("12_unbroadcast.cpp"), "12_unbroadcast.cpp");
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
  EXPECT_EQ(tests[1].at("output"), grades()[1].output);
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

// ---- Gradescope's autograder --------------------------------------------------------------------------------------------

TEST(Gradescope, GradesWhatItWasMadeFor) {
  const GradescopeOptions options{.zip = "", .exercises = {"19=4", "13"}, .points = 2, .seconds = 20, .seed = 7};
  EXPECT_TRUE(fixtures::is_golden("course_gradescope", gradescope_setup(options) + "----\n" + gradescope_run(options)));
  EXPECT_ANY_THROW(gradescope_run({.zip = "", .exercises = {"no such exercise"}}));
}

TEST(Gradescope, TheZipHasTheScriptsAndTheSource) {
  const fixtures::TemporaryFolder folder;
  make_gradescope_zip({.zip = folder / "autograder.zip", .exercises = {"19"}});
  run_process({"cmake", "-E", "tar", "xf", folder / "autograder.zip"}, {.folder = folder.path()});
  for (const char* const script : {"setup.sh", "run_autograder"}) {
    EXPECT_EQ(run_process({"bash", "-n", folder / script}).exit_code, 0) << script;
    EXPECT_EQ(::access((folder / script).c_str(), X_OK), 0) << script;
  }
  EXPECT_TRUE(exists(folder / "backstep/exercises/learn"));
  EXPECT_TRUE(exists(folder / "backstep/exercises/lessons/19_linear_layer/exercise.cpp"));
  EXPECT_FALSE(exists(folder / "backstep/build"));
}

}  // namespace course_grade_test
