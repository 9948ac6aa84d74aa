// The checks are checked themselves: every planted mistake must be caught, by the check that should catch it.

#include "tests/autograd/ops/op_mistakes.h"

#include <autograd/ops/all_ops.h>
#include <autograd/tape/node.h>
#include <autograd/tape/record.h>
#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <set>

#include "tests/autograd/ops/mistake_table.h"

namespace op_mistakes {

void PrintTo(const Mistake& mistake, std::ostream* out) {
  *out << mistake.op << ": " << mistake.name;
}

}  // namespace op_mistakes

namespace op_mistakes_test {

using namespace autograd;
using op_mistakes::Mistake;

std::string test_name(const testing::TestParamInfo<Mistake>& info) {
  std::string name = info.param.op + "_" + info.param.name;
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}

class FirstOrderMistakes : public testing::TestWithParam<Mistake> {};
TEST_P(FirstOrderMistakes, AreCaughtAndTheOpIsBlamed) {
  EXPECT_TRUE(mistake_table::gradcheck_catches(GetParam()));
}
INSTANTIATE_TEST_SUITE_P(Planted, FirstOrderMistakes, testing::ValuesIn(op_mistakes::all()), test_name);

class SecondOrderMistakes : public testing::TestWithParam<Mistake> {};
TEST_P(SecondOrderMistakes, AreCaughtBySecondOrderOnly) {
  EXPECT_FALSE(mistake_table::gradcheck_catches(GetParam()));
  EXPECT_TRUE(mistake_table::gradgradcheck_catches(GetParam()));
}
INSTANTIATE_TEST_SUITE_P(Planted, SecondOrderMistakes, testing::ValuesIn(op_mistakes::of_second_order()), test_name);

class MistakesAtSpecialPoints : public testing::TestWithParam<Mistake> {};
TEST_P(MistakesAtSpecialPoints, AreCaughtByPyTorchOnly) {
  EXPECT_FALSE(mistake_table::gradcheck_catches(GetParam()));
  EXPECT_TRUE(mistake_table::pytorch_catches(GetParam()));
}
INSTANTIATE_TEST_SUITE_P(Planted, MistakesAtSpecialPoints, testing::ValuesIn(op_mistakes::at_special_points()),
                         test_name);

// Otherwise "caught" would mean nothing.
TEST(Mistakes, NoneIsSeenWhereNoneIsPlanted) {
  const Mistake none{"tanh", "none", [](const op_mistakes::BackwardRun& run) { return run.right; }};
  EXPECT_FALSE(mistake_table::gradcheck_catches(none));
  EXPECT_FALSE(mistake_table::gradgradcheck_catches(none));
  EXPECT_FALSE(mistake_table::pytorch_catches(none));
}

TEST(AllOps, HaveTwoMistakes) {
  std::map<std::string, int> count;
  for (const Mistake& mistake : op_mistakes::all()) ++count[mistake.op];
  for (const OpInfo* op : all_ops()) {
    const std::string name = op->text.name;
    if (name == Leaf::text.name) continue;  // where gradients arrive; nothing is computed
    EXPECT_GE(count[name], 2) << "plant mistakes in " << name << ", in tests/autograd/ops/op_mistakes.txt";
  }
}

TEST(Mistakes, AreInOpsThatExist) {
  std::set<std::string> names;
  for (const OpInfo* op : all_ops()) names.insert(op->text.name);
  for (const auto* table : {&op_mistakes::all(), &op_mistakes::of_second_order(), &op_mistakes::at_special_points()}) {
    for (const Mistake& mistake : *table) EXPECT_TRUE(names.contains(mistake.op)) << mistake.op;
  }
}

}  // namespace op_mistakes_test
