// What is done in one pass, beside the same done op by op.

#include <autograd/autograd.h>
#include <autograd/observer.h>
#include <gtest/gtest.h>
#include <nn/gru.h>

#include <cmath>

#include "tests/expect.h"

using namespace autograd;
using fixtures::mentions;
using fixtures::message_of;

namespace {

// With an observer every gradient is made whole, and slices do not add theirs where they belong.
struct Looker : Observer {};

bool same(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() && all(a == b);
}

// ---- cross entropy ---------------------------------------------------------------------------------------------

struct Composed {
  static Tensor loss(const Tensor& x, const Tensor& target, const CrossEntropyOptions& options) {
    return nll_loss(log_softmax(x, 1), target, {options.weight, options.ignore_index, options.reduction});
  }
};

void compare_cross_entropy(DType dtype, const CrossEntropyOptions& options) {
  const Tensor values = randn({7, 37}, dtype) * 3.0;
  const Tensor target = ids({0, 36, 5, 5, 2, 17, 9});
  const Tensor fused_x = values.clone().requires_grad_();
  const Tensor composed_x = values.clone().requires_grad_();
  const Tensor fused = cross_entropy(fused_x, target, options);
  const Tensor composed = Composed::loss(composed_x, target, options);
  EXPECT_STREQ(fused.grad_fn()->name(), "cross_entropy");
  EXPECT_TRUE(same(fused, composed));
  const Tensor dy = randn(fused.shape(), dtype);
  fused.backward(dy);
  composed.backward(dy);
  const double tolerance = dtype == float32 ? 1e-6 : 1e-15;
  EXPECT_TRUE(allclose(fused_x.grad(), composed_x.grad(), 0.0, tolerance));
}

TEST(CrossEntropy, EqualsTheLossOfTheLogarithmOfTheSoftmax) {
  for (const DType dtype : {float32, float64}) {
    for (const Reduction reduction : {Reduction::none, Reduction::sum, Reduction::mean}) {
      compare_cross_entropy(dtype, {.reduction = reduction});
      compare_cross_entropy(dtype, {.ignore_index = 5, .reduction = reduction});
      compare_cross_entropy(dtype, {.weight = rand({37}, dtype), .ignore_index = 5, .reduction = reduction});
    }
  }
}

// A score beside which all others vanish: the logarithm of nearly 1 must not be lost.
TEST(CrossEntropy, IsAccurateWhereTheScoresAreLarge) {
  const Tensor x = tensor({10000.0, 9980.0, 0.0}, float64).unsqueeze(0).requires_grad_();
  const Tensor loss = cross_entropy(x, ids({0}));
  EXPECT_NEAR(loss.item() / std::log1p(std::exp(-20.0)), 1.0, 1e-6);
}

// ---- gradients that are 0 almost everywhere ----------------------------------------------------------------------

// Every step takes a slice of the sequence, and the whole of it is used too.
Tensor loop_over_slices(const Tensor& sequence, const Tensor& weights) {
  Tensor state = zeros({2}, float64);
  for (std::int64_t t = 0; t < sequence.size(1); ++t) state = tanh(state * 0.5 + sequence.select(1, t));
  const Tensor ends = slice(sequence, 1, {0, Slice::to_end, 2}).sum() + sequence.narrow(0, 1, 1).pow(2).sum();
  const Tensor rows = embedding(weights, ids({3, 0, 3, 1}), 0);
  return state.sum() + ends + (sequence * sequence).sum() + rows.pow(2).sum();
}

TEST(SparseGradients, EqualThoseThatAreWrittenWhole) {
  const Tensor sequence = randn({2, 5}, float64).requires_grad_();
  const Tensor weights = randn({4, 3}, float64).requires_grad_();
  const Tensor loss = loop_over_slices(sequence, weights);
  loss.backward();
  const Tensor in_place = sequence.grad().clone();
  const Tensor in_place_weights = weights.grad().clone();
  sequence.zero_grad();
  weights.zero_grad();
  {
    Looker looker;
    const ObserverGuard guard(looker);
    loss.backward();
  }
  EXPECT_TRUE(same(in_place, sequence.grad()));
  EXPECT_TRUE(same(in_place_weights, weights.grad()));
  const std::vector<Tensor> both = grad(loss, {sequence, weights});
  EXPECT_TRUE(same(in_place, both[0]));
  EXPECT_TRUE(same(in_place_weights, both[1]));
}

// What arrived first may be somebody else's tensor: the gradient passed to backward(), or that of the other operand.
TEST(SparseGradients, AreNotAddedToMemoryOfOthers) {
  const Tensor x = randn({3}, float64).requires_grad_();
  const Tensor y = x * 2.0;
  const Tensor given = ones({3}, float64);
  backward({y, y.select(0, 1)}, {given, ones({}, float64)});
  EXPECT_TRUE(fixtures::holds(given, {1, 1, 1}));
  EXPECT_TRUE(fixtures::holds(x.grad(), {2, 4, 2}));
}

TEST(SparseGradients, ReachHooks) {
  const Tensor x = randn({3}, float64).requires_grad_();
  const Tensor y = x * 2.0;
  int seen = 0;
  y.select(0, 1).grad_fn()->register_hook([&](const Grads&, const Tensor&) { ++seen; });
  const Tensor part = y.select(0, 2);
  part.grad_fn()->register_hook([&](const Grads& gradients, const Tensor&) {
    ++seen;
    EXPECT_TRUE(fixtures::holds(gradients[0], {0, 0, 1}));
  });
  part.backward();
  EXPECT_EQ(seen, 1);
}

// ---- the gates of a GRU ---------------------------------------------------------------------------------------

struct Trained {
  Tensor output;
  std::vector<Tensor> gradients;
};

// The gradients of everything, first and second.
Trained run_gru(const nn::GRU& gru, const Tensor& x) {
  const Tensor input = x.clone().requires_grad_();
  for (const Tensor& parameter : gru.parameters()) parameter.zero_grad();
  const auto [output, state] = gru(input, {}, {5, 2, 3});
  (output.pow(2).sum() + state.sum()).backward();
  Trained result{output, {input.grad()}};
  for (const Tensor& parameter : gru.parameters()) result.gradients.push_back(parameter.grad());
  return result;
}

TEST(GruGates, EqualTheOpsThatTheyAreMadeOfToTheBit) {
  for (const DType dtype : {float32, float64}) {
    const nn::GRU gru({.input_size = 4, .hidden_size = 37, .bidirectional = true, .dtype = dtype});
    const Tensor x = randn({5, 3, 4}, dtype);
    const Trained fused = run_gru(gru, x);
    Looker looker;
    const ObserverGuard guard(looker);
    const Trained composed = run_gru(gru, x);
    EXPECT_TRUE(same(fused.output, composed.output));
    for (std::size_t i = 0; i < fused.gradients.size(); ++i) {
      EXPECT_TRUE(same(fused.gradients[i], composed.gradients[i])) << i;
    }
  }
}

TEST(GruGates, AreOneOpUnlessAnInstrumentLooksOn) {
  const nn::GRUCell cell({.input_size = 2, .hidden_size = 3});
  EXPECT_STREQ(cell(randn({1, 2})).grad_fn()->name(), "gru_gates");
  Looker looker;
  const ObserverGuard guard(looker);
  EXPECT_STREQ(cell(randn({1, 2})).grad_fn()->name(), "add");
}

TEST(GruGates, RefuseWhatDoesNotFit) {
  const Tensor products = randn({2, 9});
  message_of(ErrorId::shape_mismatch, [&] { gru_gates(products, products, randn({2, 2})); });
  message_of(ErrorId::shape_mismatch, [&] { gru_gates(products, randn({2, 6}), randn({2, 3})); });
  message_of(ErrorId::shape_mismatch, [&] { gru_gates(products, products, randn({3})); });
  message_of(ErrorId::dtype_mismatch, [&] { gru_gates(products, products, randn({2, 3}, float64)); });
}

// ---- Adam ----------------------------------------------------------------------------------------------------------

TEST(AdamStep, EqualsItsFormula) {
  for (const std::int64_t size : {1, 5, 16, 1000}) {
    const Tensor p = randn({size}, float64);
    const Tensor g = randn({size}, float64);
    const Tensor m = randn({size}, float64);
    const Tensor v = rand({size}, float64);
    const AdamStep step{
        .beta1 = 0.8, .beta2 = 0.95, .eps = 1e-3, .step_size = 0.1, .root_scale = 1.5, .weight_decay = 0.2};
    const Tensor decayed = g + step.weight_decay * p;
    const Tensor m_after = step.beta1 * m + (1.0 - step.beta1) * decayed;
    const Tensor v_after = step.beta2 * v + (1.0 - step.beta2) * decayed * decayed;
    const Tensor p_after = p - step.step_size * m_after / (step.root_scale * v_after.sqrt() + step.eps);
    adam_step_(p, g, m, v, step);
    EXPECT_TRUE(allclose(m, m_after, 1e-14, 1e-15));
    EXPECT_TRUE(allclose(v, v_after, 1e-14, 1e-15));
    EXPECT_TRUE(allclose(p, p_after, 1e-13, 1e-15));
  }
}

TEST(AdamStep, CountsAsAChange) {
  const Tensor x = ones({2}).requires_grad_();
  const Tensor y = (x * x).sum();
  {
    const NoGradGuard no_grad;
    adam_step_(x, ones({2}), zeros({2}), zeros({2}), {});
  }
  EXPECT_TRUE(mentions(message_of(ErrorId::in_place_clobber, [&] { y.backward(); }), {"adam_step_"}));
}

TEST(AdamStep, RefusesWhatDoesNotFit) {
  const Tensor x = ones({2});
  message_of(ErrorId::shape_mismatch, [&] { adam_step_(x, ones({3}), ones({2}), ones({2}), {}); });
  message_of(ErrorId::dtype_mismatch, [&] { adam_step_(x, ones({2}, float64), ones({2}), ones({2}), {}); });
  message_of(ErrorId::bad_argument, [&] {
    adam_step_(ones({2, 2}).t(), ones({2, 2}), ones({2, 2}), ones({2, 2}), {});
  });
  message_of(ErrorId::bad_argument,
             [&] { adam_step_(ones({2}).requires_grad_(), ones({2}), ones({2}), ones({2}), {}); });
  message_of(ErrorId::undefined_tensor, [&] { adam_step_(x, Tensor(), ones({2}), ones({2}), {}); });
}

TEST(SumOfSquares, EqualsTheSumOfTheSquares) {
  for (const std::int64_t size : {0, 1, 3, 511, 512, 513, 100'000, 200'003}) {
    const Tensor x = randn({size}, float64);
    EXPECT_NEAR(sum_of_squares(x), (x * x).sum().item(), 1e-12 * static_cast<double>(size));
    EXPECT_NEAR(sum_of_squares(x.to(float32)), (x * x).sum().item(), 1e-6 * static_cast<double>(size));
  }
  const Tensor matrix = randn({3, 4}, float64);
  EXPECT_NEAR(sum_of_squares(matrix.t()), sum_of_squares(matrix), 1e-13);
}

}  // namespace
