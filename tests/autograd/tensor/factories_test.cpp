// Tensors from nothing.

#include "autograd/tensor/factories.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "autograd/tensor/factories.h"
#include "tests/support/expect.h"
#include "tests/support/golden.h"

namespace factories_test {

using namespace autograd;
using fixtures::has_shape;
using fixtures::holds;
using fixtures::message_of;

TEST(Constants, FillTheShape) {
  EXPECT_TRUE(holds(zeros({2, 2}), {0, 0, 0, 0}));
  EXPECT_TRUE(holds(ones(3), {1, 1, 1}));
  EXPECT_TRUE(holds(full({2}, 2.5), {2.5, 2.5}));
  EXPECT_TRUE(holds(full({}, 2.5), {2.5}));
  EXPECT_TRUE(holds(full({2}, 2.0, boolean), {1, 1}));
  EXPECT_TRUE(holds(zeros({0}), {}));
  EXPECT_TRUE(has_shape(empty({4, 5}), {4, 5}));
}

TEST(Constants, AreFloat32UnlessToldOtherwise) {
  EXPECT_EQ(zeros({1}).dtype(), float32);
  EXPECT_EQ(ones({1}, float64).dtype(), float64);
  EXPECT_EQ(full({1}, 3.0, int64).dtype(), int64);
  EXPECT_EQ(empty({1}, boolean).dtype(), boolean);
}

TEST(Constants, EmptyShowsThatItWasNeverWritten) {
  empty_is_nan = true;
  EXPECT_TRUE(std::isnan(empty({2}, float64).at({1})));
  EXPECT_TRUE(std::isnan(empty_like(ones({2})).at({1})));
  EXPECT_EQ(empty({2}, int64).at({1}), -1e18);
  EXPECT_TRUE(has_shape(empty({0, 2}), {0, 2}));
  empty_is_nan = false;
}

TEST(Constants, LikeAnotherTensorTakeItsShapeAndDType) {
  const Tensor x = tensor({{1, 2}, {3, 4}}, float64).requires_grad_();
  EXPECT_TRUE(holds(zeros_like(x), {0, 0, 0, 0}));
  EXPECT_TRUE(holds(ones_like(x), {1, 1, 1, 1}));
  EXPECT_EQ(ones_like(x).dtype(), float64);
  EXPECT_TRUE(holds(full_like(x, 2.5), {2.5, 2.5, 2.5, 2.5}));
  for (const Tensor& like : {full_like(x, 0.0), empty_like(x), rand_like(x), randn_like(x)}) {
    EXPECT_TRUE(has_shape(like, {2, 2}));
    EXPECT_EQ(like.dtype(), float64);
  }
  message_of(ErrorId::dtype_mismatch, [] { rand_like(arange(3)); });
  message_of(ErrorId::dtype_mismatch, [] { randn_like(arange(3)); });
  EXPECT_FALSE(ones_like(x).requires_grad());
}

TEST(Eye, IsTheIdentityMatrix) {
  EXPECT_TRUE(holds(eye(3), {1, 0, 0, 0, 1, 0, 0, 0, 1}));
  EXPECT_TRUE(has_shape(eye(0), {0, 0}));
  EXPECT_EQ(eye(2, int64).dtype(), int64);
}

TEST(Arange, CountsFromZero) {
  EXPECT_TRUE(holds(arange(4), {0, 1, 2, 3}));
  EXPECT_EQ(arange(4).dtype(), int64);
  EXPECT_EQ(arange(4, float64).dtype(), float64);
  EXPECT_TRUE(has_shape(arange(0), {0}));
}

TEST(Arange, CountsFromAnywhereInSteps) {
  EXPECT_TRUE(holds(arange(2, 6), {2, 3, 4, 5}));
  EXPECT_TRUE(holds(arange(1, 8, 3), {1, 4, 7}));
  EXPECT_TRUE(holds(arange(1, 7, 3), {1, 4}));
  EXPECT_TRUE(holds(arange(3, -3, -2), {3, 1, -1}));
  EXPECT_TRUE(has_shape(arange(4, 4), {0}));
  EXPECT_TRUE(has_shape(arange(4, 4, -1), {0}));
  EXPECT_EQ(arange(0, 3, 1, float64).dtype(), float64);
}

TEST(Arange, RefusesStepsThatLeadNowhere) {
  EXPECT_TRUE(fixtures::says("autograd_tensor", {message_of(ErrorId::bad_argument, [] { arange(0, 3, 0); })}));
  message_of(ErrorId::bad_argument, [] { arange(3, 0); });
  message_of(ErrorId::bad_argument, [] { arange(0, 3, -1); });
  message_of(ErrorId::out_of_memory, [] { arange(INT64_MIN, INT64_MAX); });
  EXPECT_TRUE(holds(arange(INT64_MAX - 1, INT64_MAX), {static_cast<double>(INT64_MAX)}));
}

TEST(Linspace, EndsExactlyWhereTold) {
  EXPECT_TRUE(holds(linspace(-1.0, 1.0, 5), {-1, -0.5, 0, 0.5, 1}));
  const Tensor x = linspace(0.0, 0.3, 4, float64);
  EXPECT_EQ(x.at({0}), 0.0);
  EXPECT_EQ(x.at({3}), 0.3);
  EXPECT_TRUE(holds(linspace(2.0, 5.0, 1), {2}));
  EXPECT_TRUE(has_shape(linspace(2.0, 5.0, 0), {0}));
}

TEST(WrittenOut, HasTheShapeOfTheBraces) {
  EXPECT_TRUE(has_shape(tensor(3.0), {}));
  EXPECT_TRUE(has_shape(tensor({1, 2, 3}), {3}));
  EXPECT_TRUE(has_shape(tensor({{1, 2, 3}, {4, 5, 6}}), {2, 3}));
  const Tensor cube = tensor({{{1, 2, 3}, {4, 5, 6}}, {{7, 8, 9}, {10, 11, 12}}});
  EXPECT_TRUE(has_shape(cube, {2, 2, 3}));
  EXPECT_EQ(cube.at({1, 0, 2}), 9);
  EXPECT_TRUE(holds(tensor({{1.5, 2}, {3, 4}}, float64), {1.5, 2, 3, 4}));
}

TEST(WrittenOut, IdsAreIntegersAndMasksBooleans) {
  EXPECT_TRUE(holds(ids({3, 1, 2}), {3, 1, 2}));
  EXPECT_TRUE(holds(ids({{3, 1}, {2, 0}}), {3, 1, 2, 0}));
  EXPECT_TRUE(has_shape(ids({{3, 1}, {2, 0}}), {2, 2}));
  EXPECT_EQ(ids({1}).dtype(), int64);
  EXPECT_TRUE(holds(ids(std::vector<std::int64_t>{4, 5, 6, 7}, {2, 2}).t(), {4, 6, 5, 7}));
  EXPECT_TRUE(holds(mask({{true, false}, {false, true}}), {1, 0, 0, 1}));
  EXPECT_EQ(mask({true}).dtype(), boolean);
}

TEST(WrittenOut, RowsMustBeEquallyLong) {
  EXPECT_TRUE(fixtures::says("autograd_tensor", {message_of(ErrorId::shape_mismatch, [] {
                               tensor({{1, 2, 3}, {4, 5}});
                             })}));
  message_of(ErrorId::shape_mismatch, [] { ids({{1, 2}, {3, 4, 5}}); });
  message_of(ErrorId::shape_mismatch, [] { mask({{true, true}, {true, true, true}}); });
  message_of(ErrorId::shape_mismatch, [] { tensor({{{1, 2, 3}, {3, 4, 5}}, {{5, 6, 7}}}); });
  message_of(ErrorId::shape_mismatch, [] { tensor({{{1, 2, 3}, {3, 4, 5}}, {{5, 6, 7}, {8, 9}}}); });
}

TEST(FromVector, FillsTheShapeRowByRow) {
  EXPECT_TRUE(holds(from_vector({1, 2, 3, 4, 5, 6}, {2, 3}).t(), {1, 4, 2, 5, 3, 6}));
  EXPECT_TRUE(has_shape(from_vector({}, {0, 4}), {0, 4}));
  EXPECT_TRUE(fixtures::says("autograd_tensor", {message_of(ErrorId::shape_mismatch, [] {
                               from_vector({1, 2, 3}, {2, 2});
                             })}));
  message_of(ErrorId::shape_mismatch, [] { from_vector({}, {}); });
  message_of(ErrorId::bad_argument, [] { from_vector({1, 2}, {-1, -2}); });
}

TEST(FromVector, CopiesTheValues) {
  std::vector<double> values = {1, 2};
  const Tensor x = from_vector(values, {2});
  values[0] = 9;
  EXPECT_TRUE(holds(x, {1, 2}));
}

TEST(Factories, RefuseNegativeSizesAtTheUsersLine) {
  std::vector<std::string> said;
  // clang-format off
  const std::vector<std::function<void()>> calls = {
      [] { zeros({-1}); },
      [] { ones({2, -1}); },
      [] { full({-1}, 1.0); },
      [] { empty({-1}); },
      [] { eye(-1); },
      [] { arange(-1); },
      [] { linspace(0.0, 1.0, -1); },
      [] { autograd::rand({-1}); },
      [] { randn({-1}); },
      [] { randint(0, 2, {-1}); },
      [] { bernoulli(0.5, {-1}); },
      [] { randperm(-1); },
  };
  // clang-format on
  for (std::size_t i = 0; i < calls.size(); ++i) {
    SCOPED_TRACE(i);
    said.push_back(message_of(ErrorId::bad_argument, calls[i]));
  }
  EXPECT_TRUE(fixtures::says("autograd_tensor", said));
}

// ---- random numbers: what is drawn is tested in random_test.cpp -------------------------------------------

TEST(RandomTensors, HaveShapeAndDType) {
  EXPECT_TRUE(has_shape(autograd::rand({2, 3}), {2, 3}));
  EXPECT_EQ(randn({1}, float64).dtype(), float64);
  EXPECT_EQ(randint(0, 5, {3}).dtype(), int64);
  EXPECT_EQ(bernoulli(0.5, {3}, boolean).dtype(), boolean);
  EXPECT_EQ(randperm(3).dtype(), int64);
  EXPECT_TRUE(has_shape(randn({0}), {0}));
}

TEST(RandomTensors, DrawInRowMajorOrderFromTheDefaultGenerator) {
  manual_seed(1);
  const Tensor matrix = randn({2, 3}, float64);
  manual_seed(1);
  const Tensor vector = randn({6}, float64);
  EXPECT_TRUE(holds(matrix, vector.to_vector()));
  EXPECT_FALSE(allclose(vector, randn({6}, float64)));
}

TEST(RandomTensors, RandomIntegersIncludeLowAndNotHigh) {
  const std::vector<double> drawn = randint(-2, 2, {1000}).to_vector();
  EXPECT_EQ(*std::min_element(drawn.begin(), drawn.end()), -2);
  EXPECT_EQ(*std::max_element(drawn.begin(), drawn.end()), 1);
  EXPECT_TRUE(holds(randint(7, 8, {2}), {7, 7}));
  EXPECT_TRUE(fixtures::says("autograd_tensor", {message_of(ErrorId::bad_argument, [] { randint(3, 3, {1}); })}));
}

TEST(RandomTensors, BernoulliTakesAProbability) {
  EXPECT_TRUE(holds(bernoulli(0.0, {3}), {0, 0, 0}));
  EXPECT_TRUE(holds(bernoulli(1.0, {3}), {1, 1, 1}));
  message_of(ErrorId::bad_argument, [] { bernoulli(1.5, {1}); });
  message_of(ErrorId::bad_argument, [] { bernoulli(-0.1, {1}); });
  message_of(ErrorId::bad_argument, [] { bernoulli(std::nan(""), {1}); });
}

TEST(RandomTensors, APermutationHasEveryNumberOnce) {
  std::vector<std::int64_t> order = randperm(100).to_vector<std::int64_t>();
  std::vector<std::int64_t> sorted(100);
  std::iota(sorted.begin(), sorted.end(), 0);
  EXPECT_NE(order, sorted);
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, sorted);
  EXPECT_TRUE(has_shape(randperm(0), {0}));
}

// The sizes were once used before they were looked at: a negative one alone overwrote memory in a Debug build.
TEST(FactoriesTest, LengthMaskRefusesLengthsBeforeItUsesThem) {
  EXPECT_TRUE(holds(length_mask({2, 0}, 3), {1, 1, 0, 0, 0, 0}));
  message_of(ErrorId::bad_length, [] { length_mask({-9}); });
  message_of(ErrorId::bad_length, [] { length_mask({-9, -9}); });
  message_of(ErrorId::bad_length, [] { length_mask({4}, 3); });
}

}  // namespace factories_test
