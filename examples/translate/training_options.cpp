#include "examples/translate/training_options.h"

#include <fmt/core.h>

#include <cmath>
#include <limits>

#include "examples/translate/refuse.h"

namespace translate {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void check_range(const char* name, double value, double low, double high) {
  if (low <= value && value <= high && std::isfinite(value)) return;
  const std::string range =
      high == infinity ? fmt::format("at least {}", low) : fmt::format("from {} to {}", low, high);
  refuse_option(fmt::format("--{} is {}", name, value), "it is " + range);
}

}  // namespace

void check_training_options(const TrainingOptions& options) {
  check_range("epochs", static_cast<double>(options.epochs), 1, infinity);
  check_range("steps", static_cast<double>(options.steps), 0, infinity);
  check_range("batch", static_cast<double>(options.batch), 1, infinity);
  check_range("lr", options.lr, 0.0, infinity);
  check_range("warmup", static_cast<double>(options.warmup), 0, infinity);
  check_range("clip", options.clip, std::numeric_limits<double>::min(), infinity);
  check_range("teacher-forcing", options.teacher_forcing, 0.0, 1.0);
  check_range("coverage-loss", options.coverage_loss, 0.0, infinity);
  check_range("label-smoothing", options.label_smoothing, 0.0, 1.0);
}

}  // namespace translate
