#include "examples/translate/training_options.h"

#include <fmt/core.h>

#include <cmath>

#include "examples/translate/refuse.h"

namespace translate {
namespace {

constexpr std::int64_t most_steps = 1'000'000'000;

void check_share(const char* name, double value) {
  if (0.0 <= value && value <= 1.0) return;
  refuse_option(fmt::format("--{} is {}", name, value), "it is from 0 to 1");
}

void check_positive(const char* name, double value) {
  if (value > 0.0 && std::isfinite(value)) return;
  refuse_option(fmt::format("--{} is {}", name, value), "it is a finite number greater than 0");
}

}  // namespace

void check_training_options(const TrainingOptions& options) {
  check_range("epochs", options.epochs, 1, 1'000'000);
  check_range("steps", options.steps, 0, most_steps);
  check_range("batch", options.batch, 1, 1'000'000);
  check_positive("lr", options.lr);
  check_range("warmup", options.warmup, 0, most_steps);
  check_positive("clip", options.clip);
  check_share("teacher-forcing", options.teacher_forcing);
  if (!(0.0 <= options.coverage_loss && options.coverage_loss <= 1e6)) {
    refuse_option(fmt::format("--coverage-loss is {}", options.coverage_loss), "it is from 0 to 1000000; 1 is usual");
  }
  check_share("label-smoothing", options.label_smoothing);
}

}  // namespace translate
