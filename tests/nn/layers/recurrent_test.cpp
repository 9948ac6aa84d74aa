// What GRU and LSTM share, shown on the GRU where one is enough.
#include <autograd/ops/fused.h>
#include <autograd/tape/node.h>
#include <nn/layers/gru.h>
#include <nn/layers/lstm.h>

#include <cmath>
#include <limits>
#include <set>

#include "tests/nn/nn_fixtures.h"
#include "tests/support/golden.h"

namespace nn_recurrent_test {

using autograd::ErrorId;
using autograd::float64;
using autograd::Tensor;

const std::vector<std::int64_t> lengths{3, 1, 5};  // not sorted

nn::RecurrentOptions two_way() {
  return {
      .input_size = 3, .hidden_size = 4, .num_layers = 2, .batch_first = true, .bidirectional = true, .dtype = float64};
}

// Each sequence of a padded batch gives what it gives alone.
TEST(NnRecurrentLengths, EachSequenceIsAsIfAlone) {
  const nn::GRU gru(two_way());
  const Tensor x = autograd::randn({3, 6, 3}, float64);
  const auto [output, state] = gru(x, {}, lengths);
  for (std::int64_t i = 0; i < 3; ++i) {
    const std::int64_t length = lengths[static_cast<std::size_t>(i)];
    const auto alone = gru(x.narrow(0, i, 1).narrow(1, 0, length));
    EXPECT_TRUE(fixtures::near(output.narrow(0, i, 1).narrow(1, 0, length), alone.output));
    EXPECT_TRUE(fixtures::near(state.narrow(1, i, 1), alone.state));
    const Tensor padding = output.narrow(0, i, 1).narrow(1, length, 6 - length);
    EXPECT_EQ(padding.abs().amax().item(), 0.0);
  }
}

TEST(NnRecurrentLengths, WhatThePaddingHoldsHasNoInfluence) {
  const nn::LSTM lstm(two_way());
  const Tensor x = autograd::randn({3, 5, 3}, float64);
  const Tensor padding = autograd::logical_not(autograd::length_mask(lengths)).unsqueeze(-1);
  const Tensor poisoned = x.masked_fill(padding, std::nan("")).requires_grad_();
  const auto clean = lstm(x, {}, lengths);
  const auto [output, state, cell] = lstm(poisoned, {}, lengths);
  EXPECT_TRUE(fixtures::near(output, clean.output.detach()));
  EXPECT_TRUE(fixtures::near(state, clean.state.detach()));
  EXPECT_TRUE(fixtures::near(cell, clean.cell.detach()));
  output.backward(autograd::randn(output.shape(), float64));
  EXPECT_EQ(poisoned.grad().masked_fill(autograd::logical_not(padding), 0.0).abs().amax().item(), 0.0);
  for (const auto& [name, parameter] : lstm.named_parameters())
    EXPECT_TRUE(autograd::all_finite(parameter.grad())) << name;
}

TEST(NnRecurrentLengths, TimeFirstEqualsBatchFirst) {
  nn::RecurrentOptions options = two_way();
  const nn::GRU batch_first(options);
  options.batch_first = false;
  const nn::GRU time_first(options);
  time_first.load_state_dict(batch_first.state_dict());
  const Tensor x = autograd::randn({3, 5, 3}, float64);
  const auto one = batch_first(x, {}, lengths);
  const auto other = time_first(x.transpose(0, 1), {}, lengths);
  EXPECT_TRUE(fixtures::near(other.output.transpose(0, 1), one.output));
  EXPECT_TRUE(fixtures::near(other.state, one.state));
}

TEST(NnRecurrentLengths, FullLengthsChangeNothing) {
  const nn::GRU gru(two_way());
  const Tensor x = autograd::randn({3, 5, 3}, float64);
  EXPECT_TRUE(fixtures::near(gru(x, {}, {5, 5, 5}).output, gru(x).output));
}

TEST(NnRecurrentLengths, BadOnesAreErrors) {
  std::vector<std::string> said;
  const nn::GRU gru(two_way());
  const Tensor x = autograd::randn({3, 5, 3}, float64);
  said.push_back(fixtures::message_of(ErrorId::bad_length, [&] { gru(x, {}, {3, 0, 5}); }));
  said.push_back(fixtures::message_of(ErrorId::bad_length, [&] { gru(x, {}, {3, 6, 5}); }));
  const nn::LSTM lstm(two_way());
  said.push_back(fixtures::message_of(ErrorId::bad_length, [&] { lstm(x, {}, {3, 0, 5}); }));
  fixtures::message_of(ErrorId::bad_length, [&] { gru(x, {}, {3, -1, 5}); });
  said.push_back(fixtures::message_of(ErrorId::bad_length, [&] { gru(x, {}, {3, 5}); }));
  fixtures::message_of(ErrorId::bad_length, [&] { gru(autograd::zeros({3, 0, 3}, float64)); });
  EXPECT_TRUE(fixtures::says("nn", said));
}

TEST(NnRecurrentErrors, AreClear) {
  std::vector<std::string> said;
  const nn::GRU gru(two_way());
  const Tensor x = autograd::randn({3, 5, 3}, float64);
  said.push_back(fixtures::message_of(ErrorId::shape_mismatch, [&] { gru(autograd::randn({3, 5, 4}, float64)); }));
  fixtures::message_of(ErrorId::shape_mismatch, [&] { gru(autograd::randn({5, 3}, float64)); });
  said.push_back(fixtures::message_of(ErrorId::shape_mismatch, [&] { gru(x, autograd::zeros({2, 3, 4}, float64)); }));
  fixtures::message_of(ErrorId::dtype_mismatch, [&] { gru(autograd::randn({3, 5, 3})); });
  fixtures::message_of(ErrorId::undefined_tensor, [&] { gru(Tensor()); });
  fixtures::message_of(ErrorId::bad_argument, [] { nn::GRU({.input_size = 3}); });
  fixtures::message_of(ErrorId::bad_argument, [] { nn::GRU({.input_size = 3, .hidden_size = 4, .num_layers = 0}); });
  fixtures::message_of(ErrorId::bad_argument, [] { nn::GRU({.input_size = 3, .hidden_size = 4, .dropout = 2.0}); });
  EXPECT_TRUE(fixtures::says("nn", said));
}

TEST(NnRecurrent, DropoutActsBetweenLayersInTrainingOnly) {
  nn::GRU gru({.input_size = 3, .hidden_size = 4, .num_layers = 2, .dropout = 0.5});
  const Tensor x = autograd::randn({5, 2, 3});
  const Tensor first = gru(x).output;
  EXPECT_FALSE(autograd::allclose(first, gru(x).output));
  gru.eval();
  EXPECT_TRUE(autograd::allclose(gru(x).output, gru(x).output));
  // The first layer's final state comes before any dropout.
  gru.train();
  EXPECT_TRUE(autograd::allclose(gru(x).state.select(0, 0), gru(x).state.select(0, 0)));
  // With one layer there is nothing between layers.
  const nn::GRU single({.input_size = 3, .hidden_size = 4, .dropout = 0.5});
  EXPECT_TRUE(autograd::allclose(single(x).output, single(x).output));
}

TEST(NnRecurrent, WeightsAreUniformAsInPyTorch) {
  autograd::manual_seed(1);
  const nn::LSTM lstm({.input_size = 30, .hidden_size = 100});
  for (const auto& [name, parameter] : lstm.named_parameters()) {
    EXPECT_LE(parameter.abs().amax().item(), 0.1) << name;
    EXPECT_GT(parameter.abs().amax().item(), 0.097) << name;
    EXPECT_NEAR(parameter.mean().item(), 0.0, 0.01) << name;
  }
}

TEST(NnRecurrent, StepsAreNamedInTheScope) {
  const nn::GRU gru({.input_size = 3, .hidden_size = 4, .bidirectional = true});
  fixtures::Scopes scopes;
  {
    const autograd::ObserverGuard guard(scopes);
    gru(autograd::randn({2, 3, 3}));
  }
  EXPECT_EQ(scopes.paths, (std::set<std::string>{"GRU", "GRU.l0", "GRU.l0, step 0", "GRU.l0, step 1", "GRU.l0_reverse",
                                                 "GRU.l0_reverse, step 0", "GRU.l0_reverse, step 1"}));
}

// The names of the ops that made a tensor.
std::set<std::string> names_of_ops(const Tensor& tensor) {
  std::set<std::string> names;
  std::vector<const autograd::Node*> open{tensor.grad_fn()};
  while (!open.empty()) {
    const autograd::Node* node = open.back();
    open.pop_back();
    names.insert(node->name());
    for (const auto& input : node->inputs) {
      if (input) open.push_back(input.get());
    }
  }
  return names;
}

TEST(NnRecurrent, ALayerIsOneOpUnlessItsStepsAreWanted) {
  const nn::RecurrentOptions options{.input_size = 2, .hidden_size = 3};
  const Tensor x = autograd::randn({2, 1, 2});
  const bool is_fast = !autograd::runs_formulas();
  EXPECT_EQ(names_of_ops(nn::GRU(options)(x).output).contains("gru_layer"), is_fast);
  EXPECT_EQ(names_of_ops(nn::LSTM(options)(x).output).contains("lstm_layer"), is_fast);
  const autograd::FormulaGuard formulas;
  EXPECT_TRUE(names_of_ops(nn::GRU(options)(x).output).contains("sigmoid"));
  EXPECT_TRUE(names_of_ops(nn::LSTM(options)(x).output).contains("sigmoid"));
}

// Once three times the size was no number any more, and layers were made one by one until the memory was full.
TEST(NnRecurrentOptions, NeitherSizesNorLayersBeyondMemory) {
  std::vector<std::string> said;
  constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  const auto make = [](std::int64_t input, std::int64_t hidden, std::int64_t layers) {
    const nn::RecurrentOptions options{.input_size = input, .hidden_size = hidden, .num_layers = layers};
    return fixtures::message_of(ErrorId::bad_argument, [&] { nn::GRU gru(options); });
  };
  said.push_back(make(huge, 2, 1));
  said.push_back(make(2, huge, 1));
  said.push_back(make(2, 2, huge));
  EXPECT_TRUE(fixtures::says("nn", said));
}

}  // namespace nn_recurrent_test
