#include <autograd/autograd.h>
#include <docs/graph.h>
#include <gtest/gtest.h>

#include <string>

namespace docs {
namespace {

using autograd::Tensor;

// x = 3, y = x * x
class GraphTest : public testing::Test {
 protected:
  const Tensor x = autograd::tensor(3.0, autograd::float64).set_name("x").requires_grad_();
  const Tensor y = (x * x).set_name("y");
};

TEST_F(GraphTest, WritesTheValueAndTheGradientOfAShownTensorIntoItsBox) {
  y.backward();
  const std::string svg = Graph(y, {x}).svg("a square");
  EXPECT_NE(svg.find(">3.000<tspan class=\"gradient\" dx=\"12\">grad 6.000<"), std::string::npos) << svg;
  EXPECT_NE(svg.find(" x: 3.000, grad 6.000. "), std::string::npos) << svg;  // in words
}

TEST_F(GraphTest, WritesTheValueAloneBeforeBackward) {
  const std::string svg = Graph(y, {x}).svg("a square");
  EXPECT_NE(svg.find(" x: 3.000. "), std::string::npos) << svg;
}

TEST_F(GraphTest, WritesNoNumbersUnlessAsked) {
  y.backward();
  EXPECT_EQ(Graph(y).svg("a square").find("class=\"numbers\""), std::string::npos);
}

}  // namespace
}  // namespace docs
