// A step of Adam: nothing but memory.
#include <autograd/ops/updates.h>
#include <fmt/core.h>

#include <cmath>

#include "examples/fast_kernels/kernels.h"
#include "examples/fast_kernels/vectors.h"

namespace fast_kernels {
namespace {

struct State {
  Tensor parameter, gradient, exp_avg, exp_avg_sq;

  State copy() const { return {parameter.clone(), gradient, exp_avg.clone(), exp_avg_sq.clone()}; }
  Tensors results() const { return {parameter, exp_avg, exp_avg_sq}; }
};

// 1. In tensor ops: ten passes, and four tensors that are made on the way.
void by_ops(const State& s, const autograd::AdamStep& step) {
  s.exp_avg.copy_(s.exp_avg * step.beta1 + s.gradient * (1 - step.beta1));
  s.exp_avg_sq.copy_(s.exp_avg_sq * step.beta2 + s.gradient * s.gradient * (1 - step.beta2));
  const Tensor denominator = s.exp_avg_sq.sqrt() * step.root_scale + step.eps;
  s.parameter.copy_(s.parameter - s.exp_avg / denominator * step.step_size);
}

// 2. In place: five passes, and two tensors.
void in_place(const State& s, const autograd::AdamStep& step) {
  s.exp_avg.mul_(step.beta1).add_(s.gradient, 1 - step.beta1);
  s.exp_avg_sq.mul_(step.beta2).addcmul_(s.gradient, s.gradient, 1 - step.beta2);
  const Tensor root = s.exp_avg_sq.sqrt();
  root.mul_(step.root_scale).add_(step.eps);
  s.parameter.addcdiv_(s.exp_avg, root, -step.step_size);
}

// 3. One pass, in vectors.
void one_pass(const State& s, const autograd::AdamStep& step) {
  vectors().adam({.n = s.parameter.numel(),
                  .parameter = s.parameter.data_ptr<float>(),
                  .gradient = s.gradient.data_ptr<float>(),
                  .exp_avg = s.exp_avg.data_ptr<float>(),
                  .exp_avg_sq = s.exp_avg_sq.data_ptr<float>(),
                  .beta1 = float(step.beta1),
                  .rest1 = float(1 - step.beta1),
                  .beta2 = float(step.beta2),
                  .rest2 = float(1 - step.beta2),
                  .eps = float(step.eps),
                  .step_size = float(step.step_size),
                  .root_scale = float(step.root_scale)});
}

void shipped(const State& s, const autograd::AdamStep& step) {
  autograd::adam_step_({{s.parameter, s.gradient, s.exp_avg, s.exp_avg_sq, step}});
}

}  // namespace

bool adam(const Options& options) {
  const autograd::NoGradGuard no_grad;
  const int64_t n = options.size[0];
  const State start = {autograd::randn({n}), autograd::randn({n}), autograd::randn({n}), autograd::rand({n})};
  const autograd::AdamStep step = {.step_size = 0.01, .root_scale = 1.1};
  const auto to_float64 = [](const Tensor& x) { return x.to(autograd::float64); };
  const State exact = {to_float64(start.parameter), to_float64(start.gradient), to_float64(start.exp_avg),
                       to_float64(start.exp_avg_sq)};
  by_ops(exact, step);

  // Four arrays are read, and three of them written; 13 operations per element.
  const Work work = {.flops = 13.0 * double(n), .bytes = 16.0 * double(n), .unit = Work::Unit::gigabytes};
  Table table(fmt::format("adam: a step on {} parameters, float32", n), work, exact.results(),
              {.ulp = 4, .of_largest = true}, options);
  // The result is that of the first step. The steps that are timed go on from there, in the same memory.
  const auto run = [&](void (*update)(const State&, const autograd::AdamStep&)) {
    return [state = start.copy(), update, &step] {
      update(state, step);
      return state.results();
    };
  };
  table.version("tensor ops", run(by_ops));
  table.version("tensor ops in place", run(in_place));
  table.version("one pass", run(one_pass));
  table.version("shipped: autograd::adam_step_", run(shipped));
  return table.all_right();
}

}  // namespace fast_kernels
