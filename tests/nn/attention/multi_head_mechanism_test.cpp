#include <nn/attention/multi_head_mechanism.h>

#include "tests/nn/attention/attention_steps.h"
#include "tests/support/golden.h"

namespace nn_multi_head_mechanism_test {

using autograd::ErrorId;
using autograd::float64;
using autograd::Tensor;

TEST(NnMultiHeadMechanism, EqualsPyTorch) {
  const nn::AttentionOptions small{.decoder_dim = 2, .encoder_dim = 6, .dtype = float64};
  fixtures::expect_equals_pytorch("multi_head", nn::MultiHeadMechanism(small, {.num_heads = 3}));
}

// Where query and keys have the same size, its parameters are those of nn.MultiheadAttention.
TEST(NnMultiHeadMechanism, IsMultiHeadAttentionOfOneQuery) {
  const nn::MultiHeadMechanism mechanism({.decoder_dim = 6, .encoder_dim = 6, .dtype = float64}, {.num_heads = 2});
  const nn::MultiHeadAttention attention({.embed_dim = 6, .num_heads = 2, .dtype = float64});
  mechanism.multi_head.load_state_dict(attention.state_dict());
  const Tensor query = autograd::randn({2, 6}, float64);
  const Tensor outputs = autograd::randn({2, 4, 6}, float64);
  const Tensor mask = autograd::length_mask({4, 1});
  nn::AttentionMemory memory;
  const auto found = mechanism(query, mechanism.read_source(outputs, mask), memory);
  const auto expected = attention(query.unsqueeze(1), outputs, outputs, {.mask = mask});
  EXPECT_TRUE(fixtures::near(found.context, expected.output.squeeze(1)));
  EXPECT_TRUE(fixtures::near(found.weights, expected.weights.squeeze(1)));
}

TEST(NnMultiHeadMechanism, ChoosesHeadsThatDivideTheSize) {
  const auto heads = [](std::int64_t encoder_dim) {
    return nn::MultiHeadMechanism({.decoder_dim = 3, .encoder_dim = encoder_dim}).multi_head.options.num_heads;
  };
  EXPECT_EQ(heads(512), 8);
  EXPECT_EQ(heads(12), 4);
  EXPECT_EQ(heads(6), 2);
  EXPECT_EQ(heads(5), 1);
  EXPECT_TRUE(fixtures::says("nn_attention", {fixtures::message_of(ErrorId::bad_argument, [] {
                               nn::MultiHeadMechanism({.decoder_dim = 3, .encoder_dim = 6}, {.num_heads = 4});
                             })}));
}

}  // namespace nn_multi_head_mechanism_test
