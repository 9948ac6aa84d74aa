#include "nn/optim/clip_grad.h"

#include <fmt/core.h>

#include <cmath>

namespace nn {
namespace {

using autograd::Tensor;
using autograd::Where;

// The norm of all gradients as one vector is the norm of their norms. In double, because those of float32 may be beyond
// its range.
double norm(const std::vector<Tensor>& gradients, double p) {
  if (p == 2.0) {
    double squares = 0.0;
    for (const Tensor& gradient : gradients) squares += autograd::sum_of_squares(gradient);
    if (squares > 1e-290 && std::isfinite(squares)) return std::sqrt(squares);
  }
  std::vector<double> norms = {0.0};
  for (const Tensor& gradient : gradients) norms.push_back(gradient.to(autograd::float64).norm(p).item());
  return autograd::tensor(norms, autograd::float64).norm(p).item();
}

}  // namespace

double clip_grad_norm_(const std::vector<Tensor>& parameters, double max_norm, double norm_type, Where where) {
  if (!(norm_type > 0.0)) {
    autograd::fail(autograd::ErrorId::bad_argument, "clip_grad_norm_", where, fmt::format("norm_type is {}", norm_type),
                   "give a positive number, 2 as a rule, or infinity");
  }
  if (!(max_norm >= 0.0)) {
    autograd::fail(autograd::ErrorId::bad_argument, "clip_grad_norm_", where, fmt::format("max_norm is {}", max_norm),
                   "give a number of 0 or more; infinity only measures");
  }
  const autograd::NoGradGuard no_grad;
  std::vector<Tensor> gradients;
  for (const Tensor& parameter : parameters) {
    const Tensor gradient = parameter.grad(where);
    if (gradient.defined() && gradient.numel() > 0) gradients.push_back(gradient);
  }
  const double total = norm(gradients, norm_type);
  const double scale = max_norm / (total + 1e-6);
  if (scale >= 1.0 || std::isinf(max_norm)) return total;
  autograd::scale_all_(gradients, scale, where);
  return total;
}

}  // namespace nn
