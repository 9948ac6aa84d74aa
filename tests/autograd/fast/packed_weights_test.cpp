#include <autograd/autograd.h>
#include <autograd/memory/recycler.h>
#include <gtest/gtest.h>

#include "tests/support/expect.h"

namespace packed_weights_test {

using namespace autograd;
using fixtures::message_of;

bool same(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() && all(a == b);
}

// What three calls give, of which the first packs the weight and the others find it packed.
std::vector<Tensor> three_times(const Tensor& x, const Tensor& weight, const Tensor& bias = Tensor()) {
  const PackedWeightsGuard guard;
  return {linear(x, weight, bias), linear(x, weight, bias), linear(x, weight, bias)};
}

TEST(PackedWeights, GiveTheBitsOfTheWeights) {
  for (const DType dtype : {float32, float64}) {
    for (const auto& [out, in] : {std::pair{37, 50}, {3, 4}, {1, 9}, {9, 1}, {64, 600}}) {
      const Tensor weight = randn({out, in}, dtype);
      const Tensor transposed = randn({in, out}, dtype).t();
      const Tensor bias = randn({out}, dtype);
      for (const std::int64_t rows : {0, 1, 4, 8, 9, 13, 64}) {
        const Tensor x = randn({rows, in}, dtype);
        for (const Tensor& one : three_times(x, weight)) EXPECT_TRUE(same(one, linear(x, weight)));
        for (const Tensor& one : three_times(x, weight, bias)) EXPECT_TRUE(same(one, linear(x, weight, bias)));
        for (const Tensor& one : three_times(x, transposed)) EXPECT_TRUE(same(one, linear(x, transposed)));
      }
    }
  }
}

TEST(PackedWeights, AreFoundWhileThereIsAGuard) {
  const Tensor weight = randn({30, 10});
  EXPECT_FALSE(PackedWeightsGuard::find(weight, 9).defined());  // no guard
  const PackedWeightsGuard guard;
  EXPECT_TRUE(PackedWeightsGuard::find(weight, 9).defined());
  EXPECT_FALSE(PackedWeightsGuard::find(weight, 8).defined());  // so few rows
}

TEST(PackedWeights, StayWithTheOutermostGuard) {
  const Tensor weight = randn({30, 10});
  const auto memory = [&] { return PackedWeightsGuard::find(weight, 9).data_ptr<float>(); };
  const PackedWeightsGuard outer;
  const float* packed = memory();
  {
    const PackedWeightsGuard inner;
    EXPECT_EQ(memory(), packed);
  }
  EXPECT_EQ(memory(), packed);
}

TEST(PackedWeights, AreToldApart) {
  const Tensor both = randn({60, 10});
  const Tensor x = randn({9, 10});
  const PackedWeightsGuard guard;
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(same(cat({linear(x, both.narrow(0, 0, 30)), linear(x, both.narrow(0, 30, 30))}, 1), linear(x, both)));
  }
  const Tensor square = randn({20, 20});
  const Tensor rows = randn({9, 20});
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(same(linear(rows, square), linear(rows, square.t().contiguous().t())));
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(same(linear(rows, square.t()), linear(rows, square.t().contiguous())));
}

TEST(PackedWeights, FollowAChangeInPlace) {
  const Tensor weight = randn({30, 10});
  const Tensor x = randn({9, 10});
  const Tensor before = linear(x, weight);
  const PackedWeightsGuard guard;
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(same(linear(x, weight), before));
  weight.mul_(2.0);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(same(linear(x, weight), before * 2.0));
}

// A weight that gemm cannot read where it lies: neither its rows nor its columns are without gaps.
Tensor strided_weight() {
  return randn({30, 20}).index({Slice(), Slice{0, Slice::to_end, 2}});
}

TEST(PackedWeights, KnowAStridedWeightAgain) {
  const Tensor weight = strided_weight();
  const Tensor x = randn({9, 10});
  const Tensor before = linear(x, weight);
  const PackedWeightsGuard guard;
  const float* packed = PackedWeightsGuard::find(weight, 9).data_ptr<float>();
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(same(linear(x, weight), before));
  EXPECT_EQ(PackedWeightsGuard::count(), 1u);
  EXPECT_EQ(PackedWeightsGuard::find(weight, 9).data_ptr<float>(), packed);
  weight.mul_(2.0);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(same(linear(x, weight), before * 2.0));
  EXPECT_EQ(PackedWeightsGuard::count(), 1u);
}

TEST(PackedWeights, ForgetWeightsThatNobodyHolds) {
  const Tensor weight = randn({30, 10});
  const Tensor square = randn({20, 20});
  const Tensor x = randn({9, 10});
  const Tensor rows = randn({9, 20});
  const PackedWeightsGuard guard;
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(same(linear(x, weight * 2.0), linear(x, weight) * 2.0));
    const Tensor made = square + 1.0;  // on which two entries will be
    linear(rows, made);
    linear(rows, made.t());
  }
  EXPECT_LE(PackedWeightsGuard::count(), 4u);  // weight, what was computed last, and made twice
}

TEST(PackedWeights, TakeNoMoreMemoryForMoreCalls) {
  const Tensor weight = strided_weight();
  const Tensor x = randn({9, 10});
  const PackedWeightsGuard guard;
  const auto memory_after = [&](int calls) {
    for (int i = 0; i < calls; ++i) linear(x, weight);
    return recycler::statistics().live_bytes;
  };
  const auto once = memory_after(1);
  EXPECT_EQ(memory_after(1000), once);
}

TEST(PackedWeights, LeaveTheDerivativeAsItIs) {
  const Tensor weight = randn({30, 10}).requires_grad_();
  const Tensor x = randn({9, 10});
  const PackedWeightsGuard guard;
  for (int i = 0; i < 3; ++i) {
    weight.zero_grad();
    linear(x, weight).sum().backward();
    EXPECT_TRUE(allclose(weight.grad(), x.sum({0}).expand({30, -1}), 1e-5, 1e-6));
  }
}

}  // namespace packed_weights_test
