#include "values.h"

#include <autograd/tape/backward.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "compare.h"
#include "numbers.h"

namespace random_programs {
namespace {

constexpr std::int64_t most_compared = 2'000;  // of a result: the call is run a dozen times

bool can_be_compared(const std::vector<Tensor>& result) {
  return std::all_of(result.begin(), result.end(), [](const Tensor& x) {
    return !x.defined() || (x.numel() <= most_compared && std::isfinite(largest_of(x)));
  });
}

// What was given, each tensor changed, and a tensor that was given twice changed once.
template <class Change> std::vector<Tensor> changed(const Call& call, Change&& change) {
  std::map<const autograd::TensorImpl*, Tensor> made;
  std::vector<Tensor> tensors;
  for (const Tensor& x : call.tensors) {
    if (x.defined() && !made.contains(x.impl())) made[x.impl()] = change(x);
    tensors.push_back(x.defined() ? made[x.impl()] : Tensor());
  }
  return tensors;
}

double rounding_of(const std::vector<Tensor>& result) {
  const bool is_single = std::any_of(result.begin(), result.end(),
                                     [](const Tensor& x) { return x.defined() && x.dtype() == autograd::float32; });
  return is_single ? 1e-5 : 1e-12;
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

bool has_gradient(const Tensor& x) {
  return x.defined() && x.dtype() == autograd::float64 && x.requires_grad();
}

// Those that have a gradient in `pattern`.
std::vector<Tensor> with_gradient(const std::vector<Tensor>& tensors, const std::vector<Tensor>& pattern) {
  std::vector<Tensor> picked;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (has_gradient(pattern[i])) picked.push_back(tensors.at(i));
  }
  return picked;
}

std::ptrdiff_t place_of(const Tensor& x, const std::vector<Tensor>& list) {
  return std::find_if(list.begin(), list.end(), [&](const Tensor& y) { return y.impl() == x.impl(); }) - list.begin();
}

std::vector<Tensor> unique_leaves(const std::vector<Tensor>& tensors) {
  std::vector<Tensor> leaves;
  for (const Tensor& x : tensors) {
    if (has_gradient(x) && place_of(x, leaves) == std::ssize(leaves)) leaves.push_back(x);
  }
  return leaves;
}

std::string judge_gradients(const Call& call, RunWith run) {
  const std::vector<Tensor> given =
      changed(call, [](const Tensor& x) { return has_gradient(x) ? x.detach().requires_grad_() : x.detach(); });
  const auto there = run(call, given);
  if (!there) return "";
  const std::vector<Tensor> roots = with_gradient(*there, *there);
  const std::vector<Tensor> leaves = unique_leaves(given);
  if (roots.empty() || leaves.empty()) return "";
  const std::vector<Tensor> seeds = directions(roots, 1);
  const std::vector<Tensor> along = directions(leaves, 101);
  autograd::backward(roots, seeds);
  std::vector<Tensor> gradients;
  for (const Tensor& leaf : leaves) gradients.push_back(leaf.grad());
  const double analytic = dot(gradients, along);

  bool refused = false;
  const auto at = [&](double distance) {
    std::vector<Tensor> moved = given;
    for (Tensor& x : moved) {
      const std::ptrdiff_t number = place_of(x, leaves);
      if (number == std::ssize(leaves)) continue;
      x = x.detach() + along[static_cast<std::size_t>(number)] * distance;
    }
    const auto found = run(call, moved);
    refused = refused || !found;
    return found ? dot(with_gradient(*found, *there), seeds) : 0.0;
  };
  const double here = at(0.0);
  const Slope slope = slope_of(at);
  const double bend = (slope.ahead - 2.0 * here + slope.behind) / Slope::step;
  const double scale = std::max({1.0, std::abs(analytic), std::abs(here)});
  if (refused || !std::isfinite(analytic + slope.value + slope.error + bend)) return "";
  // At a corner any slope between the two sides' is right; elsewhere the bend is next to nothing.
  return difference(analytic, slope, std::abs(bend) + 1e-6 * scale);
}

}  // namespace

std::string judge_values(const Call& call, const std::vector<Tensor>& result, RunWith run) {
  if (!can_be_compared(result) || !call.is_ordinary) return "";
  const autograd::NoGradGuard no_grad;
  const double largest = largest_in(result);
  const auto elsewhere = run(call, changed(call, in_another_layout));
  std::string wrong =
      elsewhere ? difference("results in another layout", *elsewhere, result, rounding_of(result) * largest) : "";
  const auto rounded = wrong.empty() ? run(call, changed(call, in_float32)) : std::nullopt;
  if (rounded) wrong = difference("results in float32", *rounded, result, 1e-4 * largest);
  const autograd::GradModeGuard grad_mode(true);
  if (wrong.empty() && call.word.expect != Expect::cuts_gradients) wrong = judge_gradients(call, run);
  return wrong;
}

}  // namespace random_programs
