#include <nn/attention/local_attention.h>

#include "tests/nn/attention/attention_steps.h"
#include "tests/support/golden.h"

namespace nn_local_attention_test {

using autograd::ErrorId;
using autograd::float64;
using autograd::Tensor;

nn::AttentionOptions small() {
  return {.decoder_dim = 2, .encoder_dim = 6, .attention_dim = 7, .dtype = float64};
}

TEST(NnLocalAttention, EqualsPyTorch) {
  fixtures::expect_equals_pytorch("local_monotonic", nn::LocalAttention(small(), {.window = 1}));
  fixtures::expect_equals_pytorch("local_predictive", nn::LocalAttention(small(), {.predictive = true, .window = 2}));
}

// The window cuts off positions at both ends and in the middle.
TEST(NnLocalAttention, GradientsOfANarrowWindow) {
  const Tensor queries = autograd::randn({2, 3, 2}, float64);
  const Tensor outputs = autograd::randn({2, 7, 6}, float64);
  const Tensor mask = autograd::length_mask({7, 4});
  for (const std::int64_t window : {1, 2}) {
    const nn::LocalAttention monotonic(small(), {.window = window});
    EXPECT_TRUE(fixtures::check_steps(monotonic, queries, outputs, mask));
    const nn::LocalAttention predictive(small(), {.predictive = true, .window = window});
    EXPECT_TRUE(fixtures::check_steps(predictive, queries, outputs, mask));
  }
}

TEST(NnLocalAttention, MonotonicMovesOnePositionPerStep) {
  const nn::LocalAttention attention(small(), {.window = 1});
  const nn::AttentionSource source = attention.read_source(autograd::randn({1, 4, 6}, float64));
  const Tensor weights = fixtures::run_steps(attention, autograd::randn({1, 6, 2}, float64), source).weights[0];
  for (std::int64_t t = 0; t < 6; ++t) {
    for (std::int64_t i = 0; i < 4; ++i) {
      EXPECT_EQ(weights.at({t, i}) > 0.0, std::abs(t - i) <= 1) << "step " << t << ", position " << i;
    }
  }
  // From step S + D on there is nothing to look at.
  EXPECT_NEAR(weights[4].sum().item(), 1.0, 1e-12);
  EXPECT_EQ(weights[5].sum().item(), 0.0);
}

TEST(NnLocalAttention, AWideWindowIsGeneralAttention) {
  const nn::LocalAttention local(small());
  const nn::GeneralAttention general(small());
  general.load_state_dict(local.state_dict());
  const Tensor queries = autograd::randn({2, 3, 2}, float64);
  const Tensor outputs = autograd::randn({2, 5, 6}, float64);
  const auto found = fixtures::run_steps(local, queries, local.read_source(outputs));
  const auto expected = fixtures::run_steps(general, queries, general.read_source(outputs));
  EXPECT_TRUE(fixtures::near(found.contexts, expected.contexts));
  EXPECT_TRUE(fixtures::near(found.weights, expected.weights));
}

// W_p = 0 puts p_t at half of the sentence, wherever the padding ends: 6 / 2 = 3 and 4 / 2 = 2. W_a = 0 makes all
// scores equal. D = 2, sigma = 1.
TEST(NnLocalAttention, PredictiveByHand) {
  const nn::LocalAttention attention(small(), {.predictive = true, .window = 2});
  for (const Tensor& parameter : attention.parameters()) nn::init::zeros_(parameter);
  const nn::AttentionSource source =
      attention.read_source(autograd::randn({2, 6, 6}, float64), autograd::length_mask({6, 4}));
  nn::AttentionMemory memory;
  const Tensor weights = attention(autograd::randn({2, 2}, float64), source, memory).weights;
  const double one = std::exp(-0.5);  // one word from the centre
  const double two = std::exp(-2.0);
  const Tensor expected = autograd::tensor({{0, two / 5, one / 5, 1.0 / 5, one / 5, two / 5},  //
                                            {two / 4, one / 4, 1.0 / 4, one / 4, 0, 0}},
                                           float64);
  EXPECT_TRUE(fixtures::near(weights, expected));
  EXPECT_EQ(attention.centre(autograd::randn({1, 2}, float64), autograd::tensor({{6.0}}, float64), 0).item(), 3.0);
}

TEST(NnLocalAttention, ErrorsAreClear) {
  EXPECT_TRUE(fixtures::says("nn_attention", {fixtures::message_of(ErrorId::bad_argument, [] {
                               nn::LocalAttention(small(), {.window = 0});
                             })}));
}

}  // namespace nn_local_attention_test
