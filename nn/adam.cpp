#include "nn/adam.h"

#include <fmt/core.h>

#include <cmath>
#include <limits>

#include "nn/checks.h"

namespace nn {
namespace {

void check_beta(std::string_view asked, std::string_view option, double beta, Where where) {
  if (beta >= 0.0 && beta < 1.0) return;
  autograd::fail(ErrorId::bad_argument, asked, where, fmt::format("{} is {}", option, beta),
                 "give a number from 0 to below 1");
}

}  // namespace

Adam::Adam(std::string_view type, const std::vector<Tensor>& parameters, const AdamOptions& given, Where where)
    : Optimizer(type, parameters, given.lr, where),
      options(given),
      exp_avg_(add_state("exp_avg")),
      exp_avg_sq_(add_state("exp_avg_sq")) {
  const double infinity = std::numeric_limits<double>::infinity();
  check_beta(type, "betas.first", options.betas.first, where);
  check_beta(type, "betas.second", options.betas.second, where);
  check_range(type, "eps", options.eps, 0.0, infinity, where);
  check_range(type, "weight_decay", options.weight_decay, 0.0, infinity, where);
  if (options.amsgrad) max_exp_avg_sq_ = &add_state("max_exp_avg_sq");
}

Adam::Adam(const std::vector<Tensor>& parameters, const AdamOptions& given, Where where)
    : Adam("Adam", parameters, given, where) {}

void Adam::update(std::size_t index, const Tensor& parameter, const Tensor& gradient) {
  adam_step(index, parameter, gradient, options.weight_decay);
}

void Adam::adam_step(std::size_t index, const Tensor& parameter, const Tensor& gradient, double weight_decay) {
  Tensor& exp_avg = exp_avg_[index];
  Tensor& exp_avg_sq = exp_avg_sq_[index];
  if (!exp_avg.defined()) exp_avg = autograd::zeros_like(gradient);
  if (!exp_avg_sq.defined()) exp_avg_sq = autograd::zeros_like(gradient);
  if (max_exp_avg_sq_) {
    amsgrad_step(index, parameter, weight_decay == 0.0 ? gradient : gradient + weight_decay * parameter);
    return;
  }
  const double steps = static_cast<double>(step_count(index));
  const double correction = 1.0 - std::pow(options.betas.first, steps);
  const double correction_sq = 1.0 - std::pow(options.betas.second, steps);
  autograd::adam_step_(parameter, gradient, exp_avg, exp_avg_sq,
                       {.beta1 = options.betas.first,
                        .beta2 = options.betas.second,
                        .eps = options.eps,
                        .step_size = lr() / correction,
                        .root_scale = 1.0 / std::sqrt(correction_sq),
                        .weight_decay = weight_decay});
}

// Operation by operation: it is rarely used, and shows what adam_step_ does in one pass.
void Adam::amsgrad_step(std::size_t index, const Tensor& parameter, const Tensor& gradient) {
  const Tensor& exp_avg = exp_avg_[index];
  exp_avg.mul_(options.betas.first);
  exp_avg.add_(gradient, 1.0 - options.betas.first);

  const Tensor& exp_avg_sq = exp_avg_sq_[index];
  exp_avg_sq.mul_(options.betas.second);
  exp_avg_sq.addcmul_(gradient, gradient, 1.0 - options.betas.second);

  Tensor& largest = (*max_exp_avg_sq_)[index];
  largest = largest.defined() ? autograd::maximum(largest, exp_avg_sq) : exp_avg_sq.clone();
  const double steps = static_cast<double>(step_count(index));
  const Tensor root = largest.sqrt();
  root.mul_(1.0 / std::sqrt(1.0 - std::pow(options.betas.second, steps)));
  const double correction = 1.0 - std::pow(options.betas.first, steps);
  parameter.addcdiv_(exp_avg, root + options.eps, -lr() / correction);
}

// ---- AdamW ---------------------------------------------------------------------------------------------------

AdamW::AdamW(const std::vector<Tensor>& parameters, const AdamWOptions& given, Where where)
    : Adam("AdamW", parameters,
           {.lr = given.lr,
            .betas = given.betas,
            .eps = given.eps,
            .weight_decay = given.weight_decay,
            .amsgrad = given.amsgrad},
           where) {}

void AdamW::update(std::size_t index, const Tensor& parameter, const Tensor& gradient) {
  parameter.mul_(1.0 - lr() * options.weight_decay);
  adam_step(index, parameter, gradient, 0.0);
}

}  // namespace nn
