#include <nn/layers/padding.h>

#include <limits>

#include "tests/support/expect.h"

namespace nn_padding_test {

using autograd::Tensor;

TEST(NnPadding, WithoutPaddingHasZerosThereAndNoGradient) {
  const Tensor x = autograd::tensor({{{1, 2}, {std::numeric_limits<double>::quiet_NaN(), 4}}}).requires_grad_();
  const Tensor clean = nn::without_padding(x, autograd::mask({{true, false}}));
  EXPECT_EQ(clean.to_vector(), (std::vector<double>{1, 2, 0, 0}));
  clean.backward(autograd::ones({1, 2, 2}));
  EXPECT_EQ(x.grad().to_vector(), (std::vector<double>{1, 1, 0, 0}));
  EXPECT_TRUE(nn::without_padding(x, Tensor()).is_same(x));
}

TEST(NnPadding, WithFinitePaddingLeavesWhatIsFinite) {
  const Tensor mask = autograd::mask({{true, false}});
  const Tensor x = autograd::tensor({{{1, 2}, {3, 4}}});
  EXPECT_TRUE(nn::with_finite_padding(x, mask).is_same(x));
  const Tensor bad = autograd::tensor({{{1, 2}, {3, std::numeric_limits<double>::infinity()}}});
  EXPECT_EQ(nn::with_finite_padding(bad, mask).to_vector(), (std::vector<double>{1, 2, 0, 0}));
  EXPECT_TRUE(nn::with_finite_padding(bad, Tensor()).is_same(bad));
}

}  // namespace nn_padding_test
