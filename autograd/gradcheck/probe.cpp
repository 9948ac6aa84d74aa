#include "autograd/gradcheck/probe.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <utility>

#include "autograd/gradcheck/patterns.h"
#include "autograd/tape/backward.h"
#include "autograd/tensor/error.h"
#include "autograd/tensor/random.h"

namespace autograd::checker {
namespace {

void append(std::vector<double>& values, const Tensor& output) {
  if (output.dtype() == float64 && output.is_contiguous()) {
    const double* first = output.data_ptr<double>();
    values.insert(values.end(), first, first + output.numel());
    return;
  }
  const std::vector<double> elements = output.to_vector<double>();
  values.insert(values.end(), elements.begin(), elements.end());
}

DType narrowest_of(const std::vector<Tensor>& outputs) {
  const auto is_narrow = [](const Tensor& output) { return output.dtype() == float32; };
  return std::any_of(outputs.begin(), outputs.end(), is_narrow) ? float32 : float64;
}

}  // namespace

double epsilon_of(DType dtype) {
  return dtype == float32 ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
}

std::vector<double> flatten(const std::vector<Tensor>& outputs) {
  std::vector<double> values;
  for (const Tensor& output : outputs) {
    if (is_floating(output.dtype())) append(values, output);
  }
  return values;
}

Probe::Probe(Evaluate evaluate, const std::vector<Tensor>& cotangents)
    : evaluate_(std::move(evaluate)), cotangent_(flatten(cotangents)) {
  const NoGradGuard no_grad;
  const std::vector<Tensor> outputs = evaluate_();
  epsilon_ = epsilon_of(narrowest_of(outputs));
  outputs_ = flatten(outputs);
}

Probe Probe::with_noise(double noise) const {
  Probe probe = *this;
  probe.noise_ = noise;
  return probe;
}

Probe Probe::with_one_for_all(const std::vector<double*>& elements, const double& value) const {
  Probe probe = *this;
  probe.evaluate_ = [evaluate = evaluate_, elements, &value] {
    std::deque<Moved<double>> moved;
    for (double* element : elements) moved.emplace_back(*element, value);
    return evaluate();
  };
  return probe;
}

std::vector<double> Probe::outputs_at(double& element, double value) const {
  const NoGradGuard no_grad;
  const Moved moved(element, value);
  std::vector<double> outputs = flatten(evaluate_());
  if (outputs.size() != outputs_.size()) {
    fail(ErrorId::bad_argument, "gradcheck", Where{}, "the function's outputs change their size with its inputs",
         "return outputs of a shape that does not depend on the values");
  }
  return outputs;
}

double Probe::rounding() const {
  double size = 0.0;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const double term = std::abs(cotangent_[i] * outputs_[i]);
    if (std::isfinite(term)) size += term;
  }
  return std::max(epsilon_ * size, noise_);
}

double Probe::change(double& element, double value) const {
  const std::vector<double> moved = outputs_at(element, value);
  double change = 0.0;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    if (moved[i] != outputs_[i]) change += cotangent_[i] * (moved[i] - outputs_[i]);
  }
  return change;
}

// Takes the differences output by output, before the sum: outputs that do not depend on the element cancel exactly and
// add no noise. They may even be infinite, like masked scores.
Slopes Probe::slopes(double& element, double step) const {
  const double x = element;
  const double x_plus = x + step;
  const double x_minus = x - step;
  const std::vector<double> plus = outputs_at(element, x_plus);
  const std::vector<double> minus = outputs_at(element, x_minus);

  Slopes slopes;
  double to_right = 0.0;
  double to_left = 0.0;
  double across = 0.0;
  double size = 0.0;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    if (plus[i] == outputs_[i] && minus[i] == outputs_[i]) continue;
    to_right += cotangent_[i] * (plus[i] - outputs_[i]);
    to_left += cotangent_[i] * (outputs_[i] - minus[i]);
    across += cotangent_[i] * (plus[i] - minus[i]);
    size += std::abs(cotangent_[i]) * std::max(std::abs(plus[i]), std::abs(minus[i]));
    slopes.flat = false;
    ++slopes.changed;
  }
  slopes.right = to_right / (x_plus - x);
  slopes.left = to_left / (x - x_minus);
  slopes.central = across / (x_plus - x_minus);
  slopes.noise = std::max(epsilon_ * size, noise_) / step;
  slopes.finite = std::isfinite(slopes.right) && std::isfinite(slopes.left);
  return slopes;
}

double Probe::bend(double& element, double step) const {
  const std::vector<double> plus = outputs_at(element, element + step);
  const std::vector<double> minus = outputs_at(element, element - step);
  double bent = 0.0;
  double sloped = 0.0;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    bent += std::abs(cotangent_[i] * ((plus[i] - outputs_[i]) - (outputs_[i] - minus[i])));
    sloped += std::abs(cotangent_[i] * (plus[i] - minus[i]));
  }
  return sloped > 0.0 ? 2.0 * bent / (sloped * step) : 0.0;
}

std::vector<double> Probe::contributions(double& element, double step) const {
  const double x_plus = element + step;
  const double x_minus = element - step;
  const std::vector<double> plus = outputs_at(element, x_plus);
  const std::vector<double> minus = outputs_at(element, x_minus);
  std::vector<double> result(outputs_.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = plus[i] == minus[i] ? 0.0 : cotangent_[i] * (plus[i] - minus[i]) / (x_plus - x_minus);
  }
  return result;
}

double Probe::size_of_terms(double& element, double step) const {
  const std::vector<double> plus = outputs_at(element, element + step);
  const std::vector<double> minus = outputs_at(element, element - step);
  double sum = 0.0;
  double largest_cotangent = 0.0;
  double largest_slope = 0.0;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    largest_cotangent = std::max(largest_cotangent, std::abs(cotangent_[i]));
    const double slope = std::abs(plus[i] - minus[i]) / (2.0 * step);
    if (!std::isfinite(slope)) continue;
    sum += std::abs(cotangent_[i]) * slope;
    largest_slope = std::max(largest_slope, slope);
  }
  return sum + largest_cotangent * largest_slope;
}

double Probe::granularity(double& element) const {
  constexpr double widest = 100.0;
  constexpr int halvings = 40;
  const double x = element;
  const auto changed_by = [&](double step) {
    const double right = std::abs(change(element, x + step));
    return right != 0.0 ? right : std::abs(change(element, x - step));
  };
  double flat = epsilon_ * std::max(std::abs(x), 1e-300);
  double step = flat;
  double smallest = 0.0;
  for (; smallest == 0.0 && step <= widest * std::max(1.0, std::abs(x)); step *= 10.0) {
    smallest = changed_by(step);
    if (smallest == 0.0) flat = step;
  }
  double other = step;
  for (int i = 0; i < halvings && smallest != 0.0 && other > 1.001 * flat; ++i) {
    const double middle = std::sqrt(flat * other);
    const double here = changed_by(middle);
    (here == 0.0 ? flat : other) = middle;
    if (here != 0.0) smallest = std::min(smallest, here);
  }
  double scale = 1.0;
  for (const Tensor& input : inputs_) scale = std::max(scale, largest_finite(input.to_vector()));
  return smallest <= 16.0 * epsilon_ * scale * largest_finite(cotangent_) ? smallest : 0.0;
}

Rounded::Rounded(const Probe& probe, double relative, std::uint64_t seed) : inputs_(probe.inputs_) {
  Generator random(seed);
  for (const Tensor& input : inputs_) {
    double* x = input.data_ptr<double>();
    before_.emplace_back(x, x + input.numel());
    for (std::int64_t i = 0; i < input.numel(); ++i) x[i] *= 1.0 + relative * (2.0 * random.uniform() - 1.0);
  }
}

Rounded::~Rounded() {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    std::copy(before_[i].begin(), before_[i].end(), inputs_[i].data_ptr<double>());
  }
}

}  // namespace autograd::checker
