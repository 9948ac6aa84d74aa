#include "autograd/gradcheck/numeric_derivative.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace autograd::checker {
namespace {

constexpr int most_steps = 10;
constexpr int fewest_steps = 4;
constexpr double shrink = 1.4;
constexpr double worse_by = 2.0;  // stop once the table's last entry is this many times worse than the best

// One row of Neville's table: row[k] is the derivative with the terms up to h^(2k) removed.
using Row = std::array<double, most_steps>;

Row extrapolate(double difference, const Row& before, int order) {
  Row row{};
  row[0] = difference;
  double factor = shrink * shrink;
  for (int k = 1; k <= order; ++k) {
    row[k] = (row[k - 1] * factor - before[k - 1]) / (factor - 1.0);
    factor *= shrink * shrink;
  }
  return row;
}

bool approach_each_other(const Slopes& first, const Slopes& last, double negligible) {
  const double jump_before = std::abs(first.right - first.left);
  const double jump = std::abs(last.right - last.left);
  const double rounding = 10.0 * last.noise + 1e-9 * std::abs(last.central) + negligible;
  return jump <= std::max(0.5 * jump_before, rounding);
}

bool shows_a_slope(const Slopes& slopes, double negligible) {
  return std::abs(slopes.central) > 10.0 * slopes.noise + negligible;
}

// Is the function flat at one of the two steps only, and not because of rounding?
bool are_stairs(const Slopes& first, const Slopes& last, double negligible) {
  return first.flat != last.flat && (shows_a_slope(first, negligible) || shows_a_slope(last, negligible));
}

}  // namespace

double step_unit(double x) {
  return std::max(1.0, std::abs(x));
}

Estimate ridders(const Probe& probe, double& element, double first_step, double negligible) {
  Estimate best;
  best.step = first_step;
  Slopes first;
  Slopes last;
  bool all_flat = true;
  Row before{};
  double step = first_step;
  for (int i = 0; i < most_steps; ++i) {
    last = probe.slopes(element, step);
    if (!last.finite) return Estimate{};
    if (i == 0) first = last;
    best.stairs = best.stairs || are_stairs(first, last, negligible);

    all_flat = all_flat && last.flat;
    best.changed = std::min(best.changed, last.changed);

    // A flat function may hide a change smaller than the rounding.
    const double noise = last.flat ? probe.rounding() / step : last.noise;
    const Row row = extrapolate(last.central, before, i);
    for (int k = 1; k <= i; ++k) {
      const double disagreement = std::max(std::abs(row[k] - row[k - 1]), std::abs(row[k] - before[k - 1]));
      const double error = std::max(disagreement, noise);
      if (error > best.error) continue;
      best.error = error;
      best.value = row[k];
    }
    const bool grows_worse = i > 0 && std::abs(row[i] - before[i - 1]) >= worse_by * best.error;
    if (i + 1 >= fewest_steps && grows_worse) break;
    before = row;
    step /= shrink;
  }
  best.finite = true;
  best.smooth = !best.stairs && approach_each_other(first, last, negligible);
  best.flat = all_flat;
  if (best.flat) best.error = probe.rounding() / first_step;
  return best;
}

}  // namespace autograd::checker
