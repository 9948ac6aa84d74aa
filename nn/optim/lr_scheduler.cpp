#include "nn/optim/lr_scheduler.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "nn/layers/checks.h"

namespace nn {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Tensor count(std::int64_t value) {
  return autograd::full(Shape(), static_cast<double>(value), autograd::int64);
}
Tensor number(double value) {
  return autograd::tensor(value, autograd::float64);
}

// The number under this name. Throws state-dict-mismatch if no schedule has saved it.
double number_in(const StateDict& state, const std::string& name, bool is_right(double), std::string_view asked,
                 Where where) {
  const double value = state.at(name).item();
  StateDictDifference difference;
  if (!is_right(value)) difference.unfit.push_back(fmt::format("{} is {}", name, value));
  check_no_difference(asked, difference, where);
  return value;
}

// The count under this name. Throws state-dict-mismatch if it is below 0.
std::int64_t count_in(const StateDict& state, const std::string& name, std::string_view asked, Where where) {
  const std::int64_t value = state.at(name).item<std::int64_t>();
  StateDictDifference difference;
  if (value < 0) difference.unfit.push_back(fmt::format("{} is {}", name, value));
  check_no_difference(asked, difference, where);
  return value;
}

}  // namespace

void LRScheduler::start(Rate rate, Where where) {
  rate_ = std::move(rate);
  base_ = optimizer_.initial_lr();
  optimizer_.set_lr(rate_(optimizer_.lr(), 0), where);
}

void LRScheduler::step(Where where) {
  optimizer_.set_lr(rate_(optimizer_.lr(), t_ + 1), where);
  ++t_;
}

StateDict LRScheduler::state_dict() const {
  return {{"last_epoch", count(t_)}, {"base_lr", number(base_)}};
}

void LRScheduler::load_state_dict(const StateDict& state, Where where) {
  check_no_difference("LRScheduler::load_state_dict", compare(state_dict(), state), where);
  const std::int64_t t = count_in(state, "last_epoch", "LRScheduler::load_state_dict", where);
  const auto is_rate = [](double lr) { return lr >= 0.0 && std::isfinite(lr); };
  base_ = number_in(state, "base_lr", is_rate, "LRScheduler::load_state_dict", where);
  t_ = t;
}

// ---- the formulas --------------------------------------------------------------------------------------------

StepLR::StepLR(Optimizer& optimizer, const StepLROptions& o, Where where) : LRScheduler(optimizer) {
  check_positive("StepLR", "step_size", o.step_size, where);
  check_range("StepLR", "gamma", o.gamma, 0.0, infinity, where);
  start([o](double lr, std::int64_t t) { return t == 0 || t % o.step_size != 0 ? lr : lr * o.gamma; }, where);
}

MultiStepLR::MultiStepLR(Optimizer& optimizer, const MultiStepLROptions& o, Where where) : LRScheduler(optimizer) {
  for (const std::int64_t milestone : o.milestones) check_positive("MultiStepLR", "milestones", milestone, where);
  check_range("MultiStepLR", "gamma", o.gamma, 0.0, infinity, where);
  const auto rate = [o](double lr, std::int64_t t) {
    const auto times = std::count(o.milestones.begin(), o.milestones.end(), t);
    return times == 0 ? lr : lr * std::pow(o.gamma, static_cast<double>(times));
  };
  start(rate, where);
}

ExponentialLR::ExponentialLR(Optimizer& optimizer, const ExponentialLROptions& o, Where where)
    : LRScheduler(optimizer) {
  if (!(o.gamma > 0.0 && std::isfinite(o.gamma))) {
    autograd::fail(ErrorId::bad_argument, "ExponentialLR", where, fmt::format("gamma is {}", o.gamma),
                   "give a finite number above 0, {.gamma = 0.9}");
  }
  start([o](double lr, std::int64_t t) { return t == 0 ? lr : lr * o.gamma; }, where);
}

CosineAnnealingLR::CosineAnnealingLR(Optimizer& optimizer, const CosineAnnealingLROptions& o, Where where)
    : LRScheduler(optimizer) {
  check_positive("CosineAnnealingLR", "T_max", o.T_max, where);
  check_range("CosineAnnealingLR", "eta_min", o.eta_min, 0.0, infinity, where);
  const auto rate = [this, o](double lr, std::int64_t t) {
    if (t == 0) return lr;
    const double T_max = static_cast<double>(o.T_max);
    const auto height = [T_max](std::int64_t at) {
      return 1.0 + std::cos(std::numbers::pi * static_cast<double>(at) / T_max);
    };
    // At the lowest point, the part above eta_min is 0, and no factor could raise it.
    const bool was_lowest = (t - 1) % o.T_max == 0 && (t - 1) / o.T_max % 2 == 1;
    if (was_lowest) return lr + (base() - o.eta_min) * (1.0 - std::cos(std::numbers::pi / T_max)) / 2.0;
    return height(t) / height(t - 1) * (lr - o.eta_min) + o.eta_min;
  };
  start(rate, where);
}

LinearLR::LinearLR(Optimizer& optimizer, const LinearLROptions& o, Where where) : LRScheduler(optimizer) {
  check_positive("LinearLR", "total_iters", o.total_iters, where);
  if (!(o.start_factor > 0.0)) {
    autograd::fail(
        ErrorId::bad_argument, "LinearLR", where,
        fmt::format("start_factor is {}, and what is 0 stays 0 whatever it is multiplied by", o.start_factor),
        "give a number above 0 and up to 1, {.start_factor = 0.01}");
  }
  check_range("LinearLR", "start_factor", o.start_factor, 0.0, 1.0, where);
  check_range("LinearLR", "end_factor", o.end_factor, 0.0, 1.0, where);
  // The factor of t divided by that of t - 1, which is start_factor + (t - 1) * rise / total.
  const auto rate = [o](double lr, std::int64_t t) {
    if (t == 0) return lr * o.start_factor;
    if (t > o.total_iters) return lr;
    const double rise = o.end_factor - o.start_factor;
    const double total = static_cast<double>(o.total_iters);
    const double factor = 1.0 + rise / (total * o.start_factor + static_cast<double>(t - 1) * rise);
    return lr * std::max(factor, 0.0);  // rounding may lead beyond an end_factor of 0
  };
  start(rate, where);
}

OneCycleLR::OneCycleLR(Optimizer& optimizer, const OneCycleLROptions& o, Where where) : LRScheduler(optimizer) {
  constexpr double tiny = std::numeric_limits<double>::min();
  check_range("OneCycleLR", "max_lr", o.max_lr, tiny, infinity, where);
  check_range("OneCycleLR", "pct_start", o.pct_start, 0.0, 1.0, where);
  check_range("OneCycleLR", "div_factor", o.div_factor, tiny, infinity, where);
  check_range("OneCycleLR", "final_div_factor", o.final_div_factor, tiny, infinity, where);
  if (o.total_steps < 2) {
    autograd::fail(ErrorId::bad_argument, "OneCycleLR", where, fmt::format("total_steps is {}", o.total_steps),
                   "give the number of all steps of the training, 2 or more");
  }
  const auto between = [o](double from, double to, double share) {
    if (o.anneal_strategy == OneCycleLROptions::Anneal::linear) return from + (to - from) * share;
    return to + (from - to) / 2.0 * (1.0 + std::cos(std::numbers::pi * share));
  };
  const auto rate = [o, between](double, std::int64_t t) {
    if (t > o.total_steps) {
      autograd::fail(ErrorId::bad_argument, "OneCycleLR", {}, fmt::format("step {} of {}", t, o.total_steps),
                     "give the number of all steps as total_steps");
    }
    const double first = o.max_lr / o.div_factor;
    const double last = first / o.final_div_factor;
    const double peak = o.pct_start * static_cast<double>(o.total_steps) - 1.0;
    const double end = static_cast<double>(o.total_steps) - 1.0;
    const double at = static_cast<double>(t);
    return at <= peak && peak > 0.0 ? between(first, o.max_lr, at / peak)
                                    : between(o.max_lr, last, (at - peak) / (end - peak));
  };
  start(rate, where);
}

LambdaLR::LambdaLR(Optimizer& optimizer, std::function<double(std::int64_t)> factor, Where where)
    : LRScheduler(optimizer) {
  if (!factor) {
    autograd::fail(ErrorId::bad_argument, "LambdaLR", where, "the function is empty",
                   "pass a function of the step, such as [](std::int64_t t) { return 1.0 / (1.0 + t); }");
  }
  start([this, factor = std::move(factor)](double, std::int64_t t) { return base() * factor(t); }, where);
}

// ---- ReduceLROnPlateau ---------------------------------------------------------------------------------------

ReduceLROnPlateau::ReduceLROnPlateau(Optimizer& optimizer, const Options& options, Where where)
    : optimizer_(optimizer), options_(options), best_(options.mode == Mode::min ? infinity : -infinity) {
  if (!(options_.factor < 1.0)) {
    autograd::fail(ErrorId::bad_argument, "ReduceLROnPlateau", where, fmt::format("factor is {}", options_.factor),
                   "give a number below 1, or the rate would not fall");
  }
  check_range("ReduceLROnPlateau", "factor", options_.factor, 0.0, 1.0, where);
  check_range("ReduceLROnPlateau", "min_lr", options_.min_lr, 0.0, infinity, where);
  check_range("ReduceLROnPlateau", "threshold", options_.threshold, 0.0, infinity, where);
  check_range("ReduceLROnPlateau", "eps", options_.eps, 0.0, infinity, where);
  check_range("ReduceLROnPlateau", "patience", static_cast<double>(options_.patience), 0.0, infinity, where);
  check_range("ReduceLROnPlateau", "cooldown", static_cast<double>(options_.cooldown), 0.0, infinity, where);
}

bool ReduceLROnPlateau::is_better(double metric) const {
  const double sign = options_.mode == Mode::min ? -1.0 : 1.0;
  const bool is_relative = options_.threshold_mode == ThresholdMode::relative;
  const double bar = is_relative ? best_ * (1.0 + sign * options_.threshold) : best_ + sign * options_.threshold;
  return options_.mode == Mode::min ? metric < bar : metric > bar;
}

void ReduceLROnPlateau::step(double metric) {
  if (is_better(metric)) {
    best_ = metric;
    bad_steps_ = 0;
  } else {
    ++bad_steps_;
  }
  if (cooldown_left_ > 0) {
    --cooldown_left_;
    bad_steps_ = 0;
  }
  if (bad_steps_ <= options_.patience) return;
  reduce();
  cooldown_left_ = options_.cooldown;
  bad_steps_ = 0;
}

void ReduceLROnPlateau::reduce() {
  const double before = optimizer_.lr();
  const double after = std::max(before * options_.factor, options_.min_lr);
  if (before - after > options_.eps) optimizer_.set_lr(after);
}

StateDict ReduceLROnPlateau::state_dict() const {
  return {{"best", number(best_)}, {"num_bad_epochs", count(bad_steps_)}, {"cooldown_counter", count(cooldown_left_)}};
}

void ReduceLROnPlateau::load_state_dict(const StateDict& state, Where where) {
  check_no_difference("ReduceLROnPlateau::load_state_dict", compare(state_dict(), state), where);
  const std::int64_t bad_steps = count_in(state, "num_bad_epochs", "ReduceLROnPlateau::load_state_dict", where);
  const std::int64_t cooldown_left = count_in(state, "cooldown_counter", "ReduceLROnPlateau::load_state_dict", where);
  const auto is_metric = [](double best) { return !std::isnan(best); };
  best_ = number_in(state, "best", is_metric, "ReduceLROnPlateau::load_state_dict", where);
  bad_steps_ = bad_steps;
  cooldown_left_ = cooldown_left;
}

}  // namespace nn
