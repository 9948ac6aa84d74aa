// Printing: what a tensor looks like, to the letter.

#include "autograd/tensor/format.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/expect.h"

namespace format_test {

using namespace autograd;

constexpr double inf = std::numeric_limits<double>::infinity();

std::string print(const Tensor& tensor) {
  return fmt::format("{}", tensor);
}

TEST(Format, NestsBracketsByDims) {
  EXPECT_EQ(print(tensor(3.0)), "3.");
  EXPECT_EQ(print(tensor({1, 2, 3})), "[1., 2., 3.]");
  EXPECT_EQ(print(tensor({{1, 2}, {3, 4}})),
            "[[1., 2.],\n"
            " [3., 4.]]");
  EXPECT_EQ(print(tensor({{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}})),
            "[[[1., 2.],\n"
            "  [3., 4.]],\n"
            "\n"
            " [[5., 6.],\n"
            "  [7., 8.]]]");
}

TEST(Format, AlignsColumnsToTheWidestElement) {
  EXPECT_EQ(print(tensor({{0.1, 0.2}, {-1, 100}})),
            "[[  0.1000,   0.2000],\n"
            " [ -1.0000, 100.0000]]");
  EXPECT_EQ(print(ids({{1, -20}, {300, 4}})),
            "[[  1, -20],\n"
            " [300,   4]]");
  EXPECT_EQ(print(mask({true, false})), "[ true, false]");
}

TEST(Format, ChoosesOneFormatForAllElements) {
  EXPECT_EQ(print(tensor({1, 2.5})), "[1.0000, 2.5000]");
  EXPECT_EQ(print(tensor({1, 2e6})), "[1.0000e+00, 2.0000e+06]");
  EXPECT_EQ(print(tensor({0.01, 1e-5})), "[1.0000e-02, 1.0000e-05]");
  EXPECT_EQ(print(tensor({1, 1e-5}, float64)), "[1.0000, 0.0000]");
  EXPECT_EQ(print(zeros({2})), "[0., 0.]");
}

TEST(Format, WritesInfinitiesAndNaNWithoutADot) {
  EXPECT_EQ(print(tensor({1, inf, -inf})), "[  1.,  inf, -inf]");
  EXPECT_EQ(print(tensor({std::nan("")})), "[nan]");
  EXPECT_EQ(print(tensor({0.5, inf})), "[0.5000,    inf]");
}

TEST(Format, TakesTheFormatOfOneElement) {
  const Tensor x = tensor({{0.1, 0.25}, {-1, 0}}, float64);
  EXPECT_EQ(fmt::format("{:.3f}", x),
            "[[ 0.100,  0.250],\n"
            " [-1.000,  0.000]]");
  EXPECT_EQ(fmt::format("{:+.0e}", x),
            "[[+1e-01, +2e-01],\n"
            " [-1e+00, +0e+00]]");
  EXPECT_EQ(to_string(x[0], "{:.1f}"), "[0.1, 0.2]");
  EXPECT_EQ(fmt::format("weights\n{:.2f}\n", tensor({0.5})), "weights\n[0.50]\n");
  EXPECT_EQ(fmt::format("{:.3f}", ids({1, 2})), "[1, 2]");
}

TEST(Format, ShowsNothingOfNothing) {
  EXPECT_EQ(print(zeros({0})), "[]");
  EXPECT_EQ(print(zeros({0, 3})), "[]");
  EXPECT_EQ(print(zeros({2, 0})),
            "[[],\n"
            " []]");
  EXPECT_EQ(print(Tensor()), "undefined");
}

TEST(Format, FollowsTheStridesOfViews) {
  const Tensor x = tensor({{1, 2, 3}, {4, 5, 6}});
  EXPECT_EQ(print(x.t()),
            "[[1., 4.],\n"
            " [2., 5.],\n"
            " [3., 6.]]");
  EXPECT_EQ(print(x[1][Slice{0, Slice::to_end, 2}]), "[4., 6.]");
  EXPECT_EQ(print(tensor(7.0).expand(3)), "[7., 7., 7.]");
}

TEST(Format, ShortensMoreThanAThousandElements) {
  EXPECT_EQ(print(arange(1001)), "[   0,    1,    2, ...,  998,  999, 1000]");
  EXPECT_EQ(print(arange(1000)).find("..."), std::string::npos);
  EXPECT_EQ(print(arange(2000).reshape({4, 500})),
            "[[   0,    1,    2, ...,  497,  498,  499],\n"
            " [ 500,  501,  502, ...,  997,  998,  999],\n"
            " [1000, 1001, 1002, ..., 1497, 1498, 1499],\n"
            " [1500, 1501, 1502, ..., 1997, 1998, 1999]]");
  EXPECT_EQ(print(arange(1400).reshape({7, 200})[Slice{0, Slice::to_end, 1}]),
            "[[   0,    1,    2, ...,  197,  198,  199],\n"
            " [ 200,  201,  202, ...,  397,  398,  399],\n"
            " [ 400,  401,  402, ...,  597,  598,  599],\n"
            " ...,\n"
            " [ 800,  801,  802, ...,  997,  998,  999],\n"
            " [1000, 1001, 1002, ..., 1197, 1198, 1199],\n"
            " [1200, 1201, 1202, ..., 1397, 1398, 1399]]");
}

TEST(Format, ReadsATensorOfTheGraphWithoutTouchingIt) {
  const Tensor x = tensor({1, 2}).requires_grad_();
  const Tensor y = x * 2.0;
  EXPECT_EQ(print(y), "[2., 4.]");
  y.sum().backward();
  EXPECT_TRUE(fixtures::holds(x.grad(), {2, 2}));
}

}  // namespace format_test
