#include <nn/attention/attention_mask.h>

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

TEST(NnAttentionMask, SoftmaxOverTheTruePlaces) {
  const Tensor scores = autograd::tensor({{1, 2, 3}, {4, 5, 6}});
  EXPECT_TRUE(fixtures::near(nn::softmax_over(scores, Tensor()), scores.softmax(-1)));
  const Tensor weights = nn::softmax_over(scores, autograd::mask({{true, true, false}, {false, false, false}}));
  EXPECT_TRUE(fixtures::near(weights[0].narrow(0, 0, 2), scores[0].narrow(0, 0, 2).softmax(-1)));
  EXPECT_EQ(weights[0].at({2}), 0.0);
  EXPECT_EQ(weights[1].to_vector(), std::vector<double>(3, 0.0));
}

}  // namespace nn_attention_mask_test
