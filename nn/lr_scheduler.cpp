#include "nn/lr_scheduler.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "nn/checks.h"

namespace nn {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Tensor count(std::int64_t value) {
  return autograd::full(Shape(), static_cast<double>(value), autograd::int64);
}
Tensor number(double value) {
  return autograd::tensor(value, autograd::float64);
}

}  // namespace

void LRScheduler::step() {
  ++t_;
  optimizer_.set_lr(rate(t_));
}

StateDict LRScheduler::state_dict() const {
  return {{"last_epoch", count(t_)}, {"base_lr", number(base_)}};
}

void LRScheduler::load_state_dict(const StateDict& state, Where where) {
  check_no_difference("LRScheduler::load_state_dict", compare(state_dict(), state), where);
  t_ = state.at("last_epoch").item<std::int64_t>();
  base_ = state.at("base_lr").item();
  optimizer_.set_lr(rate(t_));
}

// ---- the formulas --------------------------------------------------------------------------------------------

StepLR::StepLR(Optimizer& optimizer, const StepLROptions& options, Where where)
    : LRScheduler(optimizer), options_(options) {
  check_positive("StepLR", "step_size", options_.step_size, where);
  check_range("StepLR", "gamma", options_.gamma, 0.0, infinity, where);
  start();
}

double StepLR::rate(std::int64_t t) const {
  return base() * std::pow(options_.gamma, static_cast<double>(t / options_.step_size));
}

ExponentialLR::ExponentialLR(Optimizer& optimizer, const ExponentialLROptions& options, Where where)
    : LRScheduler(optimizer), options_(options) {
  if (!(options_.gamma > 0.0)) {
    autograd::fail(ErrorId::bad_argument, "ExponentialLR", where, fmt::format("gamma is {}", options_.gamma),
                   "give a number above 0, {.gamma = 0.9}");
  }
  start();
}

double ExponentialLR::rate(std::int64_t t) const {
  return base() * std::pow(options_.gamma, static_cast<double>(t));
}

CosineAnnealingLR::CosineAnnealingLR(Optimizer& optimizer, const CosineAnnealingLROptions& options, Where where)
    : LRScheduler(optimizer), options_(options) {
  check_positive("CosineAnnealingLR", "T_max", options_.T_max, where);
  check_range("CosineAnnealingLR", "eta_min", options_.eta_min, 0.0, infinity, where);
  start();
}

double CosineAnnealingLR::rate(std::int64_t t) const {
  const double part = static_cast<double>(t) / static_cast<double>(options_.T_max);
  return options_.eta_min + (base() - options_.eta_min) * (1.0 + std::cos(std::numbers::pi * part)) / 2.0;
}

LinearLR::LinearLR(Optimizer& optimizer, const LinearLROptions& options, Where where)
    : LRScheduler(optimizer), options_(options) {
  check_positive("LinearLR", "total_iters", options_.total_iters, where);
  check_range("LinearLR", "start_factor", options_.start_factor, 0.0, 1.0, where);
  check_range("LinearLR", "end_factor", options_.end_factor, 0.0, 1.0, where);
  start();
}

double LinearLR::rate(std::int64_t t) const {
  const double part =
      static_cast<double>(std::min(t, options_.total_iters)) / static_cast<double>(options_.total_iters);
  return base() * (options_.start_factor + (options_.end_factor - options_.start_factor) * part);
}

LambdaLR::LambdaLR(Optimizer& optimizer, std::function<double(std::int64_t)> factor, Where where)
    : LRScheduler(optimizer), factor_(std::move(factor)) {
  if (!factor_) {
    autograd::fail(ErrorId::bad_argument, "LambdaLR", where, "the function is empty",
                   "pass a function of the step, such as [](std::int64_t t) { return 1.0 / (1.0 + t); }");
  }
  start();
}

double LambdaLR::rate(std::int64_t t) const {
  return base() * factor_(t);
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
  best_ = state.at("best").item();
  bad_steps_ = state.at("num_bad_epochs").item<std::int64_t>();
  cooldown_left_ = state.at("cooldown_counter").item<std::int64_t>();
}

}  // namespace nn
