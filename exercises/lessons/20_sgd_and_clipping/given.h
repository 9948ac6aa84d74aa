// What is given in exercise 20: the functions to write, and the type of a loss.
#pragma once

#include <judge/learner.h>

#include <functional>

namespace given {

using Parameters = std::vector<Tensor>;  // leaves that require gradients; handles, so a copy is the same parameter
using Loss = std::function<Tensor()>;    // computes the loss from the parameters as they are now

}  // namespace given

using given::Loss;
using given::Parameters;

// One step downhill for every parameter. One without a gradient, `!parameter.grad().defined()`, is left alone.
void sgd_step(const Parameters& parameters, double lr);
// If the norm of all gradients together, as one long vector, is above max_norm, scales them all so that it is max_norm.
// Returns the norm as it was before. Passes over parameters without a gradient.
double clip_grad_norm(const Parameters& parameters, double max_norm);
// So many steps of gradient descent with clipping, whatever is in grad() before. Returns the loss before each step.
std::vector<double> train(const Parameters& parameters, const Loss& loss, int steps, double lr, double max_norm);

struct Answer {
  decltype(&::sgd_step) sgd_step;
  decltype(&::clip_grad_norm) clip_grad_norm;
  decltype(&::train) train;
};
