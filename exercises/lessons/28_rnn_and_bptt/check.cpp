#include <judge/check.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "given.h"

const Axes judge::axes = {{"time", 5}, {"batch", 4}, {"input", 3}, {"hidden", 2}};

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

bool same(const Tensor& found, const Tensor& expected) {
  return found.defined() && found.shape() == expected.shape() && autograd::allclose(found, expected, 1e-8);
}

struct Right {
  bool dh0 = false;
  bool others = false;
  bool all() const { return dh0 && others; }
};

// The answer on the first steps only, held against the engine.
Right over_first_steps(const Answer& answer, std::int64_t steps, const Tensor& d_states, const Tensor& x,
                       const Tensor& h0, const RnnWeights& weights) {
  const auto first = [=](const Tensor& all) { return all.narrow(0, 0, steps).clone(); };
  const auto leaf = [](const Tensor& value) { return value.detach().clone().requires_grad_(); };
  const RnnWeights leaves = {leaf(weights.weight_ih), leaf(weights.weight_hh), leaf(weights.bias)};
  const Tensor x_ = leaf(first(x));
  const Tensor h0_ = leaf(h0);
  const Tensor states = states_of(x_, h0_, leaves);
  const auto expected =
      autograd::grad((first(d_states) * states).sum(), {x_, h0_, leaves.weight_ih, leaves.weight_hh, leaves.bias});
  const RnnGradients found = answer.rnn_backward(first(d_states), first(x), h0, states.detach(), weights);
  return {.dh0 = same(found.dh0, expected[1]),
          .others = same(found.dx, expected[0]) && same(found.d_weight_ih, expected[2]) &&
                    same(found.d_weight_hh, expected[3]) && same(found.d_bias, expected[4])};
}

// Units that keep their states, so that the first of many steps can still be felt in the last.
Tensor dx_of_many_steps(const Answer& answer, Check& check) {
  constexpr std::int64_t steps = 100;
  const std::int64_t input = check.size("input");
  const std::int64_t hidden = check.size("hidden");
  const auto small = [&](const autograd::Shape& shape) {
    std::vector<double> values(static_cast<std::size_t>(shape.numel()));
    for (double& value : values) value = 0.02 * check.random().normal();
    return autograd::from_vector(values, shape, autograd::float64);
  };
  const RnnWeights weights = {.weight_ih = small({hidden, input}),
                              .weight_hh = autograd::eye(hidden, autograd::float64),
                              .bias = autograd::zeros({hidden}, autograd::float64)};
  const Tensor x = small({steps, 1, input});
  const Tensor h0 = small({1, hidden});
  return answer.rnn_backward(small({steps, 1, hidden}), x, h0, states_of(x, h0, weights), weights).dx;
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

  const Tensor is_last = (autograd::arange(x.size(0)) == static_cast<double>(x.size(0) - 1)).reshape({x.size(0), 1, 1});
  const Tensor d_last = d_states * is_last.to(autograd::float64);
  check.compare("dx where only the last state counts", answer.rnn_backward(d_last, x, h0, states, weights).dx);

  check.compare("dx of 100 steps", dx_of_many_steps(answer, check));

  if (x.requires_grad()) return;  // a run that lists the ops of the answer: enough of them
  const Right one = over_first_steps(answer, 1, d_states, x, h0, weights);
  const Right two = over_first_steps(answer, std::min<std::int64_t>(2, check.size("time")), d_states, x, h0, weights);
  check.require("one step, and two steps", one.all() && two.all(),
                !one.all() ? "with T = 1 a gradient is wrong already: look at one step by itself"
                : !two.dh0
                    ? "all is right with T = 1, and dh0 is not with T = 2: look at what goes back from step 1 to "
                      "step 0, and on to h0"
                    : "all is right with T = 1. With T = 2 dh0 still is, so what goes back is right, and another "
                      "gradient is not: look at what becomes of what each of the two steps gives to it");
}
