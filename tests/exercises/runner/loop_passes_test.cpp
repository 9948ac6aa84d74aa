// Which time a line of a loop is computed, and in which pass it went wrong.
#include "runner/check/loop_passes.h"

#include <gtest/gtest.h>

#include <string>

namespace course_loop_passes_test {

using namespace learn;

Step op(int line, const std::string& name, bool in_solution = true) {
  return {.name = name, .line = line, .in_solution = in_solution};
}

std::string numbers(const std::vector<Step>& steps) {
  std::string text;
  for (const Pass& pass : passes_of(steps)) text += std::to_string(pass.number) + "/" + std::to_string(pass.of) + " ";
  return text;
}

TEST(LoopPasses, CountsEachLineByItself) {
  EXPECT_EQ(numbers({op(1, "mul"), op(3, "linear"), op(3, "linear"), op(4, "tanh"), op(3, "linear"), op(3, "linear"),
                     op(4, "tanh"), op(6, "stack")}),
            "1/1 1/2 1/2 1/2 2/2 2/2 2/2 1/1 ");
}

TEST(LoopPasses, ALoopInOneLineRepeatsItself) {
  EXPECT_EQ(numbers({op(3, "select"), op(3, "tanh"), op(3, "select"), op(3, "tanh")}), "1/2 1/2 2/2 2/2 ");
  EXPECT_EQ(numbers({op(3, "add"), op(3, "add"), op(3, "add")}), "1/1 1/1 1/1 ");  // a + b + c + d
}

TEST(LoopPasses, FindsThePassThatWentWrong) {
  const std::vector<Step> late{op(3, "mul"), op(4, "tanh"), op(3, "mul"), op(4, "tanh", false), op(3, "mul", false)};
  EXPECT_EQ(first_bad_pass(late, passes_of(late)), 3u);
  // Wrong, or written in another way, from the beginning: that says nothing about a pass.
  const std::vector<Step> always{op(3, "mul", false), op(4, "tanh"), op(3, "mul", false), op(4, "tanh")};
  EXPECT_EQ(first_bad_pass(always, passes_of(always)), always.size());
}

}  // namespace course_loop_passes_test
