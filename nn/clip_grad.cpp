#include "nn/clip_grad.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace nn {
namespace {

using autograd::Tensor;
using autograd::Where;

double largest_absolute(const std::vector<Tensor>& gradients) {
  double largest = 0.0;
  for (const Tensor& gradient : gradients) {
    const double here = gradient.abs().amax().item();
    if (!(here <= largest)) largest = here;  // not `>`, so that NaN is kept
  }
  return largest;
}

double norm(const std::vector<Tensor>& gradients, double p) {
  if (std::isinf(p)) return largest_absolute(gradients);
  double sum = 0.0;
  for (const Tensor& gradient : gradients) {
    sum += p == 2.0 ? autograd::sum_of_squares(gradient) : gradient.abs().pow(p).sum().item();
  }
  return std::pow(sum, 1.0 / p);
}

}  // namespace

double clip_grad_norm_(const std::vector<Tensor>& parameters, double max_norm, double norm_type, Where where) {
  if (!(norm_type > 0.0)) {
    autograd::fail(autograd::ErrorId::bad_argument, "clip_grad_norm_", where, fmt::format("norm_type is {}", norm_type),
                   "give a positive number, 2 as a rule, or infinity");
  }
  const autograd::NoGradGuard no_grad;
  std::vector<Tensor> gradients;
  for (const Tensor& parameter : parameters) {
    const Tensor gradient = parameter.grad(where);
    if (gradient.defined() && gradient.numel() > 0) gradients.push_back(gradient);
  }
  const double total = norm(gradients, norm_type);
  const double scale = max_norm / (total + 1e-6);
  if (scale >= 1.0) return total;
  autograd::scale_all_(gradients, scale, where);
  return total;
}

}  // namespace nn
