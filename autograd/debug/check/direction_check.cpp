#include "autograd/debug/check/direction_check.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "autograd/gradcheck/check_node.h"
#include "autograd/gradcheck/patterns.h"

namespace autograd::debug {
namespace {

// How far an element moves, relative to the step. It does not cross 0, where many functions have a kink or an edge,
// unless it is 0. Infinite elements do not move.
double reach(double x) {
  if (!std::isfinite(x)) return 0.0;
  const double size = std::abs(x);
  return size == 0.0 ? 1.0 : std::max(size, 1e-3);
}

}  // namespace

DirectionCheck::DirectionCheck(const Node& node, const Inputs& inputs, const Tensor& dy, const Grads& gradients,
                               std::uint64_t seed)
    : copies_(checker::copies_of(inputs)),
      evaluate_(checker::replay(node, copies_)),
      random_(seed),
      dy_(dy.to_vector()) {
  const bool narrow = evaluate_()[0].dtype() == float32;
  epsilon_ = narrow ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  step_ = narrow ? 1e-2 : 1e-4;
  const bool is_float32 = node.dtype == float32;
  tolerance_ = is_float32 ? 2e-4 : 1e-6;
  share_of_largest_ = is_float32 ? 2e-4 : 1e-10;
  const double smallest = is_float32 ? std::numeric_limits<float>::min() : std::numeric_limits<double>::min();
  lost_in_underflow_ = smallest * std::max(1.0, checker::largest_finite(dy_));
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const bool asked = node.needs(i) && inputs[i].defined() && is_floating(inputs[i].dtype());
    inputs_.push_back(asked ? moving(copies_[i], checker::fitted(gradients[i], inputs[i].shape())) : Moving{});
    const auto [first, last] = node.without_gradient(i);
    if (asked && first < last) leave_out(i, static_cast<std::size_t>(first), static_cast<std::size_t>(last - first));
  }
}

DirectionCheck::Moving DirectionCheck::moving(const Tensor& values, const Tensor& gradient) {
  Moving input;
  input.values = values;
  const auto count = static_cast<std::size_t>(values.numel());
  input.gradient = gradient.defined() ? gradient.to_vector() : std::vector<double>(count, 0.0);
  input.largest = checker::largest_finite(input.gradient);
  const double* x = values.data_ptr<double>();
  for (std::size_t i = 0; i < count; ++i)
    input.direction.push_back(random_.uniform() < 0.5 ? -reach(x[i]) : reach(x[i]));
  return input;
}

void DirectionCheck::leave_out(std::size_t input, std::size_t first, std::size_t count) {
  std::vector<double>& direction = inputs_[input].direction;
  std::fill_n(direction.begin() + static_cast<std::ptrdiff_t>(first), count, 0.0);
}

void DirectionCheck::leave_out_equal(std::size_t input, std::size_t element) {
  const double* x = inputs_[input].values.data_ptr<double>();
  std::vector<double>& direction = inputs_[input].direction;
  for (std::size_t i = 0; i < direction.size(); ++i) {
    if (x[i] == x[element]) direction[i] = 0.0;
  }
}

std::vector<double> DirectionCheck::outputs_at(Moving& input, Part part, double step) {
  double* x = input.values.data_ptr<double>();
  const std::vector<double> before(x + part.begin, x + part.end);
  for (std::size_t i = part.begin; i < part.end; ++i) x[i] += step * input.direction[i];
  std::vector<double> outputs = checker::flatten(evaluate_());
  std::copy(before.begin(), before.end(), x + part.begin);
  return outputs;
}

// Takes differences output by output, before the sum: unchanged outputs cancel exactly, even if they are infinite.
DirectionCheck::Slope DirectionCheck::slope(Moving& input, Part part, double step) {
  const std::vector<double> plus = outputs_at(input, part, step);
  const std::vector<double> minus = outputs_at(input, part, -step);
  Slope result;
  double noise = 0.0;
  for (std::size_t i = 0; i < dy_.size(); ++i) {
    if (plus[i] == minus[i]) continue;
    result.value += dy_[i] * (plus[i] - minus[i]);
    const double size = dy_[i] * std::max(std::abs(plus[i]), std::abs(minus[i]));
    noise += size * size;
  }
  result.value /= 2.0 * step;
  result.noise = epsilon_ * std::sqrt(noise) / step;
  return result;
}

// The difference of the gradient and the numeric slope, as a multiple of the tolerated one. That has no absolute part,
// which would hide any mistake in a small gradient.
double DirectionCheck::excess(Moving& input, Part part) {
  const Slope wide = slope(input, part, step_);
  const Slope narrow = slope(input, part, step_ / 2.0);
  const double numeric = (4.0 * narrow.value - wide.value) / 3.0;
  const double error = std::abs(narrow.value - wide.value) + 4.0 * narrow.noise;
  double analytic = 0.0;
  double size = 0.0;
  double length = 0.0;
  for (std::size_t i = part.begin; i < part.end; ++i) {
    if (input.direction[i] == 0.0) continue;
    const double change = input.gradient[i] * input.direction[i];
    analytic += change;
    size += change * change;
    length += input.direction[i] * input.direction[i];
  }
  const double of_each = share_of_largest_ * input.largest + lost_in_underflow_;
  const double allowed = tolerance_ * std::sqrt(size) + of_each * std::sqrt(length) + error;
  const double apart = std::abs(numeric - analytic);
  return std::isnan(apart) ? std::numeric_limits<double>::infinity() : apart / allowed;
}

std::optional<std::size_t> DirectionCheck::find_suspect(std::size_t number) {
  Moving& input = inputs_[number];
  Part part{0, input.gradient.size()};
  for (std::size_t i = 0; i < part.end; ++i) {
    if (input.direction[i] != 0.0 && !std::isfinite(input.gradient[i])) return i;
  }
  if (part.size() == 0 || excess(input, part) <= 1.0) return {};
  while (part.size() > 1) {
    const std::size_t middle = part.begin + part.size() / 2;
    const Part left{part.begin, middle};
    const Part right{middle, part.end};
    part = excess(input, left) >= excess(input, right) ? left : right;
  }
  return part.begin;
}

}  // namespace autograd::debug
