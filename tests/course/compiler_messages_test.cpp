// What g++ 12 and clang 14 said to wrong answers (messages/, captured by capture_messages.py), and what the runner
// makes of it.
#include "runner/explain/compiler_messages.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sections.h"

namespace course_compiler_messages_test {

using namespace learn;
using testing::HasSubstr;
using testing::IsEmpty;

AnswerFile answer_of(Fixture& fixture) {
  AnswerFile file{"25_linear_layer.cpp", {}, {"linear_backward"}};
  std::istringstream stream(fixture.at("answer"));
  for (std::string line; std::getline(stream, line);) file.lines.push_back(line);
  return file;
}

std::string in_one_line(const Problem& problem) {
  return fmt::format("{}:{}:{}: {}{}{}\n", problem.place.file, problem.place.line, problem.place.column,
                     problem.sentence, problem.advice.empty() ? "" : " | ", problem.advice);
}

bool has_error(const std::string& output) {
  return output.find("error:") != std::string::npos;
}

bool is_from_linker(const std::string& output) {
  return output.find("undefined reference") != std::string::npos ||
         output.find("multiple definition") != std::string::npos;
}

std::string explained(Fixture& fixture, const std::string& compiler) {
  const std::string& output = fixture.at(compiler);
  const AnswerFile file = answer_of(fixture);
  if (is_from_linker(output)) return in_one_line(explain_link_error(output, file));
  if (has_error(output)) return in_one_line(explain_compile_error(output, file));
  std::string text;
  for (const Problem& warning : explain_warnings(output, file)) text += "warning " + in_one_line(warning);
  return text;
}

TEST(CompilerMessages, AreExplainedAsBefore) {
  for (const std::string& path : fixtures_in(COURSE_TESTS "/messages")) {
    SCOPED_TRACE(path);
    Fixture fixture = read_fixture(path);
    for (const std::string compiler : {"g++", "clang++"}) {
      const std::string now = explained(fixture, compiler);
      if (update_fixtures()) fixture.at(compiler + " explained") = now;
      EXPECT_EQ(now, fixture.at(compiler + " explained")) << compiler;
    }
    if (update_fixtures()) fixture.write();
  }
}

// Whatever is not in the dictionary is shown as the compiler has it; the fixtures are to be understood.
TEST(CompilerMessages, AreUnderstood) {
  for (const std::string& path : fixtures_in(COURSE_TESTS "/messages")) {
    SCOPED_TRACE(path);
    Fixture fixture = read_fixture(path);
    for (const std::string compiler : {"g++", "clang++"}) {
      const std::string said = fixture.at(compiler + " explained");
      if (!has_error(fixture.at(compiler))) continue;
      EXPECT_THAT(said.substr(0, said.find("Did you mean")), testing::Not(HasSubstr("autograd::")));
      EXPECT_THAT(said, testing::MatchesRegex("25_linear_layer.cpp:[1-9][0-9]*:.*|:0:0: the function to write.*\n"))
          << compiler;
      EXPECT_THAT(said, testing::Not(HasSubstr("without saying where")));
    }
  }
}

TEST(CompilerMessages, TheFirstErrorCounts) {
  const AnswerFile file{"a.cpp", {"int f() {", "  return x;", "}"}, {"f"}};
  const Problem problem = explain_compile_error(
      "a.cpp:1:3: warning: unused variable 'y' [-Wunused-variable]\n"
      "a.cpp:2:10: error: 'x' was not declared in this scope\n"
      "a.cpp:9:1: error: 'z' was not declared in this scope\n",
      file);
  EXPECT_EQ(problem.sentence, "there is no 'x' here");
  EXPECT_EQ(problem.place.line, 2);
  EXPECT_EQ(problem.place.column, 10);
}

TEST(CompilerMessages, AnErrorInAHeaderIsShownWhereItWasCalled) {
  const AnswerFile file{"/home/me/a.cpp", {"", "", "  std::sort(v.begin(), v.end());"}, {"f"}};
  const Problem problem = explain_compile_error(
      "/usr/include/c++/12/bits/stl_algo.h:1: In instantiation of 'void std::sort()':\n"
      "/home/me/a.cpp:3:12:   required from here\n"
      "/usr/include/c++/12/bits/predefined_ops.h:45:26: error: something new and strange\n",
      file);
  EXPECT_EQ(problem.place.file, "a.cpp");
  EXPECT_EQ(problem.place.line, 3);
  EXPECT_EQ(problem.sentence, "something new and strange");
  EXPECT_THAT(problem.advice, HasSubstr("predefined_ops.h"));
}

TEST(CompilerMessages, SayingNothingIsNotFatal) {
  const Problem problem = explain_compile_error("Segmentation fault\n", {"a.cpp", {}, {}});
  EXPECT_THAT(problem.sentence, HasSubstr("without saying where"));
  EXPECT_FALSE(problem.place.known());
  EXPECT_FALSE(explain_link_error("collect2: fatal\n", {"a.cpp", {}, {}}).sentence.empty());
  EXPECT_THAT(explain_compile_error("a.cpp:1:2: error: \n", {"a.cpp", {"x"}, {}}).sentence, HasSubstr("does not say"));
}

TEST(CompilerMessages, ALineOfAnyLengthIsRead) {
  const std::string name(200'000, 'x');
  const AnswerFile answer{"a.cpp", {"auto " + name + " = 1 / 4;"}, {"f"}};
  const Problem problem =
      explain_compile_error("a.cpp:1:6: error: use of undeclared identifier '" + name + "'\n", answer);
  EXPECT_EQ(problem.place.line, 1);
  EXPECT_THAT(problem.sentence, HasSubstr("xxxx"));
  EXPECT_FALSE(explain_link_error("undefined reference to `" + name + "'\n", answer).sentence.empty());
  EXPECT_THAT(explain_warnings("a.cpp:1:6: warning: '" + name + "' x [-Wunused-variable]\n", answer), IsEmpty());
}

TEST(CompilerMessages, NumbersThatNoFileHasAreNotKnown) {
  const AnswerFile answer{"a.cpp", {"x"}, {"f"}};
  EXPECT_FALSE(
      explain_compile_error("a.cpp:99999999999:99999999999: error: expected expression\n", answer).place.known());
  EXPECT_FALSE(explain_link_error("a.cpp:99999999999: undefined reference to `g()'\n", answer).place.known());
}

TEST(CompilerMessages, UninitialisedComesBeforeUnused) {
  const std::vector<Problem> warnings = explain_warnings(
      "a.cpp:1:3: warning: unused variable 'y' [-Wunused-variable]\n"
      "a.cpp:2:3: warning: 's' may be used uninitialized [-Wmaybe-uninitialized]\n",
      {"a.cpp", {}, {}});
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_EQ(warnings[0].sentence, "'s' may be read here before anything was written to it");
  EXPECT_EQ(warnings[1].sentence, "'y' is never used");
}

TEST(CompilerMessages, IntegerDivisionsAreSeen) {
  const auto divisions = [](const std::string& line) { return explain_warnings("", {"a.cpp", {line}, {}}).size(); };
  EXPECT_EQ(divisions("const double mean = 1 / 4;"), 1u);
  EXPECT_EQ(divisions("x = sum * (1 / x.size(0));"), 1u);
  EXPECT_EQ(divisions("x = 1.0 / 4;"), 0u);
  EXPECT_EQ(divisions("x = 1 / 4.0;"), 0u);
  EXPECT_EQ(divisions("x = y1 / 4;"), 0u);
  EXPECT_EQ(divisions("// 1 / 4"), 0u);
}

TEST(CompilerMessages, TypesAreNamedAsTheLearnerWritesThem) {
  EXPECT_EQ(plain_types("const autograd::Tensor&"), "const Tensor&");
  EXPECT_EQ(plain_types("std::string {aka std::__cxx11::basic_string<char>}"), "std::string");
  EXPECT_EQ(plain_types("std::vector<double, std::allocator<double> >"), "std::vector<double>");
  EXPECT_EQ(plain_types("const char [7]"), "text");
  EXPECT_EQ(plain_types("class given::LinearGradients"), "LinearGradients");
}

}  // namespace course_compiler_messages_test
