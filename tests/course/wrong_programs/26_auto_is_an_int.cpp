// wrong: `auto squares = 0;` is an int, so every sum of squares that is added loses what stands behind the point
#include "given.h"

void sgd_step(const Parameters& parameters, double lr) {
  const autograd::NoGradGuard no_grad;  // the step is not a part of the graph
  for (const Tensor& parameter : parameters) {
    if (!parameter.grad().defined()) continue;
    parameter.sub_(lr * parameter.grad());
  }
}

double clip_grad_norm(const Parameters& parameters, double max_norm) {
  const autograd::NoGradGuard no_grad;
  auto squares = 0;
  for (const Tensor& parameter : parameters) {
    const Tensor grad = parameter.grad();
    if (grad.defined()) squares += (grad * grad).sum().item();
  }
  const double norm = std::sqrt(squares);
  if (norm > max_norm) {
    for (const Tensor& parameter : parameters) {
      if (parameter.grad().defined()) parameter.grad().mul_(max_norm / norm);
    }
  }
  return norm;
}

std::vector<double> train(const Parameters& parameters, const Loss& loss, int steps, double lr, double max_norm) {
  std::vector<double> losses;
  for (int step = 0; step < steps; ++step) {
    for (const Tensor& parameter : parameters) parameter.zero_grad();
    const Tensor value = loss();
    losses.push_back(value.item());
    value.backward();
    clip_grad_norm(parameters, max_norm);
    sgd_step(parameters, lr);
  }
  return losses;
}
