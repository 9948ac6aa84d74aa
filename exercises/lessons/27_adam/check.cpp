#include <judge/check.h>

#include "given.h"

const Axes judge::axes = {{"rows", 4}, {"columns", 3}, {"steps", 5}};

namespace {

Tensor random(Check& check, const autograd::Shape& shape) {
  std::vector<double> values(static_cast<std::size_t>(shape.numel()));
  for (double& value : values) value = check.random().normal();
  return autograd::from_vector(values, shape, autograd::float64);
}

// Parameters are not inputs of the check: they are there to be changed.
Tensor parameter(Check& check, const autograd::Shape& shape) {
  return random(check, shape).requires_grad_();
}

AdamState fresh_state(const Parameters& parameters) {
  AdamState state;
  for (const Tensor& each : parameters) {
    state.exp_avg.push_back(autograd::zeros(each.shape(), autograd::float64));
    state.exp_avg_sq.push_back(autograd::zeros(each.shape(), autograd::float64));
  }
  return state;
}

// The first step has the size lr where the gradient is large, compared with eps.
Tensor away_from_zero(const Tensor& gradient) {
  return gradient + 0.1 * sign(gradient);
}

// How far a parameter has gone since then, in units of lr.
Tensor way(const Tensor& from, const Tensor& to, double lr) {
  return (to.detach() - from) / lr;
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const AdamOptions options{.lr = 0.1};
  {
    const Tensor w = parameter(check, check.shape({"rows", "columns"}));
    const Tensor unused = parameter(check, check.shape({"columns"}));
    const Tensor b = parameter(check, check.shape({"rows"}));
    const Tensor w_before = w.detach().clone();
    const Tensor b_before = b.detach().clone();
    const Parameters parameters{w, unused, b};
    AdamState state = fresh_state(parameters);
    const auto step = [&](double scale) {
      w.set_grad(scale * away_from_zero(random(check, w.shape())));
      b.set_grad(scale * away_from_zero(random(check, b.shape())));
      answer.adam_step(parameters, state, options);
    };
    step(1.0);
    const Tensor first = way(w_before, w, options.lr);
    check.compare("step 1 of w, in units of lr", first);
    check.compare("step 1 of b, in units of lr", way(b_before, b, options.lr));
    check.require("the first step has the size lr", judge::same_value(first, -sign(w.grad()), 1e-6),
                  "the first step does not change every entry of w by lr, against the sign of its gradient");
    for (std::int64_t count = 1; count < check.size("steps"); ++count) step(static_cast<double>(count));
    check.compare("exp_avg of w after all steps", state.exp_avg[0]);
    check.compare("exp_avg_sq of w after all steps", state.exp_avg_sq[0]);
    check.text("state.step after all steps", std::to_string(state.step));
    check.compare("all steps of w, in units of lr", way(w_before, w, options.lr));
    check.compare("all steps of b, in units of lr", way(b_before, b, options.lr));
    check.compare("a parameter without a gradient, after all steps", unused);
  }
  {
    const Tensor w = parameter(check, check.shape({"rows", "columns"}));
    const Tensor before = w.detach().clone();
    const Parameters parameters{w};
    AdamState state = fresh_state(parameters);
    const AdamOptions large_eps{.lr = 0.1, .eps = 0.5};
    for (int count = 0; count < 2; ++count) {
      w.set_grad(random(check, w.shape()));
      answer.adam_step(parameters, state, large_eps);
    }
    check.compare("2 steps of w with eps = 0.5, in units of lr", way(before, w, large_eps.lr));
  }
  {
    const Tensor w = parameter(check, check.shape({"rows", "columns"}));
    const Tensor before = w.detach().clone();
    AdamState state = fresh_state({w});
    const AdamOptions short_memory{.lr = 0.02, .beta1 = 0.6, .beta2 = 0.8};
    for (int count = 1; count <= 3; ++count) {
      w.set_grad(static_cast<double>(count) * away_from_zero(random(check, w.shape())));
      answer.adam_step({w}, state, short_memory);
    }
    check.compare("exp_avg with beta1 = 0.6 and beta2 = 0.8", state.exp_avg[0]);
    check.compare("exp_avg_sq with beta1 = 0.6 and beta2 = 0.8", state.exp_avg_sq[0]);
    check.compare("3 steps with beta1 = 0.6 and beta2 = 0.8, in units of lr", way(before, w, short_memory.lr));
  }
  {  // 1 - beta2^t is far from 1 for a long time
    const Tensor w = parameter(check, check.shape({"columns"}));
    AdamState state = fresh_state({w});
    Tensor before;
    for (int count = 1; count <= 200; ++count) {
      w.set_grad(away_from_zero(random(check, w.shape())));
      before = w.detach().clone();
      answer.adam_step({w}, state, options);
    }
    check.compare("step 200, in units of lr", way(before, w, options.lr));
  }
  {  // of three steps, w has no gradient in the second one
    const Tensor w = parameter(check, check.shape({"rows"}));
    const Tensor b = parameter(check, check.shape({"columns"}));
    AdamState state = fresh_state({w, b});
    for (int count = 1; count <= 3; ++count) {
      w.set_grad(away_from_zero(random(check, w.shape())));
      b.set_grad(away_from_zero(random(check, b.shape())));
      if (count == 2) w.zero_grad();
      answer.adam_step({w, b}, state, options);
      if (count == 2) check.compare("after a step without a gradient", w);
    }
    check.compare("after one more, with a gradient again", w);
    check.compare("a parameter that had one in each of them", b);
  }
  {  // of three steps, the second one has a gradient of zeros
    const Tensor w = parameter(check, check.shape({"rows"}));
    AdamState state = fresh_state({w});
    for (int count = 1; count <= 3; ++count) {
      const Tensor gradient = away_from_zero(random(check, w.shape()));
      w.set_grad(count == 2 ? zeros_like(gradient) : gradient);
      answer.adam_step({w}, state, options);
    }
    check.compare("after a step whose gradient is 0, and one more", w);
  }
  if (check.slow_part()) {  // a valley ten thousand times as steep across as along
    const Tensor scale = autograd::tensor({100.0, 0.01}, autograd::float64);
    const Tensor x = autograd::tensor({1.0, 1.0}, autograd::float64).requires_grad_();
    AdamState state = fresh_state({x});
    const auto loss = [&] { return (scale * x * x).sum(); };
    for (int count = 0; count < 1000; ++count) {
      x.zero_grad();
      loss().backward();
      answer.adam_step({x}, state, {.lr = 0.02});
    }
    check.at_most("distance from the bottom of the valley", x.detach().abs().amax().item(), 0.01);
  }
}
