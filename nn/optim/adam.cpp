#include "nn/optim/adam.h"

#include <fmt/core.h>

#include <cmath>
#include <limits>

#include "nn/layers/checks.h"

namespace nn {
namespace {

void check_beta(std::string_view asked, std::string_view option, double beta, Where where) {
  if (beta >= 0.0 && beta < 1.0) return;
  autograd::fail(ErrorId::bad_argument, asked, where, fmt::format("{} is {}", option, beta),
                 "give a number from 0 to below 1");
}

}  // namespace

Adam::Adam(std::string_view type, const ParameterGroups& parameters, const AdamOptions& given, Where where)
    : Optimizer(type, parameters, given.lr, given.weight_decay, where), options(given) {
  const double infinity = std::numeric_limits<double>::infinity();
  check_beta(type, "betas.first", options.betas.first, where);
  check_beta(type, "betas.second", options.betas.second, where);
  check_range(type, "eps", options.eps, 0.0, infinity, where);
  add_state("exp_avg");
  add_state("exp_avg_sq");
  if (options.amsgrad) add_state("max_exp_avg_sq");
}

Adam::Adam(const ParameterGroups& parameters, const AdamOptions& given, Where where)
    : Adam("Adam", parameters, given, where) {}

void Adam::run(const std::vector<Update>& updates, Where where) const {
  std::vector<autograd::AdamParameter> parameters;
  for (const Update& now : updates) {
    const double t = static_cast<double>(now.steps);
    const double correction = 1.0 - std::pow(options.betas.first, t);
    const double correction_sq = 1.0 - std::pow(options.betas.second, t);
    autograd::AdamStep step = {.beta1 = options.betas.first,
                               .beta2 = options.betas.second,
                               .eps = options.eps,
                               .step_size = now.lr / correction,
                               .root_scale = 1.0 / std::sqrt(correction_sq)};
    set_decay(step, now);
    parameters.push_back({now.parameter, now.gradient, now.averages[0], now.averages[1], step});
    if (options.amsgrad) parameters.back().max_exp_avg_sq = now.averages[2];
  }
  autograd::adam_step_(parameters, where);
}

// ---- AdamW ---------------------------------------------------------------------------------------------------

AdamW::AdamW(const ParameterGroups& parameters, const AdamWOptions& given, Where where)
    : Adam("AdamW", parameters,
           {.lr = given.lr,
            .betas = given.betas,
            .eps = given.eps,
            .weight_decay = given.weight_decay,
            .amsgrad = given.amsgrad},
           where) {}

void AdamW::set_decay(autograd::AdamStep& step, const Update& now) const {
  step.keep = 1.0 - now.lr * now.weight_decay;
}

}  // namespace nn
