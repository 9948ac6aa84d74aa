#include <nn/attention/multi_head_attention.h>
#include <nn/gradcheck.h>

#include "tests/nn/attention/attention_steps.h"
#include "tests/support/golden.h"

namespace nn_multi_head_attention_test {

using autograd::ErrorId;
using autograd::float64;
using autograd::Tensor;

nn::MultiHeadAttentionOptions small() {
  return {.embed_dim = 6, .num_heads = 2, .dtype = float64};
}

nn::MultiHeadAttentionOptions options_of(const fixtures::Call& call) {
  return {.embed_dim = call.at(0),
          .num_heads = call.at(1),
          .bias = call.flag("bias", true),
          .kdim = call.integer("kdim", 0),
          .vdim = call.integer("vdim", 0),
          .dtype = float64};
}

// The biases start as 0, which would hide what is done with them.
void fill_biases(const nn::MultiHeadAttention& attention) {
  nn::init::normal_(attention.in_proj_bias);
  nn::init::normal_(attention.out_proj.bias);
}

// ---- against PyTorch -------------------------------------------------------------------------------------------

class NnMultiHeadAttention : public testing::TestWithParam<std::string> {};

TEST_P(NnMultiHeadAttention, EqualsPyTorch) {
  fixtures::ModuleCase one(GetParam(), "attention.json");
  const nn::MultiHeadAttention attention(options_of(one.call()));
  one.load(attention);
  // The case has the inputs x; query and memory; or query, key and value.
  const auto first_defined = [&](const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      if (one.input(name).defined()) return one.input(name);
    }
    return Tensor();
  };
  const Tensor query = first_defined({"query", "x"});
  const Tensor key = first_defined({"key", "memory", "x"});
  const Tensor value = first_defined({"value", "memory", "x"});
  const bool causal = one.json()["note"].get<std::string>().find("causal=True") != std::string::npos;
  const auto [output, weights] = attention(query, key, value, {.mask = one.input("mask"), .causal = causal});
  one.check(attention, {{"output", output}, {"weights", weights}});
}
INSTANTIATE_TEST_SUITE_P(Fixtures, NnMultiHeadAttention,
                         testing::ValuesIn(fixtures::ids("attention.json", "multi_head/")), fixtures::test_name);

// ---- gradients -------------------------------------------------------------------------------------------------

TEST(NnMultiHeadAttentionGradients, OfEverySizeAndMask) {
  const nn::MultiHeadAttention attention(
      {.embed_dim = 6, .num_heads = 3, .qdim = 2, .kdim = 5, .vdim = 4, .dtype = float64});
  fill_biases(attention);
  const Tensor query = autograd::randn({2, 3, 2}, float64);
  const Tensor key = autograd::randn({2, 4, 5}, float64);
  const Tensor value = autograd::randn({2, 4, 4}, float64);
  const Tensor mask = autograd::length_mask({4, 2});
  const auto run = [&] {
    const auto [output, weights] = attention(query, key, value, {.mask = mask, .causal = true});
    return autograd::cat({output.flatten(), weights.flatten()});
  };
  EXPECT_TRUE(nn::gradcheck(attention, run, {query, key, value}, {.second_order = true}));
}

TEST(NnMultiHeadAttentionGradients, OfSelfAttention) {
  const nn::MultiHeadAttention attention(small());
  fill_biases(attention);
  const Tensor x = autograd::randn({2, 3, 6}, float64);
  const auto run = [&] { return attention(x, x, x).output; };
  EXPECT_TRUE(nn::gradcheck(attention, run, {x}, {.second_order = true}));
}

TEST(NnMultiHeadAttentionGradients, WithDropout) {
  const nn::MultiHeadAttention attention({.embed_dim = 6, .num_heads = 2, .dropout = 0.4, .dtype = float64});
  fill_biases(attention);
  const Tensor x = autograd::randn({2, 3, 6}, float64);
  EXPECT_TRUE(nn::gradcheck(attention, [&] { return attention(x, x, x).output; }, {x}, {.reseed = true}));
}

// ---- masks -----------------------------------------------------------------------------------------------------

TEST(NnMultiHeadAttentionMasks, ACausalQuerySeesNothingLater) {
  const nn::MultiHeadAttention attention(small());
  const Tensor x = autograd::randn({1, 4, 6}, float64);
  const auto all = attention(x, x, x, {.causal = true});
  for (std::int64_t t = 0; t < 4; ++t) {
    const Tensor so_far = x.narrow(1, 0, t + 1);
    const Tensor query = x.narrow(1, t, 1);
    EXPECT_TRUE(fixtures::near(all.output.narrow(1, t, 1), attention(query, so_far, so_far).output));
    EXPECT_EQ(all.weights.select(1, t).narrow(1, t + 1, 3 - t).to_vector(),
              std::vector<double>(static_cast<std::size_t>(3 - t), 0.0));
  }
}

// As a Transformer decodes: the keys of each new word are appended to those of the words before.
TEST(NnMultiHeadAttentionMasks, AKeptSourceGrowsWordByWord) {
  const nn::MultiHeadAttention attention(small());
  fill_biases(attention);
  const Tensor x = autograd::randn({2, 4, 6}, float64);
  const auto all = attention(x, x, x, {.causal = true});
  nn::ProjectedKeys kept;
  for (std::int64_t t = 0; t < 4; ++t) {
    const Tensor word = x.narrow(1, t, 1);
    const nn::ProjectedKeys now = attention.precompute(word, word);
    kept.keys = t == 0 ? now.keys : autograd::cat({kept.keys, now.keys}, 1);
    kept.values = t == 0 ? now.values : autograd::cat({kept.values, now.values}, 1);
    EXPECT_TRUE(fixtures::near(all.output.narrow(1, t, 1), attention(word, kept, {.causal = true}).output));
  }
}

TEST(NnMultiHeadAttentionMasks, PaddingHasNoInfluence) {
  const nn::MultiHeadAttention attention(small());
  fill_biases(attention);
  const Tensor query = autograd::randn({2, 3, 6}, float64);
  const Tensor key = autograd::randn({2, 4, 6}, float64);
  const Tensor value = autograd::randn({2, 4, 6}, float64);
  const Tensor padded_key = fixtures::with_nan_padding(key, 2).requires_grad_();
  const Tensor padded_value = fixtures::with_nan_padding(value, 2).requires_grad_();
  const auto [output, weights] = attention(query, padded_key, padded_value, {.mask = autograd::length_mask({4, 4}, 6)});
  EXPECT_TRUE(fixtures::near(output, attention(query, key, value).output));
  EXPECT_EQ(weights.narrow(2, 4, 2).to_vector(), std::vector<double>(12, 0.0));
  output.backward(autograd::randn(output.shape(), float64));
  EXPECT_TRUE(autograd::all_finite(attention.in_proj_weight.grad()));
  EXPECT_EQ(padded_key.grad().narrow(1, 4, 2).to_vector(), std::vector<double>(24, 0.0));
  EXPECT_EQ(padded_value.grad().narrow(1, 4, 2).to_vector(), std::vector<double>(24, 0.0));
}

TEST(NnMultiHeadAttentionMasks, AQueryThatSeesNothingGetsTheBias) {
  const nn::MultiHeadAttention attention(small());
  fill_biases(attention);
  const Tensor x = autograd::randn({2, 3, 6}, float64).requires_grad_();
  const Tensor mask = autograd::mask({{true, true, true}, {false, false, false}});
  const auto [output, weights] = attention(x, x, x, {.mask = mask});
  EXPECT_EQ(weights[1].to_vector(), std::vector<double>(9, 0.0));
  EXPECT_TRUE(fixtures::near(output[1], attention.out_proj.bias.expand({3, 6})));
  output.backward(autograd::randn({2, 3, 6}, float64));
  EXPECT_EQ(x.grad()[1].to_vector(), std::vector<double>(18, 0.0));
  EXPECT_TRUE(autograd::all_finite(attention.in_proj_weight.grad()));
}

TEST(NnMultiHeadAttentionMasks, OneWordAndOneToken) {
  const nn::MultiHeadAttention attention(small());
  const Tensor one = autograd::randn({1, 1, 6}, float64);
  EXPECT_EQ(attention(one, one, one, {.causal = true}).weights.to_vector(), std::vector<double>{1.0});
  const Tensor three = autograd::randn({1, 3, 6}, float64);
  const auto output = attention(three, three, three, {.mask = autograd::mask({{false, true, false}})});
  EXPECT_EQ(output.weights.to_vector(), (std::vector<double>{0, 1, 0, 0, 1, 0, 0, 1, 0}));
}

// ---- properties ------------------------------------------------------------------------------------------------

TEST(NnMultiHeadAttentionProperties, OneHeadOfUnitProjectionsIsScaledDotProduct) {
  const nn::MultiHeadAttention attention({.embed_dim = 4, .num_heads = 1, .bias = false, .dtype = float64});
  const Tensor unit = autograd::eye(4, float64);
  attention.load_state_dict({{"in_proj_weight", autograd::cat({unit, unit, unit})}, {"out_proj.weight", unit}});
  const Tensor query = autograd::randn({2, 3, 4}, float64);
  const Tensor key = autograd::randn({2, 5, 4}, float64);
  const Tensor value = autograd::randn({2, 5, 4}, float64);
  const auto [output, weights] = attention(query, key, value);
  const Tensor expected = (autograd::bmm(query, key.transpose(1, 2)) / 2.0).softmax(-1);  // sqrt(4) = 2
  EXPECT_TRUE(fixtures::near(weights, expected));
  EXPECT_TRUE(fixtures::near(output, autograd::bmm(expected, value)));
}

TEST(NnMultiHeadAttentionProperties, NamesAndInitialValues) {
  const nn::MultiHeadAttention same({.embed_dim = 4, .num_heads = 2});
  EXPECT_EQ(fixtures::parameter_names(same),
            (std::vector<std::string>{"in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias"}));
  EXPECT_EQ(same.in_proj_bias.to_vector(), std::vector<double>(12, 0.0));
  EXPECT_EQ(same.out_proj.bias.to_vector(), std::vector<double>(4, 0.0));
  const double bound = std::sqrt(6.0 / (12 + 4));
  EXPECT_LE(same.in_proj_weight.abs().amax().item(), bound);
  EXPECT_GT(same.in_proj_weight.abs().amax().item(), 0.7 * bound);

  const nn::MultiHeadAttention other({.embed_dim = 4, .num_heads = 2, .bias = false, .vdim = 3});
  EXPECT_EQ(fixtures::parameter_names(other),
            (std::vector<std::string>{"q_proj_weight", "k_proj_weight", "v_proj_weight", "out_proj.weight"}));
  EXPECT_TRUE(fixtures::has_shape(other.v_proj_weight, {4, 3}));
}

TEST(NnMultiHeadAttentionProperties, ReturnsTheWeightsOfEachHead) {
  const nn::MultiHeadAttention attention({.embed_dim = 4, .num_heads = 2});
  const Tensor x = autograd::randn({2, 3, 4});
  const Tensor heads = attention(x, x, x, {.causal = true, .average_attn_weights = false}).weights;
  const Tensor average = attention(x, x, x, {.causal = true}).weights;
  EXPECT_EQ(heads.shape(), autograd::Shape({2, 2, 3, 3}));
  EXPECT_TRUE(autograd::allclose(heads.mean(1), average));
  EXPECT_FALSE(autograd::allclose(heads.select(1, 0), average));
}

TEST(NnMultiHeadAttentionProperties, DropoutActsInTrainingOnlyAndNotOnTheWeightsReturned) {
  nn::MultiHeadAttention attention({.embed_dim = 6, .num_heads = 2, .dropout = 0.5, .dtype = float64});
  const Tensor x = autograd::randn({2, 5, 6}, float64);
  const auto in_training = attention(x, x, x);
  attention.eval();
  const auto in_use = attention(x, x, x);
  EXPECT_FALSE(fixtures::near(in_training.output, in_use.output));
  EXPECT_TRUE(fixtures::near(in_training.weights, in_use.weights));
  EXPECT_TRUE(fixtures::near(attention(x, x, x).output, in_use.output));
}

TEST(NnMultiHeadAttentionProperties, EveryNodeKnowsItsModuleAndTheCaller) {
  const nn::MultiHeadAttention attention(small());
  const Tensor x = autograd::randn({1, 2, 6}, float64);
  const int line = __LINE__ + 1;
  const auto output = attention(x, x, x);
  const autograd::Node* node = output.weights.grad_fn();
  EXPECT_EQ(autograd::scope_path(node->scope), "MultiHeadAttention");
  EXPECT_EQ(autograd::scope_origin(node->scope).line, line);
}

// ---- errors ----------------------------------------------------------------------------------------------------

TEST(NnMultiHeadAttentionErrors, AreClear) {
  std::vector<std::string> said;
  const nn::MultiHeadAttention attention(small());
  const Tensor x = autograd::randn({2, 3, 6}, float64);
  const auto message = [&](ErrorId id, const Tensor& query, const Tensor& key, const Tensor& value,
                           const Tensor& mask = Tensor()) {
    return fixtures::message_of(id, [&] { attention(query, key, value, {.mask = mask}); });
  };
  said.push_back(message(ErrorId::shape_mismatch, x[0], x, x));
  said.push_back(message(ErrorId::shape_mismatch, x, x.narrow(2, 0, 5), x));
  said.push_back(message(ErrorId::shape_mismatch, x, x, x.narrow(1, 0, 2)));
  said.push_back(message(ErrorId::shape_mismatch, x, x, x, autograd::length_mask({4, 2})));
  said.push_back(message(ErrorId::dtype_mismatch, x, x, x, autograd::ones({2, 3})));
  fixtures::message_of(ErrorId::undefined_tensor, [&] { attention(x, nn::ProjectedKeys{}); });
  said.push_back(
      fixtures::message_of(ErrorId::bad_argument, [] { nn::MultiHeadAttention({.embed_dim = 6, .num_heads = 4}); }));
  fixtures::message_of(ErrorId::bad_argument, [] { nn::MultiHeadAttention({.num_heads = 2}); });
  fixtures::message_of(ErrorId::bad_argument, [] { nn::MultiHeadAttention({.embed_dim = 6, .dropout = 1.5}); });
  EXPECT_TRUE(fixtures::says("nn_attention", said));
}

// ---- one step of a decoder -------------------------------------------------------------------------------------

TEST(NnMultiHeadAttentionOfOneQuery, EqualsPyTorch) {
  const nn::MultiHeadAttention attention({.embed_dim = 6, .num_heads = 3, .qdim = 2, .dtype = float64});
  fixtures::expect_equals_pytorch("multi_head", attention, {}, {{"multi_head", ""}});
}

TEST(NnMultiHeadAttentionOfOneQuery, IsItsOwnCallWithOneQuery) {
  const nn::MultiHeadAttention attention(small());
  fill_biases(attention);
  const Tensor query = autograd::randn({2, 6}, float64);
  const Tensor outputs = autograd::randn({2, 4, 6}, float64);
  const Tensor mask = autograd::length_mask({4, 1});
  nn::AttentionMemory memory;
  const auto found = attention(query, attention.read_source(outputs, mask), memory);
  const auto expected = attention(query.unsqueeze(1), outputs, outputs, {.mask = mask});
  EXPECT_TRUE(fixtures::near(found.context, expected.output.squeeze(1)));
  EXPECT_TRUE(fixtures::near(found.weights, expected.weights.squeeze(1)));
}

}  // namespace nn_multi_head_attention_test
