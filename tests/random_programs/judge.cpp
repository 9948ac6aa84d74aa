#include "judge.h"

#include <autograd/tape/backward.h>
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "compare.h"
#include "numbers.h"

namespace random_programs {
namespace {

constexpr std::int64_t most_elements = 100'000;  // an expanded tensor may have any number of them

struct Ended {
  std::vector<Tensor> result;
  std::optional<autograd::Error> refusal;
  std::string wrong;  // another exception
};

Ended run(const Call& call, const std::vector<Tensor>& tensors) {
  Records records;
  autograd::manual_seed(17);
  try {
    return {call.word.run({call.step, tensors, records}).tensors, {}, ""};
  } catch (const autograd::Error& error) {
    return {{}, error, ""};
  } catch (const std::exception& error) {
    return {{}, {}, fmt::format("another exception: {}", error.what())};
  }
}

std::optional<std::vector<Tensor>> result_of(const Call& call, const std::vector<Tensor>& tensors) {
  const Ended ended = run(call, tensors);
  return ended.refusal || !ended.wrong.empty() ? std::nullopt : std::optional(ended.result);
}

std::string judge_message(const autograd::Error& refusal) {
  // Accessors take no place, and what only memory refuses knows none.
  const bool has_no_place = refusal.id() == autograd::ErrorId::out_of_memory ||
                            refusal.id() == autograd::ErrorId::undefined_tensor || refusal.op() == "data_ptr";
  const bool is_whole =
      !refusal.found().empty() && !refusal.advice().empty() && (has_no_place || !refusal.parts().context.empty());
  return is_whole ? "" : fmt::format("the message lacks a part: {}", refusal.what());
}

std::string judge_arguments(const Call& call, bool first_may_change) {
  for (std::size_t i = 0; i < call.tensors.size(); ++i) {
    const Tensor& x = call.tensors[i];
    if (!x.defined() || (first_may_change && shares_memory(x, call.tensors[0]))) continue;
    const Tensor before = autograd::from_vector(call.before[i].values, x.shape(), autograd::float64);
    const std::string wrong = difference(fmt::format("v{}, after the call", i), x, before, to_the_bit);
    if (!wrong.empty()) return wrong;
    if (x.impl()->storage->version != call.before[i].version) return fmt::format("v{} has a new version", i);
  }
  return "";
}

bool is_finite(const Tensor& x) {
  const std::vector<double> values = x.to_vector();
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

std::string judge_tensor(const Tensor& x, bool must_be_finite) {
  if (!x.defined()) return "";
  std::int64_t count = 1;
  for (const std::int64_t size : x.shape()) {
    if (size < 0) return fmt::format("a result of shape {}", x.shape());
    if (__builtin_mul_overflow(count, size, &count)) return fmt::format("a result of shape {}", x.shape());
  }
  if (count != x.numel()) return fmt::format("a result of shape {} with {} elements", x.shape(), x.numel());
  if (count > most_elements) return "";
  x.to_vector();  // whose memory the sanitizer watches
  return must_be_finite && !is_finite(x) ? fmt::format("of finite numbers came {}", x) : "";
}

std::string judge_repetition(const std::vector<Tensor>& first, const std::vector<Tensor>& second) {
  if (first.size() != second.size()) return "the same call again gives another number of tensors";
  for (std::size_t i = 0; i < first.size(); ++i) {
    const Tensor& a = first[i];
    const Tensor& b = second[i];
    if (a.defined() && b.defined() && a.dtype() != b.dtype()) return "the same call again gives another dtype";
    if (a.defined() && a.numel() > most_elements) continue;
    const std::string wrong = difference("the result of the same call again", b, a, to_the_bit);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

std::string judge_leaves(const Call& call, bool must_be_finite) {
  for (const Tensor& x : call.tensors) {
    if (!x.defined() || !x.is_leaf()) continue;
    const Tensor gradient = x.grad();
    if (!gradient.defined()) continue;
    if (!(gradient.shape() == x.shape())) return fmt::format("the gradient of {} is {}", x.shape(), gradient.shape());
    if (must_be_finite && !is_finite(gradient)) return fmt::format("of finite numbers came the gradient {}", gradient);
    x.zero_grad();
  }
  return "";
}

// Gradients of all results together.
std::string judge_backward(const Call& call, const std::vector<Tensor>& result, bool must_be_finite) {
  std::vector<Tensor> roots;
  std::vector<Tensor> seeds;
  for (const Tensor& tensor : result) {
    if (!tensor.defined() || !tensor.grad_fn() || tensor.numel() > most_elements) continue;
    roots.push_back(tensor);
    seeds.push_back(autograd::ones_like(tensor));
  }
  if (roots.empty()) return "";
  try {
    autograd::backward(roots, seeds);
  } catch (const std::exception& error) {
    return fmt::format("backward throws {}", error.what());
  }
  return judge_leaves(call, must_be_finite);
}

// ---- the values, against something independent of the run that gave them ------------------------------------------------

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

std::string judge_gradients(const Call& call) {
  const std::vector<Tensor> given =
      changed(call, [](const Tensor& x) { return has_gradient(x) ? x.detach().requires_grad_() : x.detach(); });
  const auto there = result_of(call, given);
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
    const auto found = result_of(call, moved);
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

std::string judge_values(const Call& call, const std::vector<Tensor>& result) {
  if (!can_be_compared(result) || !call.is_ordinary) return "";
  const autograd::NoGradGuard no_grad;
  const double largest = largest_in(result);
  const auto elsewhere = result_of(call, changed(call, in_another_layout));
  std::string wrong =
      elsewhere ? difference("results in another layout", *elsewhere, result, rounding_of(result) * largest) : "";
  const auto rounded = wrong.empty() ? result_of(call, changed(call, in_float32)) : std::nullopt;
  if (rounded) wrong = difference("results in float32", *rounded, result, 1e-4 * largest);
  const autograd::GradModeGuard grad_mode(true);
  if (wrong.empty() && call.word.expect != Expect::cuts_gradients) wrong = judge_gradients(call);
  return wrong;
}

// ---- together ------------------------------------------------------------------------------------------------------

std::string judge_error(const Call& call, const autograd::Error& refusal) {
  std::string wrong = judge_message(refusal);
  if (wrong.empty()) wrong = judge_arguments(call, false);
  if (!wrong.empty()) return wrong;
  const Ended again = run(call, call.tensors);
  if (!again.refusal) return fmt::format("{}, and the same call again is none", refusal.what());
  if (std::string_view(again.refusal->what()) == refusal.what()) return "";
  return fmt::format("{}, and the same call again: {}", refusal.what(), again.refusal->what());
}

std::string judge_success(const Call& call, const std::vector<Tensor>& result) {
  const bool changes = call.word.expect == Expect::change;
  const bool must_be_finite = call.word.expect != Expect::any_values && !changes && call.is_ordinary;
  std::string wrong;
  for (const Tensor& tensor : result) {
    if (wrong.empty()) wrong = judge_tensor(tensor, must_be_finite);
  }
  if (wrong.empty()) wrong = judge_arguments(call, changes);
  if (wrong.empty()) wrong = judge_backward(call, result, must_be_finite);
  if (!wrong.empty() || changes) return wrong;
  const Ended again = run(call, call.tensors);
  if (again.refusal) return fmt::format("the same call again: {}", again.refusal->what());
  wrong = judge_repetition(result, again.result);
  return wrong.empty() ? judge_values(call, result) : wrong;
}

}  // namespace

Verdict judge(const Word& word, std::uint64_t seed) {
  const Call call = random_call(word, seed);
  const std::string text = as_text(call);  // before it is called: what changes its tensors is not to change it
  const Ended ended = run(call, call.tensors);
  if (!ended.wrong.empty()) return {ended.wrong, text, false};
  if (ended.refusal) return {judge_error(call, *ended.refusal), text, true};
  return {judge_success(call, ended.result), text, false};
}

}  // namespace random_programs
