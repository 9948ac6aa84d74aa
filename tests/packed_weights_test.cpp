#include <autograd/autograd.h>
#include <gtest/gtest.h>

#include "tests/expect.h"

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
  EXPECT_FALSE(PackedWeightsGuard::find(weight, false, 10, 9).defined());  // no guard
  const PackedWeightsGuard guard;
  EXPECT_TRUE(PackedWeightsGuard::find(weight, false, 10, 9).defined());
  EXPECT_FALSE(PackedWeightsGuard::find(weight, false, 10, 8).defined());  // so few rows
}

TEST(PackedWeights, StayWithTheOutermostGuard) {
  const Tensor weight = randn({30, 10});
  const auto memory = [&] { return PackedWeightsGuard::find(weight, false, 10, 9).data_ptr<float>(); };
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
