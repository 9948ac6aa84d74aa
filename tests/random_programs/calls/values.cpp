#include "values.h"

#include <autograd/tape/backward.h>
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tests/random_programs/numbers.h"
#include "tests/random_programs/slope.h"

namespace random_calls {

using random_programs::judge_slope, random_programs::random_signed, random_programs::Slope, random_programs::slope_of;

namespace {

constexpr std::int64_t most_compared = 2'000;  // of a result: the call is run a dozen times

std::vector<double> numbers_of(const Result& result) {
  std::vector<double> numbers = result.numbers;
  for (const Tensor& tensor : result.tensors) {
    if (!tensor.defined()) continue;
    const std::vector<double> values = tensor.to_vector();
    numbers.insert(numbers.end(), values.begin(), values.end());
  }
  return numbers;
}

double largest_of(const std::vector<double>& numbers) {
  double largest = 1.0;
  for (const double number : numbers) largest = std::max(largest, std::abs(number));
  return largest;
}

bool all_finite(const std::vector<double>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double number) { return std::isfinite(number); });
}

bool is_small(const Result& result) {
  return std::all_of(result.tensors.begin(), result.tensors.end(),
                     [](const Tensor& tensor) { return !tensor.defined() || tensor.numel() <= most_compared; });
}

// What was given, each tensor changed, and a tensor that was given twice changed once.
template <class Change> std::vector<Tensor> changed(const Arguments& arguments, Change&& change) {
  std::map<const autograd::TensorImpl*, Tensor> made;
  std::vector<Tensor> tensors;
  for (const auto& given : arguments.given()) {
    const Tensor& x = given.tensor;
    if (x.defined() && !made.contains(x.impl())) made[x.impl()] = change(x);
    tensors.push_back(x.defined() ? made[x.impl()] : Tensor());
  }
  return tensors;
}

double rounding_of(const Result& result) {
  const bool is_single = std::any_of(result.tensors.begin(), result.tensors.end(), [](const Tensor& tensor) {
    return tensor.defined() && tensor.dtype() == autograd::float32;
  });
  return is_single ? 1e-5 : 1e-12;
}

// ---- the same numbers once more --------------------------------------------------------------------------------------

std::string compare(const char* how, const Result& found, const Result& wanted, double tolerance) {
  const std::vector<double> ours = numbers_of(found);
  const std::vector<double> theirs = numbers_of(wanted);
  if (ours.size() != theirs.size()) return fmt::format("{}: {} numbers for {}", how, ours.size(), theirs.size());
  const double bound = tolerance * largest_of(theirs);
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (!(std::abs(ours[i] - theirs[i]) <= bound)) {
      return fmt::format("{}: number {} is {:.17g}, was {:.17g}", how, i, ours[i], theirs[i]);
    }
  }
  return "";
}

// Contiguous where it was not, and column by column where it was.
Tensor in_another_layout(const Tensor& x) {
  const bool turns = x.is_contiguous() && x.dim() > 1;
  const Tensor y = x.detach();
  return turns ? y.transpose(0, -1).clone().transpose(0, -1) : y.clone();
}

Tensor in_float32(const Tensor& x) {
  return x.dtype() == autograd::float64 ? x.detach().to(autograd::float32) : x.detach();
}

// ---- gradients against differences -----------------------------------------------------------------------------------

// The seeds of random numbers, the same whenever a call is run.
std::int64_t key_of_result(std::size_t number) {
  return static_cast<std::int64_t>(number) + 1;
}
std::int64_t key_of_leaf(std::size_t number) {
  return static_cast<std::int64_t>(number) + 101;
}

bool has_gradient(const Tensor& x) {
  return x.defined() && x.dtype() == autograd::float64 && x.requires_grad();
}

// The sum of <result, random numbers> over the results that have a gradient in `pattern`.
double total(const Result& result, const Result& pattern) {
  double sum = 0.0;
  for (std::size_t i = 0; i < pattern.tensors.size(); ++i) {
    if (!has_gradient(pattern.tensors[i])) continue;
    sum += (result.tensors.at(i).detach() * random_signed(key_of_result(i), result.tensors[i].shape())).sum().item();
  }
  return sum;
}

std::vector<Tensor> unique_leaves(const std::vector<Tensor>& tensors) {
  std::vector<Tensor> leaves;
  for (const Tensor& x : tensors) {
    const bool known = std::any_of(leaves.begin(), leaves.end(), [&](const Tensor& y) { return y.impl() == x.impl(); });
    if (has_gradient(x) && !known) leaves.push_back(x);
  }
  return leaves;
}

// The derivative along one direction in all arguments: <gradient, direction>.
double along_gradients(const std::vector<Tensor>& leaves) {
  double sum = 0.0;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const Tensor gradient = leaves[i].grad();
    if (gradient.defined()) sum += (gradient * random_signed(key_of_leaf(i), leaves[i].shape())).sum().item();
  }
  return sum;
}

std::string judge_gradients(const Call& call, Arguments& arguments, RunAgain run) {
  const std::vector<Tensor> given =
      changed(arguments, [](const Tensor& x) { return has_gradient(x) ? x.detach().requires_grad_() : x.detach(); });
  arguments.give_instead(given);
  const std::optional<Result> there = run(call, arguments);
  if (!there) return "";
  std::vector<Tensor> roots;
  std::vector<Tensor> seeds;
  for (std::size_t i = 0; i < there->tensors.size(); ++i) {
    if (!has_gradient(there->tensors[i])) continue;
    roots.push_back(there->tensors[i]);
    seeds.push_back(random_signed(key_of_result(i), there->tensors[i].shape()));
  }
  const std::vector<Tensor> leaves = unique_leaves(given);
  if (roots.empty() || leaves.empty()) return "";
  autograd::backward(roots, seeds);
  const double analytic = along_gradients(leaves);

  bool refused = false;
  const auto at = [&](double distance) {
    std::vector<Tensor> moved = given;
    for (Tensor& x : moved) {
      const auto leaf =
          std::find_if(leaves.begin(), leaves.end(), [&](const Tensor& y) { return y.impl() == x.impl(); });
      if (leaf == leaves.end()) continue;
      const auto number = static_cast<std::size_t>(leaf - leaves.begin());
      x = x.detach() + random_signed(key_of_leaf(number), x.shape()) * distance;
    }
    arguments.give_instead(moved);
    const std::optional<Result> found = run(call, arguments);
    refused = refused || !found;
    return found ? total(*found, *there) : 0.0;
  };
  const double here = at(0.0);
  const Slope slope = slope_of(at);
  const double bend = (slope.ahead - 2.0 * here + slope.behind) / Slope::step;
  const double scale = std::max({1.0, std::abs(analytic), std::abs(here)});
  if (refused || !all_finite({analytic, slope.value, slope.error, bend})) return "";
  // At a corner any slope between the two sides' is right; elsewhere the bend is next to nothing.
  return judge_slope(analytic, slope, std::abs(bend) + 1e-6 * scale);
}

}  // namespace

std::string judge_values(const Call& call, Arguments& arguments, const Result& result, RunAgain run) {
  if (!is_small(result) || !all_finite(numbers_of(result)) || !arguments.is_ordinary()) return "";
  const autograd::NoGradGuard no_grad;
  arguments.give_instead(changed(arguments, in_another_layout));
  const std::optional<Result> elsewhere = run(call, arguments);
  std::string wrong = elsewhere ? compare("in another layout", *elsewhere, result, rounding_of(result)) : "";
  arguments.give_instead(changed(arguments, in_float32));
  const std::optional<Result> rounded = wrong.empty() ? run(call, arguments) : std::nullopt;
  if (rounded) wrong = compare("in float32", *rounded, result, 1e-4);
  const autograd::GradModeGuard grad_mode(true);
  if (wrong.empty() && call.effect != Effect::cuts_gradients) wrong = judge_gradients(call, arguments, run);
  arguments.give_instead({});
  return wrong;
}

}  // namespace random_calls
