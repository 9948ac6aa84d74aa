// Schedules of the learning rate, PyTorch's. step() is called after each step of the optimiser, or after each
// epoch; t counts the calls so far, and `base` is the optimiser's rate when its first schedule was made.
//
//   nn::Adam optimizer(model.parameters(), {.lr = 1e-3});
//   nn::CosineAnnealingLR schedule(optimizer, {.T_max = 1000});
//
// The optimiser must live as long as the schedule. Each sets the rate of t = 0 at once.
//
// Several schedules of one optimiser combine: step() starts from the rate that it finds, whether another schedule or
// set_lr() set it. (LambdaLR ignores that rate.) So the rate belongs to the optimiser, and is saved with it: to resume
// a run, load the state of the optimiser and that of each schedule.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "nn/optim/optimizer.h"

namespace nn {

class LRScheduler {
 public:
  // The rate at t, if it was `lr` at t - 1.
  using Rate = std::function<double(double lr, std::int64_t t)>;

  LRScheduler(const LRScheduler&) = delete;
  LRScheduler& operator=(const LRScheduler&) = delete;
  virtual ~LRScheduler() = default;

  // Throws bad-argument if the next rate is not a rate: negative, infinite or NaN; nothing has changed then.
  void step(Where where = Where::current());
  std::int64_t last_epoch() const { return t_; }  // t

  // For resuming: t and base, not the rate. Throws state-dict-mismatch; nothing has changed then.
  StateDict state_dict() const;
  void load_state_dict(const StateDict& state, Where where = Where::current());

 protected:
  explicit LRScheduler(Optimizer& optimizer) : optimizer_(optimizer) {}
  double base() const { return base_; }
  // Sets the rate of t = 0. Every constructor calls it last.
  void start(Rate rate, Where where);

 private:
  Optimizer& optimizer_;
  Rate rate_;
  double base_ = 0.0;
  std::int64_t t_ = 0;
};

// Multiplies by gamma at every step_size-th step. Alone: base * gamma^(t / step_size), the quotient rounded down.
struct StepLROptions {
  Int step_size = 0;  // required
  double gamma = 0.1;
};
struct StepLR : LRScheduler {
  StepLR(Optimizer& optimizer, const StepLROptions& options, Where where = Where::current());
};

// Multiplies by gamma at each of these steps; twice if a step is listed twice.
struct MultiStepLROptions {
  std::vector<std::int64_t> milestones = {};  // required; from 1, in any order
  double gamma = 0.1;
};
struct MultiStepLR : LRScheduler {
  MultiStepLR(Optimizer& optimizer, const MultiStepLROptions& options, Where where = Where::current());
};

// Multiplies by gamma at every step. Alone: base * gamma^t
struct ExponentialLROptions {
  double gamma = 0.0;  // above 0; required
};
struct ExponentialLR : LRScheduler {
  ExponentialLR(Optimizer& optimizer, const ExponentialLROptions& options, Where where = Where::current());
};

// Half a cosine wave from base down to eta_min, and after T_max up again. Alone:
//   eta_min + (base - eta_min) * (1 + cos(pi * t / T_max)) / 2        (Loshchilov and Hutter 2017, eq. 5)
// With other schedules, the part above eta_min is multiplied at each step by the same factor as in this formula.
struct CosineAnnealingLROptions {
  Int T_max = 0;  // required
  double eta_min = 0.0;
};
struct CosineAnnealingLR : LRScheduler {
  CosineAnnealingLR(Optimizer& optimizer, const CosineAnnealingLROptions& options, Where where = Where::current());
};

// Warm-up: the rate times a factor that goes evenly from start_factor to end_factor in total_iters steps.
struct LinearLROptions {
  double start_factor = 1.0 / 3.0;  // above 0
  double end_factor = 1.0;
  Int total_iters = 5;
};
struct LinearLR : LRScheduler {
  explicit LinearLR(Optimizer& optimizer, const LinearLROptions& options = {}, Where where = Where::current());
};

// Up from max_lr / div_factor to max_lr in the first pct_start of the steps, then down to the first rate divided by
// final_div_factor (Smith and Topin 2019). It ignores the rate that it finds, and refuses a step beyond total_steps.
// (PyTorch's also changes the momentum, which is fixed here, as with its cycle_momentum=False.)
struct OneCycleLROptions {
  double max_lr = 0.0;  // required
  Int total_steps = 0;  // required; 2 or more
  double pct_start = 0.3;
  enum class Anneal { cos, linear } anneal_strategy = Anneal::cos;
  double div_factor = 25.0;
  double final_div_factor = 1e4;
};
struct OneCycleLR : LRScheduler {
  OneCycleLR(Optimizer& optimizer, const OneCycleLROptions& options, Where where = Where::current());
};

// base * factor(t), with any function.
struct LambdaLR : LRScheduler {
  LambdaLR(Optimizer& optimizer, std::function<double(std::int64_t)> factor, Where where = Where::current());
};

// Multiplies the rate by `factor` when the metric, usually a validation loss, has not improved for more than `patience`
// steps in a row. It has improved if it is below best * (1 - threshold), in absolute mode below best - threshold; for
// Mode::max, if it is above best by as much.
class ReduceLROnPlateau {
 public:
  enum class Mode { min, max };
  enum class ThresholdMode { relative, absolute };
  struct Options {
    Mode mode = Mode::min;
    double factor = 0.1;  // below 1
    Int patience = 10;
    double threshold = 1e-4;
    ThresholdMode threshold_mode = ThresholdMode::relative;
    Int cooldown = 0;  // steps to wait after a reduction before counting again
    double min_lr = 0.0;
    double eps = 1e-8;  // smaller changes of the rate are not made
  };

  explicit ReduceLROnPlateau(Optimizer& optimizer) : ReduceLROnPlateau(optimizer, Options{}) {}
  ReduceLROnPlateau(Optimizer& optimizer, const Options& options, Where where = Where::current());
  ReduceLROnPlateau(const ReduceLROnPlateau&) = delete;
  ReduceLROnPlateau& operator=(const ReduceLROnPlateau&) = delete;

  void step(double metric);

  // For resuming: the best metric and the counts. Throws state-dict-mismatch; nothing has changed then.
  StateDict state_dict() const;
  void load_state_dict(const StateDict& state, Where where = Where::current());

 private:
  bool is_better(double metric) const;
  void reduce();

  Optimizer& optimizer_;
  Options options_;
  double best_;
  std::int64_t bad_steps_ = 0;
  std::int64_t cooldown_left_ = 0;
};

}  // namespace nn
