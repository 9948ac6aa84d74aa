#include <nn/attention/additive_attention.h>

#include <limits>

#include "tests/nn/nn_fixtures.h"
#include "tests/support/golden.h"

namespace nn_attention_test {

using autograd::ErrorId;
using autograd::float64;
using autograd::Tensor;

nn::AdditiveAttentionOptions options_of(const fixtures::Call& call) {
  return {.decoder_dim = call.at(0),
          .encoder_dim = call.at(1),
          .attention_dim = call.integer("attention_dim", 0),
          .dtype = float64};
}

nn::AdditiveAttentionOptions small() {
  return {.decoder_dim = 2, .encoder_dim = 6, .attention_dim = 5, .dtype = float64};
}

// ---- against PyTorch: the forms of the course's documents ----------------------------------------------------

class NnAttention : public testing::TestWithParam<std::string> {};

TEST_P(NnAttention, OneQueryEqualsPyTorch) {
  fixtures::ModuleCase one(GetParam());
  const nn::AdditiveAttention attention(options_of(one.call()));
  one.load(attention);
  const auto [context, weights] =
      attention(one.input("decoder_state"), one.input("encoder_outputs"), one.input("mask"));
  one.check(attention, {{"context", context}, {"weights", weights}});
}

TEST_P(NnAttention, PrecomputedKeysEqualPyTorch) {
  fixtures::ModuleCase one(GetParam());
  const nn::AdditiveAttention attention(options_of(one.call()));
  one.load(attention);
  const nn::ProjectedKeys source = attention.precompute(one.input("encoder_outputs"));
  const auto [context, weights] = attention(one.input("decoder_state"), source, one.input("mask"));
  one.check(attention, {{"context", context}, {"weights", weights}});
}
INSTANTIATE_TEST_SUITE_P(Fixtures, NnAttention, testing::ValuesIn(fixtures::ids("modules.json", "attention/000")),
                         fixtures::test_name);

class NnAttentionAllSteps : public testing::TestWithParam<std::string> {};

TEST_P(NnAttentionAllSteps, EqualsPyTorch) {
  fixtures::ModuleCase one(GetParam());
  const nn::AdditiveAttention attention(options_of(one.call()));
  one.load(attention);
  const nn::ProjectedKeys source = attention.precompute(one.input("encoder_outputs"));
  const Tensor queries = one.input("decoder_states");
  const auto [context, weights] = attention(queries, source, one.input("mask"));
  one.check(attention, {{"context", context}, {"weights", weights}, {"scores", attention.scores(queries, source)}});
}
INSTANTIATE_TEST_SUITE_P(Fixtures, NnAttentionAllSteps,
                         testing::ValuesIn(fixtures::ids("modules.json", "attention/all_pairs")), fixtures::test_name);

TEST(NnAttentionForms, SeparateKeysAndValuesWithBiases) {
  fixtures::ModuleCase one("attention/002");
  const std::int64_t hidden = one.call().at(0);
  const nn::AdditiveAttention attention({.decoder_dim = hidden, .encoder_dim = hidden, .bias = true, .dtype = float64});
  one.load(attention, {{"W_q", "W_dec"}, {"W_k", "W_enc"}});
  const auto [context, weights] =
      attention(one.input("query"), attention.precompute(one.input("keys"), one.input("values")));
  EXPECT_EQ(weights.shape(), (autograd::Shape{2, 1, 3}));
  one.check(attention, {{"context", context}, {"weights", weights.squeeze(1)}});
}

TEST(NnAttentionForms, Keras) {
  fixtures::ModuleCase one("attention/003");
  const nn::AdditiveAttention attention({.decoder_dim = one.call().at(0),
                                         .encoder_dim = one.call().at(1),
                                         .attention_dim = one.call().at(2),
                                         .bias = true,
                                         .dtype = float64});
  one.load(attention, {{"W1", "W_dec"}, {"W2", "W_enc"}, {"V", "v"}});
  const auto [context, weights] = attention(one.input("query"), one.input("values"));
  one.check(attention, {{"context", context}, {"weights", weights.unsqueeze(-1)}});
}

// ---- properties ----------------------------------------------------------------------------------------------

TEST(NnAttentionProperties, AllStepsEqualOneStepAtATime) {
  const nn::AdditiveAttention attention(small());
  const Tensor queries = autograd::randn({3, 4, 2}, float64);
  const nn::ProjectedKeys source = attention.precompute(autograd::randn({3, 5, 6}, float64));
  const Tensor mask = autograd::length_mask({5, 1, 3});
  const auto [context, weights] = attention(queries, source, mask);
  for (std::int64_t t = 0; t < 4; ++t) {
    const auto one = attention(queries.select(1, t), source, mask);
    EXPECT_TRUE(fixtures::near(context.select(1, t), one.context));
    EXPECT_TRUE(fixtures::near(weights.select(1, t), one.weights));
  }
}

TEST(NnAttentionProperties, AStepOfADecoderIsItsOwnCall) {
  const nn::AdditiveAttention attention(small());
  const Tensor query = autograd::randn({3, 2}, float64);
  const Tensor outputs = autograd::randn({3, 4, 6}, float64);
  const Tensor mask = autograd::length_mask({4, 1, 3});
  nn::AttentionMemory memory;
  const auto found = attention(query, attention.read_source(outputs, mask), memory);
  const auto expected = attention(query, outputs, mask);
  EXPECT_EQ(found.context.to_vector(), expected.context.to_vector());
  EXPECT_EQ(found.weights.to_vector(), expected.weights.to_vector());
}

TEST(NnAttentionProperties, AMaskOfEveryStepIsTakenRowByRow) {
  const nn::AdditiveAttention attention(small());
  const Tensor queries = autograd::randn({1, 2, 2}, float64);
  const Tensor values = autograd::randn({1, 3, 6}, float64);
  const Tensor first = autograd::mask({{true, true, false}});
  const Tensor second = autograd::mask({{false, true, true}});
  const auto both = attention(queries, values, autograd::stack({first, second}, 1));
  EXPECT_TRUE(fixtures::near(both.weights.select(1, 0), attention(queries.select(1, 0), values, first).weights));
  EXPECT_TRUE(fixtures::near(both.weights.select(1, 1), attention(queries.select(1, 1), values, second).weights));
}

TEST(NnAttentionProperties, AFullyMaskedRowIsZeroAndHasNoGradient) {
  const nn::AdditiveAttention attention(small());
  const Tensor query = autograd::randn({2, 2}, float64).requires_grad_();
  const Tensor values = autograd::randn({2, 3, 6}, float64).requires_grad_();
  const Tensor mask = autograd::mask({{true, true, false}, {false, false, false}});
  const auto [context, weights] = attention(query, values, mask);
  EXPECT_EQ(weights.select(0, 1).to_vector(), std::vector<double>(3, 0.0));
  EXPECT_EQ(context.select(0, 1).to_vector(), std::vector<double>(6, 0.0));
  autograd::backward({context, weights}, {autograd::randn({2, 6}, float64), autograd::randn({2, 3}, float64)});
  EXPECT_EQ(query.grad().select(0, 1).to_vector(), std::vector<double>(2, 0.0));
  EXPECT_EQ(values.grad().select(0, 1).to_vector(), std::vector<double>(18, 0.0));
  EXPECT_TRUE(autograd::all_finite(query.grad()));
  for (const Tensor& parameter : attention.parameters()) {
    EXPECT_TRUE(autograd::all_finite(parameter.grad()));
    EXPECT_GT(parameter.grad().abs().amax().item(), 0.0);
  }
}

TEST(NnAttentionProperties, PaddingHasNoInfluence) {
  const nn::AdditiveAttention attention(small());
  const Tensor query = autograd::randn({1, 2}, float64);
  const Tensor values = autograd::randn({1, 3, 6}, float64);
  const Tensor padded = autograd::cat({values, autograd::randn({1, 2, 6}, float64)}, 1);
  const auto [context, weights] = attention(query, padded, autograd::length_mask({3}, 5));
  EXPECT_TRUE(fixtures::near(context, attention(query, values).context));
  EXPECT_EQ(weights.narrow(1, 3, 2).to_vector(), std::vector<double>(2, 0.0));
}

// 0 * NaN is NaN, so a weight of 0 alone does not keep it out.
void check_that_padding_is_not_read(const nn::AdditiveAttention& attention, const Tensor& query, double bad,
                                    const Tensor& mask) {
  const Tensor values = autograd::randn({2, 3, 6}, float64);
  const Tensor clean = attention(query, values).context;
  const Tensor cotangent = autograd::randn(clean.shape(), float64);
  clean.backward(cotangent);
  std::vector<Tensor> expected;
  for (const Tensor& parameter : attention.parameters()) expected.push_back(parameter.grad());
  attention.zero_grad();

  const Tensor padding = autograd::full({2, 2, 6}, bad, float64);
  const Tensor padded = autograd::cat({values, padding}, 1).requires_grad_();
  const auto [context, weights] = attention(query, padded, mask);
  EXPECT_TRUE(fixtures::near(context, clean.detach()));
  EXPECT_EQ(weights.narrow(-1, 3, 2).abs().amax().item(), 0.0);
  context.backward(cotangent);
  EXPECT_TRUE(autograd::all_finite(padded.grad()));
  EXPECT_EQ(padded.grad().narrow(1, 3, 2).abs().amax().item(), 0.0);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_TRUE(fixtures::near(attention.parameters()[i].grad(), expected[i])) << i;
  }
  attention.zero_grad();
}

TEST(NnAttentionProperties, NotANumberAtThePaddingHasNoInfluence) {
  const nn::AdditiveAttention attention(small());
  const Tensor mask = autograd::length_mask({3, 3}, 5);
  const auto check_all = [&] {
    for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
      check_that_padding_is_not_read(attention, autograd::randn({2, 2}, float64), bad, mask);
      check_that_padding_is_not_read(attention, autograd::randn({2, 4, 2}, float64), bad, mask);
      const Tensor mask_of_steps = mask.unsqueeze(1).expand({2, 4, 5});
      check_that_padding_is_not_read(attention, autograd::randn({2, 4, 2}, float64), bad, mask_of_steps);
    }
  };
  check_all();
  fixtures::Scopes scopes;
  const autograd::ObserverGuard somebody_looks_on(scopes);  // op by op
  check_all();
}

// Two batches, each with its own keys: nothing is left over from the first.
TEST(NnAttentionProperties, PrecomputedKeysAreValues) {
  const nn::AdditiveAttention attention(small());
  const Tensor query = autograd::randn({1, 2}, float64);
  const Tensor first = autograd::randn({1, 3, 6}, float64);
  const Tensor second = autograd::randn({1, 4, 6}, float64);
  const nn::ProjectedKeys of_first = attention.precompute(first);
  const nn::ProjectedKeys of_second = attention.precompute(second);
  EXPECT_TRUE(fixtures::near(attention(query, of_first).context, attention(query, first).context));
  EXPECT_TRUE(fixtures::near(attention(query, of_second).context, attention(query, second).context));
}

TEST(NnAttentionProperties, TheBiasOfVHasNoGradient) {
  const nn::AdditiveAttention attention(
      {.decoder_dim = 2, .encoder_dim = 6, .attention_dim = 5, .bias = true, .dtype = float64});
  const auto output = attention(autograd::randn({3, 2}, float64), autograd::randn({3, 4, 6}, float64));
  output.context.backward(autograd::randn({3, 6}, float64));
  EXPECT_NEAR(attention.v.bias.grad().item(), 0.0, 1e-15);
  EXPECT_GT(attention.v.weight.grad().abs().amax().item(), 1e-3);
}

TEST(NnAttentionProperties, NamesAndDefaults) {
  const nn::AdditiveAttention attention({.decoder_dim = 4, .encoder_dim = 6});
  EXPECT_EQ(attention.options.attention_dim, 4);
  std::vector<std::string> names;
  for (const auto& [name, parameter] : attention.named_parameters()) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"W_dec.weight", "W_enc.weight", "v.weight"}));
}

TEST(NnAttentionProperties, EveryNodeKnowsItsModuleAndTheCaller) {
  const nn::AdditiveAttention attention(small());
  const Tensor query = autograd::randn({3, 2}, float64);
  const Tensor values = autograd::randn({3, 4, 6}, float64);
  const int line = __LINE__ + 1;
  const auto output = attention(query, values);
  const autograd::Node* node = output.context.grad_fn();
  EXPECT_EQ(autograd::scope_path(node->scope), "AdditiveAttention");
  EXPECT_EQ(autograd::scope_origin(node->scope).line, line);
  EXPECT_TRUE(std::string(node->called_at.file).ends_with("nn/attention/additive_attention.cpp"));
}

// ---- errors --------------------------------------------------------------------------------------------------

TEST(NnAttentionErrors, AreClear) {
  std::vector<std::string> said;
  const nn::AdditiveAttention attention(small());
  const Tensor query = autograd::randn({3, 2}, float64);
  const Tensor values = autograd::randn({3, 4, 6}, float64);
  said.push_back(fixtures::message_of(ErrorId::shape_mismatch, [&] {
    attention(autograd::randn({3, 6}, float64), values);
  }));
  said.push_back(fixtures::message_of(ErrorId::shape_mismatch, [&] {
    attention(query, autograd::randn({3, 4, 2}, float64));
  }));
  said.push_back(fixtures::message_of(ErrorId::shape_mismatch, [&] {
    attention(query, values, autograd::length_mask({4, 2}));
  }));
  // Values in the place of the mask, as one would write from seed 002.
  said.push_back(fixtures::message_of(ErrorId::dtype_mismatch, [&] { attention(query, values, values); }));
  fixtures::message_of(ErrorId::undefined_tensor, [&] { attention(Tensor(), values); });
  fixtures::message_of(ErrorId::undefined_tensor, [&] { attention(query, nn::ProjectedKeys{}); });
  fixtures::message_of(ErrorId::bad_argument, [] { nn::AdditiveAttention({.decoder_dim = 3}); });
  EXPECT_TRUE(fixtures::says("nn_attention", said));
}

}  // namespace nn_attention_test
