// What is changed in a solution to see whether its check notices, and how the changed ones are compiled together.
#include "runner/author/mutants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runner/author/mutants_file.h"
#include "tests/support/golden.h"

namespace course_mutants_test {

using learn::Mutant;
using testing::Contains;
using testing::Not;
using testing::UnorderedElementsAre;

std::vector<std::string> mutants_of(const std::string& head, const std::vector<std::string>& written) {
  std::vector<learn::SolutionLine> lines{{head, 1, false}};
  for (const std::string& line : written) lines.push_back({line, lines.size() + 2, true});
  lines.push_back({"}", lines.size() + 3, false});
  std::vector<std::string> found;
  for (const Mutant& mutant : learn::mutants_of(lines)) found.push_back(mutant.code);
  return found;
}

std::vector<std::string> mutants_of(const std::string& line) {
  return mutants_of("void f() {", {line});
}

TEST(Mutants, Comparisons) {
  EXPECT_THAT(mutants_of("ok = a < b;"), Contains("ok = a <= b;"));
  EXPECT_THAT(mutants_of("ok = a >= b;"), Contains("ok = a > b;"));
  EXPECT_THAT(mutants_of("x = static_cast<double>(a);"), Not(Contains("x = static_cast<=double>(a);")));
  EXPECT_THAT(mutants_of("if (a > b) f();"), Contains("if (!(a > b)) f();"));
}

TEST(Mutants, TermsAndFactors) {
  EXPECT_THAT(mutants_of("return a + b * c;"),
              UnorderedElementsAre("return a - b * c;", "return a ;", "return b * c;", "return a + b / c;",
                                   "return a + b ;", "return a + c;"));
  EXPECT_THAT(mutants_of("return a - b;"), Contains("return - b;"));
  EXPECT_THAT(mutants_of("return a / (b + c);"), Contains("return 1.0 / (b + c);"));
  EXPECT_THAT(mutants_of("return -a;"), UnorderedElementsAre("return a;"));
}

TEST(Mutants, NumbersAndDims) {
  EXPECT_THAT(mutants_of("return x.sum({1});"),
              UnorderedElementsAre("return x;", "return x.mean({1});", "return x.sum({2});", "return x.sum({0});"));
  EXPECT_THAT(mutants_of("x = 0.5;"), Contains("x = 1.5;"));
}

TEST(Mutants, Calls) {
  EXPECT_THAT(mutants_of("y = tanh(x);"), Contains("y = (x);"));
  EXPECT_THAT(mutants_of("y = matmul(a, b.t());"),
              testing::AllOf(Contains("y = matmul(b.t(), a);"), Contains("y = matmul(a, b);")));
  EXPECT_THAT(mutants_of("y = std::max(a, b);"), Not(Contains("y = std::max(b, a);")));
}

TEST(Mutants, Statements) {
  EXPECT_THAT(mutants_of("row += x;"), UnorderedElementsAre("row = x;", "row -= x;", "without: row += x;"));
  EXPECT_THAT(mutants_of("void f() {", {"for (const T& x : all) {", "  if (x) continue;", "  y.push_back(x);", "}"}),
              testing::AllOf(Contains("if (x) ;"), Contains("without: y.push_back(x);")));
  EXPECT_THAT(mutants_of("probe(\"a\", a + 1.0);"), testing::IsEmpty());
}

TEST(Mutants, SizesAndNumbersThatAreGiven) {
  EXPECT_THAT(mutants_of("n = x.value.size(0);"), Contains("n = AT_FIRST(x.value.size(0));"));
  EXPECT_THAT(mutants_of("n = shape[dim];"), Contains("n = AT_FIRST(shape[dim]);"));
  EXPECT_THAT(mutants_of("void f(const Tensor& x, int dim, double rate) {", {"g(x, dim);"}),
              testing::AllOf(Contains("dim = AT_FIRST(dim);"), Contains("rate = AT_FIRST(rate);")));
}

TEST(Mutants, OverSeveralLines) {
  EXPECT_THAT(mutants_of("void f() {", {"  const T x = a +  // first", "    b;"}),
              testing::AllOf(Contains("const T x = a -"), Contains("const T x = a ;")));
}

constexpr const char* source = R"(//= title: T
//= answer: f, g
#include "given.h"

int f(int x) {
  //[
  return x + 1;
  //]
}

int g(int x) {
  //[
  return f(x) * 2;
  //]
}
)";

TEST(MutantsFile, HasEachInItsNamespace) {
  learn::Exercise exercise{"01_x", "", learn::ExerciseSource::parse(source, "exercise.cpp")};
  const std::vector<Mutant> mutants = learn::mutants_of(exercise.source.solution_lines());
  const auto index = [&](const std::string& code) {
    for (std::size_t i = 0; i < mutants.size(); ++i) {
      if (mutants[i].code == code) return i;
    }
    throw std::runtime_error("no mutant " + code);
  };
  // g calls f: so g must be there again, with the other f.
  const std::size_t in_f = index("return x - 1;");
  const std::size_t in_g = index("return f(x) * 1;");
  const std::string files =
      learn::mutants_file(exercise, mutants, {in_f}) + learn::mutants_file(exercise, mutants, {in_g});
  EXPECT_TRUE(fixtures::is_golden("course_mutants", files));
  EXPECT_EQ(mutants[in_g].line, 13u);
}

TEST(MutantsFile, FindsWhatDoesNotCompile) {
  EXPECT_THAT(learn::mutants_in("mutant_7: In function:\nmutant_7:3:4: error: no\nmutant_8:1:1: note: here\n"
                                "all.h:3: error: no\nmutant_12:3:1:   required from here\n"),
              UnorderedElementsAre(7u, 12u));
}

}  // namespace course_mutants_test
