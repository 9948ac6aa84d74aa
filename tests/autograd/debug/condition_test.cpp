// Conditions of breakpoints: at which op of a small program each holds first.

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "tests/autograd/debug/debugger_fixture.h"

namespace condition_test {

// The gradients are ones at mul, [-1.52, 1.94] at tanh, [-0.64, 0.11] at matmul; W has six elements.
struct Case {
  const char* condition;
  int stop;  // the op's number in the pass: 2 mul, 3 tanh, 4 matmul, 5 W, which is also the end
};
const std::vector<Case> cases = {
    {"absmax > 0.5 and max < 0.2", 4},
    {"absmax > 0.5 && max < 0.2", 4},
    {"max > 1.9 && min < -1.5&&at > 1", 3},
    {"mean < 0.25", 3},
    {"W > -9", 5},  // not one number
    {"W[1,1] == 0.75", 2},
    {"nosuch > 1", 5},
    {"inf", 5},
};

// The number in "#4 of 5", the first in the answer; 0 if there is none.
int number_of_stop(const std::string& answer) {
  const std::size_t place = answer.find('#');
  int number = 0;
  if (place != std::string::npos) std::sscanf(answer.c_str() + place, "#%d", &number);
  return number;
}

TEST(Condition, HoldsWhereItShould) {
  for (const Case& one : cases) {
    const std::string said =
        fixtures::answer({"break if " + std::string(one.condition), "continue"}, fixtures::Chain());
    EXPECT_EQ(number_of_stop(said), one.stop) << one.condition << "\n" << said;
  }
}

}  // namespace condition_test
