// What compilers say to wrong answers, by its first lines, and what a learner reads of it.
#include "runner/explain/compiler_messages.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runner/text/lines.h"
#include "tests/support/golden.h"

namespace course_compiler_messages_test {

using namespace learn;
using testing::IsEmpty;

struct Said {
  const char* answer;
  const char* gnu;
  const char* clang;
};

// Errors of the compiler and of the linker, each in g++'s words and clang's.
constexpr Said errors[] = {
    {"const Tensor dx = matmul(dy, w)\n  return dx;", "a.cpp:2:3: error: expected ',' or ';' before 'return'",
     "a.cpp:1:32: error: expected ';' at end of declaration"},
    {"return matmul(dy, w;", "a.cpp:1:20: error: expected ')' before ';' token", "a.cpp:1:20: error: expected ')'"},
    {"for (;;) {", "a.cpp:1:10: error: expected '}' at end of input", "a.cpp:1:10: error: expected '}'"},
    {"return wieght;", "a.cpp:1:8: error: 'wieght' was not declared in this scope; did you mean 'weight'?",
     "a.cpp:1:8: error: use of undeclared identifier 'wieght'; did you mean 'weight'?"},
    {"return mat_mul(dy, w);", "a.cpp:1:8: error: 'mat_mul' was not declared in this scope",
     "a.cpp:1:8: error: use of undeclared identifier 'mat_mul'"},
    {"dx = matmul(dy, w);", "a.cpp:1:1: error: 'dx' was not declared in this scope; did you mean 'dy'?",
     "a.cpp:1:1: error: use of undeclared identifier 'dx'"},
    {"tensor dx = dy;", "a.cpp:1:1: error: 'tensor' does not name a type; did you mean 'Tensor'?",
     "a.cpp:1:1: error: unknown type name 'tensor'; did you mean 'Tensor'?"},
    {"vector<int> all;", "a.cpp:1:1: error: 'vector' was not declared in this scope",
     "a.cpp:1:1: error: no template named 'vector'; did you mean 'std::vector'?"},
    {"Tensor a = None;", "a.cpp:1:12: error: 'None' was not declared in this scope",
     "a.cpp:1:12: error: use of undeclared identifier 'None'"},
    {"for i in range(3) {", "a.cpp:1:5: error: expected '(' before 'i'", "a.cpp:1:5: error: expected '(' after 'for'"},
    {"return dy @ w;", "a.cpp:1:11: error: stray '@' in program",
     "a.cpp:1:10: error: expected ';' after return statement"},
    {"return dy ** 2;", "a.cpp:1:12: error: invalid type argument of unary '*' (have 'int')",
     "a.cpp:1:12: error: indirection requires pointer operand ('int' invalid)"},
    {"return 2.0 ^ 2;", "a.cpp:1:12: error: invalid operands of types 'double' and 'int' to binary 'operator^'",
     "a.cpp:1:12: error: invalid operands to binary expression ('double' and 'int')"},
    {"}", "a.cpp:1:1: error: no return statement in function returning non-void [-Werror=return-type]",
     "a.cpp:1:1: error: non-void function does not return a value [-Werror,-Wreturn-type]"},
    {"slope([&] { return dy.sum(); });",
     "a.cpp:1:7: error: invalid initialization of reference of type 'const std::function<double()>&' from expression "
     "of "
     "type 'f(const autograd::Tensor&)::<lambda()>'",
     "a.cpp:1:1: error: no matching function for call to 'slope'\na.cpp:9:8: note: candidate function not viable: no "
     "known conversion from '(lambda at a.cpp:1:7)' to 'const std::function<double ()>' for 1st argument"},
    {"node->backward = [x](double) {};",
     "a.cpp:1:18: error: cannot convert 'f(NodePtr)::<lambda(double)>' to 'void (*)(double)' in assignment",
     "a.cpp:1:18: error: no viable conversion from '(lambda at a.cpp:1:18)' to 'void (*)(double)'"},
    {"return matmul(dy);",
     "a.cpp:1:15: error: too few arguments to function 'autograd::Tensor autograd::matmul(const Tensor&)'\n"
     "/autograd/ops.h:1:8: note: declared here\n"
     "    1 | Tensor matmul(const Tensor& a, const Tensor& b, Where where = Where::current());",
     "a.cpp:1:8: error: no matching function for call to 'matmul'\n"
     "/autograd/ops.h:1:8: note: candidate function not viable: requires at least 2 arguments, but 1 was provided\n"
     "Tensor matmul(const Tensor& a, const Tensor& b, Where where = Where::current());"},
    {"Tensor f(const Tensor& dy) {",
     "a.cpp:1:8: error: ambiguating new declaration of 'autograd::Tensor f(const autograd::Tensor&)'",
     "a.cpp:1:8: error: functions that differ only in their return type cannot be overloaded"},
    {"std::vector<int> a{1.5};",
     "a.cpp:1:20: error: narrowing conversion of '1.5e+0' from 'double' to 'int' [-Wnarrowing]",
     "a.cpp:1:20: error: type 'double' cannot be narrowed to 'int' in initializer list [-Wc++11-narrowing]"},
    {"int rows = x[0];", "a.cpp:1:13: error: cannot convert 'autograd::Tensor' to 'int' in initialization",
     "a.cpp:1:5: error: no viable conversion from 'autograd::Tensor' to 'int'"},
    {"total += dy.sum();",
     "a.cpp:1:7: error: no match for 'operator+=' (operand types are 'double' and 'autograd::Tensor')",
     "a.cpp:1:7: error: invalid operands to binary expression ('double' and 'autograd::Tensor')"},
    {"dy.transposed();",
     "a.cpp:1:4: error: 'class autograd::Tensor' has no member named 'transposed'; did you mean 'transpose'?",
     "a.cpp:1:4: error: no member named 'transposed' in 'autograd::Tensor'"},
    {"Tensor f(const Tensor& dy, int i) {",
     "/cache/answers.o:answers.cpp:function run(): error: undefined reference to 'f(autograd::Tensor const&)'",
     "ld.lld: error: undefined symbol: f(autograd::Tensor const&)"},
    {"", "/cache/answers.o:answers.cpp:function run(): error: undefined reference to 'f(autograd::Tensor const&)'",
     "ld.lld: error: undefined symbol: f(autograd::Tensor const&)"},
    {"Tensor f(const Tensor& dy) {\n  return helper(dy);", "/desk/a.cpp:2: error: undefined reference to 'helper(int)'",
     "ld.lld: error: undefined symbol: helper(int)\n>>> referenced by a.cpp:2 (/desk/a.cpp:2)"},
    {"Tensor check(int a) {", "multiple definition of `check(int)'", "ld.lld: error: duplicate symbol: check(int)"},
};

AnswerFile file_with(const std::string& answer) {
  return {"/desk/a.cpp", lines_in(answer), {"f"}};
}

Problem explained(const std::string& said, const std::string& answer) {
  const bool compiled = said.rfind("a.cpp:", 0) != 0;
  return compiled ? explain_link_error(said, file_with(answer)) : explain_compile_error(said, file_with(answer));
}

std::string in_one_line(const Problem& problem) {
  return fmt::format("  {}:{}: {}{}{}\n", problem.place.line, problem.place.column, problem.sentence,
                     problem.advice.empty() ? "" : " | ", problem.advice);
}

TEST(CompilerMessages, AreExplained) {
  std::string text;
  for (const Said& error : errors) {
    const Problem gnu = explained(error.gnu, error.answer);
    const Problem clang = explained(error.clang, error.answer);
    EXPECT_EQ(gnu.place.line, clang.place.line) << error.answer;
    EXPECT_EQ(gnu.place.file, clang.place.file) << error.answer;
    text += fmt::format("{}\n{}", error.answer, in_one_line(gnu));
    if (in_one_line(clang) != in_one_line(gnu)) text += in_one_line(clang);
  }
  EXPECT_TRUE(fixtures::is_golden("course_compiler_messages", text));
}

TEST(CompilerMessages, TheFirstErrorCounts) {
  const Problem problem = explain_compile_error(
      "a.cpp:1:3: warning: unused variable 'y' [-Wunused-variable]\n"
      "a.cpp:3:1: error: control reaches end of non-void function [-Werror=return-type]\n"
      "a.cpp:2:10: error: 'x' was not declared in this scope\n"
      "a.cpp:9:1: error: 'z' was not declared in this scope\n",
      file_with("int f() {\n  return x;\n}"));
  EXPECT_EQ(problem.place.line, 2);
  EXPECT_EQ(problem.place.column, 10);
}

TEST(CompilerMessages, AnErrorInAHeaderIsShownWhereItWasCalled) {
  const Problem problem = explain_compile_error(
      "/usr/include/c++/12/bits/stl_algo.h:1: In instantiation of 'void std::sort()':\n"
      "/desk/a.cpp:3:12:   required from here\n"
      "/usr/include/c++/12/bits/predefined_ops.h:45:26: error: something new and strange\n",
      file_with("\n\n  std::sort(v.begin(), v.end());"));
  EXPECT_EQ(problem.place.file, "a.cpp");
  EXPECT_EQ(problem.place.line, 3);
  EXPECT_EQ(problem.sentence, "something new and strange");
}

TEST(CompilerMessages, SayingNothingIsNotFatal) {
  for (const char* const said : {"Segmentation fault\n", "a.cpp:1:2: error: \n", "collect2: fatal\n", ""}) {
    EXPECT_FALSE(explain_compile_error(said, file_with("x")).sentence.empty()) << said;
    EXPECT_FALSE(explain_link_error(said, file_with("x")).sentence.empty()) << said;
  }
}

TEST(CompilerMessages, ALineOfAnyLengthIsRead) {
  const std::string name(200'000, 'x');
  const AnswerFile answer = file_with("auto " + name + " = 1 / 4;");
  EXPECT_EQ(explain_compile_error("a.cpp:1:6: error: use of undeclared identifier '" + name + "'\n", answer).place.line,
            1);
  EXPECT_FALSE(explain_link_error("undefined reference to `" + name + "'\n", answer).sentence.empty());
  EXPECT_THAT(explain_warnings("a.cpp:1:6: warning: '" + name + "' x [-Wunused-variable]\n", answer), IsEmpty());
}

TEST(CompilerMessages, NumbersThatNoFileHasAreNotKnown) {
  const std::string place = "a.cpp:99999999999:";
  EXPECT_FALSE(explain_compile_error(place + "99999999999: error: expected expression\n", file_with("")).place.known());
  EXPECT_FALSE(explain_link_error(place + " undefined reference to `g()'\n", file_with("")).place.known());
}

TEST(CompilerMessages, UninitialisedComesBeforeUnused) {
  const std::vector<Problem> warnings = explain_warnings(
      "a.cpp:1:3: warning: unused variable 'y' [-Wunused-variable]\n"
      "a.cpp:2:3: warning: 's' may be used uninitialized [-Wmaybe-uninitialized]\n"
      "a.cpp:3:3: warning: comparison of integers of different signs [-Wsign-compare]\n"
      "other.h:4:3: warning: unused variable 'z' [-Wunused-variable]\n",
      file_with(""));
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_EQ(warnings[0].place.line, 2);
  EXPECT_EQ(warnings[1].place.line, 1);
}

TEST(CompilerMessages, IntegerDivisionsAreSeen) {
  const auto divisions = [](const std::string& line) { return explain_warnings("", file_with(line)).size(); };
  EXPECT_EQ(divisions("const double mean = 1 / 4;"), 1u);
  EXPECT_EQ(divisions("x = sum * (1 / x.size(0));"), 1u);
  EXPECT_EQ(divisions("x = 1.0 / 4;"), 0u);
  EXPECT_EQ(divisions("x = 1 / 4.0;"), 0u);
  EXPECT_EQ(divisions("x = y1 / 4;"), 0u);
  EXPECT_EQ(divisions("// 1 / 4"), 0u);
}

}  // namespace course_compiler_messages_test
