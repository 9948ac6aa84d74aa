#include <nn/attention/attention_mask.h>

#include <limits>

#include "tests/support/expect.h"
#include "tests/support/fixtures.h"
#include "tests/support/golden.h"

namespace nn_attention_mask_test {

using autograd::ErrorId;
using autograd::Tensor;

autograd::Where here() {
  return autograd::Where::current();
}

TEST(NnAttentionMask, IsCheckedUnlessThereIsNone) {
  std::vector<std::string> said;
  nn::check_attention_mask("attention", Tensor(), 2, 3, here());
  nn::check_attention_mask("attention", autograd::length_mask({3, 1}), 2, 3, here());
  said.push_back(fixtures::message_of(ErrorId::dtype_mismatch, [] {
    nn::check_attention_mask("attention", autograd::ones({2, 3}), 2, 3, here());
  }));
  said.push_back(fixtures::message_of(ErrorId::shape_mismatch, [] {
    nn::check_attention_mask("attention", autograd::length_mask({3, 1}), 2, 4, here());
  }));
  EXPECT_TRUE(fixtures::says("nn_attention", said));
}

TEST(NnAttentionMask, WithoutPaddingHasZerosThereAndNoGradient) {
  const Tensor x = autograd::tensor({{{1, 2}, {std::numeric_limits<double>::quiet_NaN(), 4}}}).requires_grad_();
  const Tensor clean = nn::without_padding(x, autograd::mask({{true, false}}));
  EXPECT_EQ(clean.to_vector(), (std::vector<double>{1, 2, 0, 0}));
  clean.backward(autograd::ones({1, 2, 2}));
  EXPECT_EQ(x.grad().to_vector(), (std::vector<double>{1, 1, 0, 0}));
  EXPECT_EQ(nn::without_padding(x, Tensor()).impl(), x.impl());
}

TEST(NnAttentionMask, WithFinitePaddingLeavesWhatIsFinite) {
  const Tensor mask = autograd::mask({{true, false}});
  const Tensor x = autograd::tensor({{{1, 2}, {3, 4}}});
  EXPECT_EQ(nn::with_finite_padding(x, mask).impl(), x.impl());
  const Tensor bad = autograd::tensor({{{1, 2}, {3, std::numeric_limits<double>::infinity()}}});
  EXPECT_EQ(nn::with_finite_padding(bad, mask).to_vector(), (std::vector<double>{1, 2, 0, 0}));
  EXPECT_EQ(nn::with_finite_padding(bad, Tensor()).impl(), bad.impl());
}

TEST(NnAttentionMask, SoftmaxOverTheTruePlaces) {
  const Tensor scores = autograd::tensor({{1, 2, 3}, {4, 5, 6}});
  EXPECT_TRUE(fixtures::near(nn::softmax_over(scores, Tensor()), scores.softmax(-1)));
  const Tensor weights = nn::softmax_over(scores, autograd::mask({{true, true, false}, {false, false, false}}));
  EXPECT_TRUE(fixtures::near(weights[0].narrow(0, 0, 2), scores[0].narrow(0, 0, 2).softmax(-1)));
  EXPECT_EQ(weights[0].at({2}), 0.0);
  EXPECT_EQ(weights[1].to_vector(), std::vector<double>(3, 0.0));
}

}  // namespace nn_attention_mask_test
