#include "autograd/gradcheck/probe.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <utility>

#include "autograd/tape/backward.h"
#include "autograd/tensor/error.h"

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

double epsilon_of(const std::vector<Tensor>& outputs) {
  for (const Tensor& output : outputs) {
    if (output.dtype() == float32) return std::numeric_limits<float>::epsilon();
  }
  return std::numeric_limits<double>::epsilon();
}

}  // namespace

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
  epsilon_ = epsilon_of(outputs);
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
    std::deque<Moved> moved;
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

}  // namespace autograd::checker
