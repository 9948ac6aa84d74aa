// What is given in exercise 27: the function to write, and what Adam remembers from step to step.
#pragma once

#include <judge/learner.h>

namespace given {

using Parameters = std::vector<Tensor>;  // leaves that require gradients

struct AdamOptions {
  double lr = 1e-3;
  double beta1 = 0.9;    // how much of exp_avg is kept
  double beta2 = 0.999;  // how much of exp_avg_sq is kept
  double eps = 1e-8;
};

// One tensor for each parameter, in its shape. All zeros before the first step.
struct AdamState {
  std::vector<Tensor> exp_avg;     // running average of the gradient, m
  std::vector<Tensor> exp_avg_sq;  // running average of its square, v
  std::int64_t step = 0;           // steps taken so far, t
};

}  // namespace given

using given::AdamOptions;
using given::AdamState;
using given::Parameters;

// One step of Adam for all parameters, by their grad(). One without a gradient is left alone, and so are its
// averages.
void adam_step(const Parameters& parameters, AdamState& state, const AdamOptions& options);

struct Answer {
  decltype(&::adam_step) adam_step;
};
