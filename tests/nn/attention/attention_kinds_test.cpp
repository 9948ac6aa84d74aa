#include <nn/attention/attention_kinds.h>
#include <nn/attention/local_attention.h>
#include <nn/attention/multi_head_attention.h>
#include <nn/attention/score_functions.h>

#include <map>

#include "tests/nn/attention/attention_steps.h"
#include "tests/support/golden.h"

namespace nn_attention_kinds_test {

using autograd::ErrorId;
using autograd::Tensor;

const nn::AttentionOptions sizes{.decoder_dim = 4, .encoder_dim = 6};

TEST(NnAttentionKinds, HaveTheirNamesAndParameters) {
  const std::vector<std::string> additive{"W_dec.weight", "W_enc.weight", "v.weight"};
  const std::map<std::string, std::vector<std::string>> expected{
      {"additive", additive},
      {"concat", {"W_a.weight", "v_a.weight"}},
      {"dot", {"W_k.weight"}},
      {"scaled_dot", {"W_k.weight"}},
      {"general", {"W_a.weight"}},
      {"local_monotonic", {"W_a.weight"}},
      {"local_predictive", {"W_a.weight", "W_p.weight", "v_p.weight"}},
      {"coverage", {"W_dec.weight", "W_enc.weight", "v.weight", "W_c.weight"}},
      {"hierarchical",
       {"word.W_dec.weight", "word.W_enc.weight", "word.v.weight", "sentence.W_dec.weight", "sentence.W_enc.weight",
        "sentence.v.weight"}},
      {"multi_head",
       {"q_proj_weight", "k_proj_weight", "v_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias"}},
  };
  EXPECT_EQ(nn::attention_kinds().size(), expected.size());
  for (const std::string& kind : nn::attention_kinds()) {
    const auto attention = nn::make_attention(kind, sizes);
    EXPECT_EQ(fixtures::parameter_names(*attention), expected.at(kind)) << kind;
    EXPECT_EQ(attention->options.attention_dim, 4) << kind;
    for (const auto& [name, parameter] : attention->named_parameters()) EXPECT_EQ(parameter.name(), name) << kind;
  }
}

TEST(NnAttentionKinds, AreMadeWithTheirDefaults) {
  const auto monotonic = nn::make_attention("local_monotonic", sizes);
  const auto predictive = nn::make_attention("local_predictive", sizes);
  EXPECT_FALSE(dynamic_cast<const nn::LocalAttention&>(*monotonic).local.predictive);
  EXPECT_TRUE(dynamic_cast<const nn::LocalAttention&>(*predictive).local.predictive);
  EXPECT_EQ(dynamic_cast<const nn::LocalAttention&>(*predictive).local.window, 10);
  for (const auto& [size, heads] : std::map<std::int64_t, std::int64_t>{{512, 8}, {12, 4}, {6, 2}, {5, 1}}) {
    const auto multi_head = nn::make_attention("multi_head", {.decoder_dim = 3, .encoder_dim = size});
    EXPECT_EQ(dynamic_cast<const nn::MultiHeadAttention&>(*multi_head).options.num_heads, heads);
  }
  for (const std::string& kind : nn::attention_kinds()) {
    EXPECT_EQ(nn::make_attention(kind, sizes)->keeps_coverage(), kind == "coverage") << kind;
  }
}

TEST(NnAttentionKinds, DotProductsProjectTheKeysOnlyIfTheyMust) {
  const auto differ = nn::make_attention("dot", sizes);
  const auto equal = nn::make_attention("scaled_dot", {.decoder_dim = 4, .encoder_dim = 4});
  EXPECT_TRUE(dynamic_cast<const nn::DotAttention&>(*differ).dot.project_keys);
  EXPECT_FALSE(dynamic_cast<const nn::DotAttention&>(*differ).dot.scaled);
  EXPECT_FALSE(dynamic_cast<const nn::DotAttention&>(*equal).dot.project_keys);
  EXPECT_TRUE(dynamic_cast<const nn::DotAttention&>(*equal).dot.scaled);
}

TEST(NnAttentionKinds, AnUnknownNameIsAnErrorThatListsThem) {
  const std::string message =
      fixtures::message_of(ErrorId::bad_argument, [] { nn::make_attention("addditive", sizes); });
  EXPECT_TRUE(fixtures::says("nn_attention", {message}));
  EXPECT_TRUE(fixtures::mentions(message, nn::attention_kinds()));
}

}  // namespace nn_attention_kinds_test
