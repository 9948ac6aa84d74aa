#include <nn/attention/attention_kinds.h>
#include <nn/attention/score_functions.h>

#include "tests/nn/attention/attention_steps.h"
#include "tests/support/golden.h"

namespace nn_score_functions_test {

using autograd::ErrorId;
using autograd::float64;
using autograd::Tensor;

nn::AttentionOptions small() {
  return {.decoder_dim = 2, .encoder_dim = 6, .attention_dim = 7, .dtype = float64};
}
nn::AttentionOptions equal() {
  return {.decoder_dim = 6, .encoder_dim = 6, .dtype = float64};
}

nn::AttentionMechanism::Output first_step(const nn::AttentionMechanism& attention, const Tensor& query,
                                          const Tensor& outputs) {
  nn::AttentionMemory memory;
  return attention(query, attention.read_source(outputs), memory);
}

TEST(NnScoreFunctions, EqualPyTorch) {
  fixtures::expect_equals_pytorch("additive", *nn::make_attention("additive", small()));
  fixtures::expect_equals_pytorch("concat", nn::ConcatAttention(small()));
  fixtures::expect_equals_pytorch("dot", nn::DotAttention(equal()));
  fixtures::expect_equals_pytorch("scaled_dot", nn::DotAttention(equal(), {.scaled = true}));
  fixtures::expect_equals_pytorch("dot_projected", nn::DotAttention(small(), {.scaled = true, .project_keys = true}));
  fixtures::expect_equals_pytorch("general", nn::GeneralAttention(small()));
}

// W_a = [W_dec, W_enc].
TEST(NnScoreFunctions, ConcatIsAdditive) {
  const auto additive = nn::make_attention("additive", small());
  const nn::ConcatAttention concat(small());
  const nn::StateDict weights = additive->state_dict();
  concat.load_state_dict({{"W_a.weight", autograd::cat({weights.at("W_dec.weight"), weights.at("W_enc.weight")}, 1)},
                          {"v_a.weight", weights.at("v.weight")}});
  const Tensor query = autograd::randn({3, 2}, float64);
  const Tensor outputs = autograd::randn({3, 4, 6}, float64);
  EXPECT_TRUE(
      fixtures::near(first_step(concat, query, outputs).weights, first_step(*additive, query, outputs).weights));
}

TEST(NnScoreFunctions, DotWithProjectedKeysIsGeneral) {
  const nn::GeneralAttention general(small());
  const nn::DotAttention dot(small(), {.project_keys = true});
  dot.load_state_dict({{"W_k.weight", general.W_a.weight}});
  const Tensor query = autograd::randn({3, 2}, float64);
  const Tensor outputs = autograd::randn({3, 4, 6}, float64);
  EXPECT_TRUE(fixtures::near(first_step(dot, query, outputs).context, first_step(general, query, outputs).context));
}

// 2 0, 0 2 and the zero vector against 1 3, by hand.
TEST(NnScoreFunctions, DotAndScaledDotByHand) {
  const nn::AttentionOptions two{.decoder_dim = 2, .encoder_dim = 2, .dtype = float64};
  const Tensor query = autograd::tensor({{1.0, 3.0}}, float64);
  const Tensor outputs = autograd::tensor({{{2.0, 0.0}, {0.0, 2.0}, {0.0, 0.0}}}, float64);
  const Tensor scores = autograd::tensor({{2.0, 6.0, 0.0}}, float64);
  EXPECT_TRUE(fixtures::near(first_step(nn::DotAttention(two), query, outputs).weights, scores.softmax(-1)));
  EXPECT_TRUE(fixtures::near(first_step(nn::DotAttention(two, {.scaled = true}), query, outputs).weights,
                             (scores / std::sqrt(2.0)).softmax(-1)));
}

TEST(NnScoreFunctions, DotProductsOfDifferentSizesAreAnError) {
  const std::string message = fixtures::message_of(ErrorId::bad_argument, [] { nn::DotAttention{small()}; });
  EXPECT_TRUE(fixtures::says("nn_attention", {message}));
}

}  // namespace nn_score_functions_test
