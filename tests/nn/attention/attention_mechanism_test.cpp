// What all kinds of attention have in common, for each of them.
#include <nn/attention/attention_kinds.h>
#include <nn/attention/attention_mechanism.h>
#include <nn/attention/hierarchical_attention.h>

#include "tests/nn/attention/attention_steps.h"
#include "tests/support/golden.h"
#include "tests/support/pattern.h"

namespace nn_attention_mechanism_test {

using autograd::ErrorId;
using autograd::float32;
using autograd::float64;
using autograd::Tensor;

nn::AttentionOptions small() {
  return {.decoder_dim = 3, .encoder_dim = 6, .attention_dim = 5, .dtype = float64};
}

// multi_head's biases start as 0, which would hide what is done with them.
std::unique_ptr<nn::AttentionMechanism> make(const std::string& kind, const nn::AttentionOptions& options) {
  std::unique_ptr<nn::AttentionMechanism> attention = nn::make_attention(kind, options);
  for (const auto& [name, parameter] : attention->named_parameters()) {
    if (parameter.dim() == 1) nn::init::normal_(parameter);
  }
  return attention;
}

class NnAttentionMechanism : public testing::TestWithParam<std::string> {
 protected:
  const std::unique_ptr<nn::AttentionMechanism> attention = make(GetParam(), small());
};

INSTANTIATE_TEST_SUITE_P(Kinds, NnAttentionMechanism, testing::ValuesIn(nn::attention_kinds()), fixtures::test_name);

// ---- gradients -------------------------------------------------------------------------------------------------

TEST_P(NnAttentionMechanism, GradientsOverSeveralSteps) {
  const Tensor queries = autograd::randn({2, 3, 3}, float64);
  const Tensor outputs = autograd::randn({2, 4, 6}, float64);
  // For hierarchical attention; the others pass over them. Without a choice its second level has no gradient.
  const Tensor segments = autograd::stack({autograd::mask({{true, true, false, false}, {true, false, false, false}}),
                                           autograd::mask({{false, false, true, true}, {false, true, true, false}})},
                                          1);
  EXPECT_TRUE(fixtures::check_steps(*attention, queries, outputs, autograd::length_mask({4, 3}), segments));
  EXPECT_TRUE(fixtures::check_steps(*attention, queries, outputs, Tensor(), segments));
}

TEST_P(NnAttentionMechanism, GradientsWithEqualSizes) {
  const auto equal = make(GetParam(), {.decoder_dim = 4, .encoder_dim = 4, .attention_dim = 3, .dtype = float64});
  const Tensor segments = autograd::mask({{true, true, false}, {false, false, true}}).unsqueeze(0);
  EXPECT_TRUE(fixtures::check_steps(*equal, autograd::randn({1, 2, 4}, float64), autograd::randn({1, 3, 4}, float64),
                                    Tensor(), segments));
}

TEST_P(NnAttentionMechanism, GradientsUnderDropout) {
  const auto thinned = make(GetParam(), {.decoder_dim = 3, .encoder_dim = 6, .dropout = 0.4, .dtype = float64});
  const Tensor queries = autograd::randn({1, 2, 3}, float64);
  const Tensor outputs = autograd::randn({1, 4, 6}, float64);
  const Tensor segments = autograd::mask({{true, true, false, false}, {false, false, true, true}}).unsqueeze(0);
  EXPECT_TRUE(fixtures::check_steps(*thinned, queries, outputs, Tensor(), segments, {.reseed = true}));
}

// ---- awkward shapes and masks ----------------------------------------------------------------------------------

TEST_P(NnAttentionMechanism, OneSentenceOfOneWord) {
  const Tensor queries = autograd::randn({1, 2, 3}, float64);
  const Tensor outputs = autograd::randn({1, 1, 6}, float64);
  const auto [contexts, weights, loss] = fixtures::run_steps(*attention, queries, attention->read_source(outputs));
  EXPECT_TRUE(fixtures::has_shape(contexts, {1, 2, 6}));
  EXPECT_TRUE(fixtures::has_shape(weights, {1, 2, 1}));
  if (GetParam() != "local_predictive") {
    EXPECT_EQ(weights.to_vector(), (std::vector<double>{1, 1}));
  }
  if (GetParam() != "multi_head") {
    EXPECT_TRUE(fixtures::near(contexts, weights * outputs));
  }
}

TEST_P(NnAttentionMechanism, WeightsAreADistributionOverTheTokens) {
  const Tensor queries = autograd::randn({3, 4, 3}, float64);
  const Tensor mask = autograd::length_mask({5, 1, 3});
  const nn::AttentionSource source = attention->read_source(autograd::randn({3, 5, 6}, float64), mask);
  const auto [contexts, weights, loss] = fixtures::run_steps(*attention, queries, source);
  EXPECT_TRUE(autograd::all(weights >= 0.0));
  EXPECT_TRUE(autograd::all((weights == 0.0) == autograd::logical_not(mask).unsqueeze(1)));
  const Tensor sums = weights.sum(-1);
  if (GetParam() == "local_predictive") {
    EXPECT_TRUE(autograd::all(sums < 1.0));
  } else {
    EXPECT_TRUE(fixtures::near(sums, autograd::ones({3, 4}, float64)));
  }
}

TEST_P(NnAttentionMechanism, PaddingHasNoInfluence) {
  const Tensor queries = autograd::randn({2, 3, 3}, float64);
  const Tensor outputs = autograd::randn({2, 4, 6}, float64);
  const Tensor cotangent = autograd::randn({2, 3, 6}, float64);
  const auto without = fixtures::run_steps(*attention, queries, attention->read_source(outputs));
  without.contexts.backward(cotangent);
  std::vector<Tensor> expected;
  for (const Tensor& parameter : attention->parameters()) expected.push_back(parameter.grad());
  attention->zero_grad();

  const Tensor padded = fixtures::with_nan_padding(outputs, 3).requires_grad_();
  const nn::AttentionSource source = attention->read_source(padded, autograd::length_mask({4, 4}, 7));
  const auto with = fixtures::run_steps(*attention, queries, source);
  EXPECT_TRUE(fixtures::near(with.contexts, without.contexts));
  EXPECT_TRUE(fixtures::near(with.weights.narrow(2, 0, 4), without.weights));
  with.contexts.backward(cotangent);
  EXPECT_EQ(padded.grad().narrow(1, 4, 3).to_vector(), std::vector<double>(36, 0.0));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Tensor parameter = attention->parameters()[i];
    if (expected[i].defined()) {
      EXPECT_TRUE(fixtures::near(parameter.grad(), expected[i])) << parameter.name();
    }
  }
}

TEST_P(NnAttentionMechanism, AFullyMaskedRowIsZeroAndHasNoGradient) {
  const Tensor queries = autograd::randn({2, 3, 3}, float64).requires_grad_();
  const Tensor outputs = autograd::randn({2, 4, 6}, float64).requires_grad_();
  const Tensor mask = autograd::mask({{true, true, true, false}, {false, false, false, false}});
  const auto [contexts, weights, loss] =
      fixtures::run_steps(*attention, queries, attention->read_source(outputs, mask));
  EXPECT_EQ(weights[1].to_vector(), std::vector<double>(12, 0.0));
  if (GetParam() != "multi_head") {
    EXPECT_EQ(contexts[1].to_vector(), std::vector<double>(18, 0.0));
  }
  autograd::backward({contexts, weights}, {autograd::randn({2, 3, 6}, float64), autograd::randn({2, 3, 4}, float64)});
  EXPECT_EQ(queries.grad()[1].to_vector(), std::vector<double>(9, 0.0));
  EXPECT_EQ(outputs.grad()[1].to_vector(), std::vector<double>(24, 0.0));
  EXPECT_TRUE(autograd::all_finite(outputs.grad()));
  for (const Tensor& parameter : attention->parameters()) {
    if (parameter.grad().defined()) {
      EXPECT_TRUE(autograd::all_finite(parameter.grad())) << parameter.name();
    }
  }
}

// ---- source and memory are values ------------------------------------------------------------------------------

// As beam search does: two steps, then one with some of the sentences, one of them twice.
TEST_P(NnAttentionMechanism, SelectedSentencesGoOnAsTheyWere) {
  const Tensor queries = autograd::randn({3, 3, 3}, float64);
  nn::AttentionSource source =
      attention->read_source(autograd::randn({3, 4, 6}, float64), autograd::length_mask({4, 2, 3}));
  source.segments = nn::segments_of(autograd::ids({{1, 9, 1, 1}, {9, 1, 0, 0}, {1, 1, 9, 1}}), 9);
  const auto all = fixtures::run_steps(*attention, queries, source);

  nn::AttentionMemory memory;
  attention->operator()(queries.select(1, 0), source, memory);
  attention->operator()(queries.select(1, 1), source, memory);
  EXPECT_EQ(memory.step, 2);
  EXPECT_EQ(memory.coverage.defined(), attention->keeps_coverage());
  const Tensor rows = autograd::ids({2, 0, 2});
  nn::AttentionMemory selected = memory.select(rows);
  const auto last = (*attention)(queries.select(1, 2).index_select(0, rows), source.select(rows), selected);
  EXPECT_EQ(selected.step, 3);
  EXPECT_TRUE(fixtures::near(last.context, all.contexts.select(1, 2).index_select(0, rows)));
  EXPECT_TRUE(fixtures::near(last.weights, all.weights.select(1, 2).index_select(0, rows)));
}

TEST_P(NnAttentionMechanism, DropoutActsInTrainingOnlyAndNotOnTheWeightsReturned) {
  const auto thinned = make(GetParam(), {.decoder_dim = 3, .encoder_dim = 6, .dropout = 0.5, .dtype = float64});
  const Tensor queries = autograd::randn({2, 3, 3}, float64);
  const Tensor outputs = autograd::randn({2, 7, 6}, float64);
  const auto in_training = fixtures::run_steps(*thinned, queries, thinned->read_source(outputs));
  thinned->eval();
  const auto in_use = fixtures::run_steps(*thinned, queries, thinned->read_source(outputs));
  EXPECT_FALSE(fixtures::near(in_training.contexts, in_use.contexts));
  EXPECT_TRUE(fixtures::near(in_training.weights, in_use.weights));
  const auto again = fixtures::run_steps(*thinned, queries, thinned->read_source(outputs));
  EXPECT_TRUE(fixtures::near(again.contexts, in_use.contexts));
}

// ---- as modules ------------------------------------------------------------------------------------------------

TEST_P(NnAttentionMechanism, ConvertsSavesAndLoads) {
  nn::AttentionOptions options = small();
  options.dtype = float32;
  const auto converted = nn::make_attention(GetParam(), options);
  converted->load_state_dict(attention->state_dict());
  converted->to(float64);
  const Tensor queries = autograd::randn({2, 3, 3}, float64);
  const Tensor outputs = autograd::randn({2, 4, 6}, float64);
  const auto expected = fixtures::run_steps(*attention, queries, attention->read_source(outputs));
  const auto found = fixtures::run_steps(*converted, queries, converted->read_source(outputs));
  EXPECT_TRUE(fixtures::near(found.contexts, expected.contexts, {.relative = 1e-5, .absolute = 1e-5}));
  found.contexts.backward(autograd::ones({2, 3, 6}, float64));
  EXPECT_TRUE(attention->parameters().empty() || converted->parameters()[0].grad().defined());
}

TEST_P(NnAttentionMechanism, EveryNodeKnowsItsModuleAndTheCaller) {
  struct Model : nn::Module {
    explicit Model(nn::AttentionMechanism& part) { register_module("attention", part); }
  };
  const auto inner = make(GetParam(), small());
  const Model model(*inner);
  for (const std::string& name : fixtures::parameter_names(model)) EXPECT_EQ(name.find("attention."), 0u) << name;
  const Tensor query = autograd::randn({2, 3}, float64);
  const nn::AttentionSource source = inner->read_source(autograd::randn({2, 4, 6}, float64).requires_grad_());
  nn::AttentionMemory memory;
  fixtures::Scopes scopes;
  const autograd::ObserverGuard guard(scopes);
  const int line = __LINE__ + 1;
  const auto output = (*inner)(query, source, memory);
  EXPECT_EQ(autograd::scope_origin(output.context.grad_fn()->scope).line, line);
  EXPECT_FALSE(scopes.paths.empty());
  for (const std::string& path : scopes.paths) EXPECT_EQ(path.find("attention"), 0u) << path;
}

// ---- errors ----------------------------------------------------------------------------------------------------

// All kinds say the same, each with its own name.
template <class F> std::string message_of_any(ErrorId id, F&& f) {
  const autograd::Error error = fixtures::error_of(id, f);
  return fixtures::replace(error.what(), error.op(), "KIND");
}

TEST_P(NnAttentionMechanism, ErrorsAreClear) {
  std::vector<std::string> said;
  const Tensor query = autograd::randn({2, 3}, float64);
  const Tensor outputs = autograd::randn({2, 4, 6}, float64);
  nn::AttentionSource source = attention->read_source(outputs);
  nn::AttentionMemory memory;
  const auto step = [&](const Tensor& s) { (*attention)(s, source, memory); };
  const auto shape_error = [](auto f) { return message_of_any(ErrorId::shape_mismatch, f); };

  said.push_back(shape_error([&] { step(autograd::randn({2, 6}, float64)); }));
  said.push_back(shape_error([&] { step(autograd::randn({3, 3}, float64)); }));
  said.push_back(shape_error([&] { attention->read_source(autograd::randn({2, 4, 3}, float64)); }));
  said.push_back(shape_error([&] { attention->read_source(outputs, autograd::length_mask({2, 5})); }));
  said.push_back(message_of_any(ErrorId::dtype_mismatch, [&] {
    attention->read_source(outputs, autograd::ones({2, 4}));
  }));
  fixtures::message_of(ErrorId::undefined_tensor, [&] { attention->read_source(Tensor()); });
  fixtures::message_of(ErrorId::undefined_tensor, [&] { step(Tensor()); });

  source.segments = autograd::mask({{true, true}, {true, true}}).unsqueeze(1);
  said.push_back(shape_error([&] { step(query); }));
  source.segments = autograd::ones({2, 1, 4});
  said.push_back(message_of_any(ErrorId::dtype_mismatch, [&] { step(query); }));
  source.segments = Tensor();
  memory.coverage = autograd::zeros({1, 4}, float64);
  said.push_back(shape_error([&] { step(query); }));
  EXPECT_EQ(memory.step, 0);
  source = nn::AttentionSource{};
  said.push_back(message_of_any(ErrorId::undefined_tensor, [&] { step(query); }));
  EXPECT_TRUE(fixtures::says("nn_attention", said));
}

TEST_P(NnAttentionMechanism, BadOptionsAreRefused) {
  std::vector<std::string> said;
  const auto refused = [](const nn::AttentionOptions& options) {
    return message_of_any(ErrorId::bad_argument, [&] { nn::make_attention(GetParam(), options); });
  };
  said.push_back(refused({.encoder_dim = 4}));
  said.push_back(refused({.decoder_dim = 4}));
  said.push_back(refused({.decoder_dim = 4, .encoder_dim = 4, .attention_dim = -1}));
  said.push_back(refused({.decoder_dim = 4, .encoder_dim = 4, .dropout = -0.1}));
  EXPECT_TRUE(fixtures::says("nn_attention", said));
}

}  // namespace nn_attention_mechanism_test
