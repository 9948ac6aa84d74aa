#include <autograd/autograd.h>
#include <docs/graph.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/well_formed.h"

namespace docs {
namespace {

using autograd::Tensor;
using fixtures::count;

// x = 3, y = x * x
class GraphTest : public testing::Test {
 protected:
  const Tensor x = autograd::tensor(3.0, autograd::float64).set_name("x").requires_grad_();
  const Tensor y = (x * x).set_name("y");
};

// Only tensors of one number that are asked for show it, and their gradient after backward().
TEST_F(GraphTest, ShowsNumbers) {
  const std::string before = Graph(y, {x}).svg("a square");
  y.backward();
  const std::string after = Graph(y, {x}).svg("a square");
  EXPECT_EQ(count(before, ">3.000<"), 1U);
  EXPECT_EQ(count(before, ">grad 6.000<"), 0U);
  EXPECT_EQ(count(after, ">3.000<"), 1U);
  EXPECT_EQ(count(after, ">grad 6.000<"), 1U);
  EXPECT_EQ(count(after, " x: 3.000, grad 6.000. "), 1U);  // in words
  EXPECT_EQ(count(Graph(y).svg("a square"), "3.000"), 0U);
}

}  // namespace
}  // namespace docs
