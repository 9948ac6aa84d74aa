#include <course/check.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "given.h"

const Axes course::axes = {{"time", 5}, {"batch", 4}, {"input", 3}, {"hidden", 2}};

namespace {

Tensor states_of(const Tensor& x, const Tensor& h0, const RnnWeights& weights) {
  std::vector<Tensor> states;
  Tensor h = h0;
  for (std::int64_t t = 0; t < x.size(0); ++t) {
    h = tanh(linear(x[t], weights.weight_ih, weights.bias) + linear(h, weights.weight_hh));
    states.push_back(h);
  }
  return autograd::stack(states);
}

// Are they what the engine finds?
bool same_as_by_engine(const RnnGradients& gradients, const Tensor& d_states, const Tensor& x, const Tensor& h0,
                       const RnnWeights& weights) {
  const auto leaf = [](const Tensor& value) { return value.detach().clone().requires_grad_(); };
  const RnnWeights leaves = {leaf(weights.weight_ih), leaf(weights.weight_hh), leaf(weights.bias)};
  const Tensor x_ = leaf(x);
  const Tensor h0_ = leaf(h0);
  const Tensor loss = (d_states * states_of(x_, h0_, leaves)).sum();
  const auto expected = autograd::grad(loss, {x_, h0_, leaves.weight_ih, leaves.weight_hh, leaves.bias});
  const Tensor found[] = {gradients.dx, gradients.dh0, gradients.d_weight_ih, gradients.d_weight_hh, gradients.d_bias};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!found[i].defined() || !(found[i].shape() == expected[i].shape())) return false;
    if (!autograd::allclose(found[i], expected[i], 1e-8)) return false;
  }
  return true;
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const Tensor x = check.randn("x", {"time", "batch", "input"});
  const Tensor h0 = check.randn("h0", {"batch", "hidden"});
  const RnnWeights weights = {.weight_ih = check.randn("weight_ih", {"hidden", "input"}),
                              .weight_hh = check.randn("weight_hh", {"hidden", "hidden"}),
                              .bias = check.randn("bias", {"hidden"})};
  const Tensor d_states = check.randn("d_states", {"time", "batch", "hidden"});

  check.compare("states", answer.rnn_forward(x, h0, weights));

  const Tensor states = states_of(x, h0, weights);
  const auto loss = [=] { return (d_states * states_of(x, h0, weights)).sum(); };
  const RnnGradients gradients = answer.rnn_backward(d_states, x, h0, states, weights);
  check.gradient("dx", gradients.dx, x, loss);
  check.gradient("dh0", gradients.dh0, h0, loss);
  check.gradient("d_weight_ih", gradients.d_weight_ih, weights.weight_ih, loss);
  check.gradient("d_weight_hh", gradients.d_weight_hh, weights.weight_hh, loss);
  check.gradient("d_bias", gradients.d_bias, weights.bias, loss);

  if (x.requires_grad()) return;  // a run that lists the ops of the answer: enough of them
  for (const std::int64_t length : {1, 2}) {
    const std::int64_t steps = std::min(length, check.size("time"));
    const auto first = [=](const Tensor& all) { return all.narrow(0, 0, steps).clone(); };
    const RnnGradients shorter = answer.rnn_backward(first(d_states), first(x), h0, first(states), weights);
    check.require(length == 1 ? "one step, T = 1" : "two steps, T = 2",
                  same_as_by_engine(shorter, first(d_states), first(x), h0, weights),
                  length == 1 ? "with T = 1 a gradient is wrong already: look at one step by itself"
                              : "with T = 2 a gradient is wrong: look at what goes from step 1 back to step 0");
  }
}
