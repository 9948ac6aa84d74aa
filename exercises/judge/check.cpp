#include "judge/check.h"

#include <autograd/gradcheck/probe.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "judge/learner.h"

namespace judge {
namespace {

Tensor float64_copy(const Tensor& value) {
  if (!value.defined()) return value;
  return value.detach().to(autograd::float64).clone().contiguous();
}

Observation observed(Observation::Kind kind, std::string name) {
  Observation observation;
  observation.kind = kind;
  observation.name = std::move(name);
  return observation;
}

Observation observed_value(std::string name, const Tensor& value, Compare options) {
  Observation observation = observed(Observation::Kind::value, std::move(name));
  observation.value = float64_copy(value);
  if (value.defined()) observation.dtype = value.dtype();
  observation.tolerance = options.tolerance;
  observation.may_be_zero = options.may_be_zero;
  observation.hide_expected = options.hide_expected;
  observation.over = std::move(options.over);
  observation.regions = std::move(options.regions);
  return observation;
}

// At one entry of `at`, which is changed in place and put back.
double numeric_derivative(const Tensor& at, std::int64_t entry, const std::function<Tensor()>& loss) {
  constexpr double eps = 1e-5;
  double& x = at.data_ptr<double>()[entry];
  const auto loss_at = [&](double step) {
    const autograd::checker::Moved moved(x, x + step);
    return loss().item();
  };
  return autograd::checker::difference_across(eps, loss_at) / (2.0 * eps);
}

double draw(autograd::Generator& random, Numbers numbers) {
  const double value = random.normal();
  switch (numbers) {
    case Numbers::usual: return value;
    case Numbers::zeros_and_ties: return std::round(2.0 * value) / 2.0 + 0.0;  // no zero with a sign
    case Numbers::positive: return std::abs(value);
    case Numbers::negative: return -std::abs(value);
    case Numbers::far_apart: break;
  }
  static constexpr double sizes[] = {20.0, 1.0, 0.05, 1.0};
  return sizes[random.integer(0, 4)] * value;
}

}  // namespace

Check::Check(const Setting& setting, RunOptions options)
    : options_(options), numbers_(setting.numbers), random_(setting.seed) {
  for (const Axis& axis : setting.sizes) sizes_[axis.name] = axis.size;
  autograd::manual_seed(1);  // what the answer itself may draw
}

std::int64_t Check::size(std::string_view axis) const {
  const auto found = sizes_.find(axis);
  if (found == sizes_.end()) throw std::logic_error(fmt::format("the exercise has no axis '{}'", axis));
  return found->second;
}

bool Check::at_usual_sizes() const {
  return std::all_of(axes.begin(), axes.end(), [&](const Axis& axis) { return size(axis.name) == axis.size; });
}

autograd::Shape Check::shape(std::initializer_list<Length> lengths) const {
  autograd::Shape shape;
  for (const Length& length : lengths) shape.push_back(length.axis().empty() ? length.size() : size(length.axis()));
  return shape;
}

Tensor Check::input(std::string name, const Tensor& tensor) {
  inputs_.push_back({std::move(name), tensor, tensor.detach().clone()});
  if (options_.record_ops && is_floating(tensor.dtype()) && tensor.is_leaf()) tensor.requires_grad_();
  return tensor;
}

Tensor Check::drawn(std::string name, std::initializer_list<Length> lengths, Numbers numbers) {
  const autograd::Shape sizes = shape(lengths);
  std::vector<double> values(static_cast<std::size_t>(sizes.numel()));
  for (double& value : values) value = draw(random_, numbers);
  return input(std::move(name), autograd::from_vector(values, sizes, autograd::float64));
}

Tensor Check::randn(std::string name, std::initializer_list<Length> lengths) {
  return drawn(std::move(name), lengths, numbers_);
}

Tensor Check::usual_randn(std::string name, std::initializer_list<Length> lengths) {
  return drawn(std::move(name), lengths, Numbers::usual);
}

Tensor Check::uniform(std::string name, std::initializer_list<Length> lengths, double low, double high) {
  const autograd::Shape sizes = shape(lengths);
  std::vector<double> values(static_cast<std::size_t>(sizes.numel()));
  for (double& value : values) value = low + (high - low) * random_.uniform();
  return input(std::move(name), autograd::from_vector(values, sizes, autograd::float64));
}

Tensor Check::ids(std::string name, std::initializer_list<Length> lengths, std::int64_t vocabulary) {
  const autograd::Shape sizes = shape(lengths);
  std::vector<std::int64_t> values(static_cast<std::size_t>(sizes.numel()));
  for (std::int64_t& value : values) value = random_.integer(0, vocabulary);
  return input(std::move(name), autograd::ids(values, sizes));
}

void Check::compare(std::string name, const Tensor& value, Compare options) {
  record_.observations.push_back(observed_value(std::move(name), value, std::move(options)));
}

void Check::compare(std::string name, double value, Compare options) {
  compare(std::move(name), autograd::tensor(value, autograd::float64), std::move(options));
}

void Check::compare(std::string name, const std::vector<double>& values, Compare options) {
  const auto size = static_cast<std::int64_t>(values.size());
  compare(std::move(name), autograd::from_vector(values, {size}, autograd::float64), std::move(options));
  record_.observations.back().is_list = true;
}

void Check::compare(std::string name, const std::vector<std::int64_t>& values, Compare options) {
  compare(std::move(name), std::vector<double>(values.begin(), values.end()), std::move(options));
}

void Check::text(std::string name, std::string value) {
  Observation observation = observed(Observation::Kind::text, std::move(name));
  observation.text = std::move(value);
  record_.observations.push_back(std::move(observation));
}

void Check::gradient(std::string name, const Tensor& value, const Tensor& at, std::function<Tensor()> loss,
                     Compare options) {
  Observation observation = observed_value(std::move(name), value, std::move(options));
  observation.numeric = [at, loss = std::move(loss)](std::int64_t entry) {
    return numeric_derivative(at, entry, loss);
  };
  record_.observations.push_back(std::move(observation));
}

void Check::require(std::string name, bool holds, std::string otherwise) {
  Observation observation = observed(Observation::Kind::property, std::move(name));
  observation.holds = holds;
  observation.text = std::move(otherwise);
  record_.observations.push_back(std::move(observation));
}

void Check::bound(std::string name, double measured, double bound, bool holds, std::string_view relation) {
  Observation observation = observed(Observation::Kind::bound, std::move(name));
  observation.value = autograd::tensor(measured, autograd::float64);
  observation.holds = holds;
  observation.text = fmt::format("measured {:.6g}, to be {} {:.6g}", measured, relation, bound);
  record_.observations.push_back(std::move(observation));
}

void Check::at_least(std::string name, double measured, double bound) {
  this->bound(std::move(name), measured, bound, measured >= bound, "at least");
}

void Check::at_most(std::string name, double measured, double bound) {
  this->bound(std::move(name), measured, bound, measured <= bound, "at most");
}

std::vector<double> to_three_decimals(std::vector<double> values) {
  for (double& value : values) value = std::round(value * 1000.0) / 1000.0;
  return values;
}

}  // namespace judge
