#include "judge.h"

#include <autograd/tensor/random.h>
#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "values.h"

namespace random_calls {

const Calls& all_calls() {
  static const Calls all = [] {
    Calls together;
    for (const Calls& part : {op_calls(), tensor_calls(), module_calls(), training_calls()}) {
      together.insert(together.end(), part.begin(), part.end());
    }
    return together;
  }();
  return all;
}

namespace {

constexpr std::int64_t most_elements = 100'000;  // an expanded tensor may have any number of them

struct Refusal {
  autograd::ErrorId id;
  std::string message;
};

struct Ended {
  Result result;
  std::optional<Refusal> refusal;
  std::string wrong;  // another exception
};

Ended run(const Call& call, Arguments& arguments) {
  arguments.rewind();
  autograd::manual_seed(17);
  try {
    return {call.call(arguments), {}, ""};
  } catch (const autograd::Error& error) {
    return {{}, Refusal{error.id(), error.what()}, ""};
  } catch (const std::exception& error) {
    return {{}, {}, fmt::format("another exception: {}", error.what())};
  }
}

std::optional<Result> result_of(const Call& call, Arguments& arguments) {
  const Ended ended = run(call, arguments);
  return ended.refusal || !ended.wrong.empty() ? std::nullopt : std::optional(ended.result);
}

std::string judge_message(const Refusal& refusal) {
  const auto& ids = autograd::all_error_ids();
  if (std::find(ids.begin(), ids.end(), refusal.id) == ids.end()) return "an error with an unknown id";
  const std::string start = fmt::format("[{}] ", autograd::name(refusal.id));
  if (!refusal.message.starts_with(start))
    return fmt::format("the message does not start with its id: {}", refusal.message);
  // Accessors take no place, and what only memory refuses knows none.
  const bool has_no_place = refusal.id == autograd::ErrorId::out_of_memory ||
                            refusal.id == autograd::ErrorId::undefined_tensor ||
                            refusal.message.find("] data_ptr: ") != std::string::npos;
  const bool says_where = has_no_place || refusal.message.find("\n  at: ") != std::string::npos ||
                          refusal.message.find("\n  in the gradient of: ") != std::string::npos;
  const bool says_what = refusal.message.find("\n  try: ") != std::string::npos;
  return says_where && says_what ? "" : fmt::format("the message lacks a part: {}", refusal.message);
}

bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) { return same(x, y); });
}

std::string judge_arguments(const Arguments& arguments, bool first_may_change) {
  const auto& given = arguments.given();
  for (std::size_t i = 0; i < given.size(); ++i) {
    const Tensor& x = given[i].tensor;
    if (!x.defined() || (first_may_change && shares_memory(x, given[0].tensor))) continue;
    if (!same(x.to_vector(), given[i].values)) return fmt::format("tensor {} has changed", i);
    if (x.impl()->storage->version != given[i].version) return fmt::format("tensor {} has a new version", i);
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

std::string judge_result(const Result& result, bool must_be_finite) {
  for (const Tensor& tensor : result.tensors) {
    const std::string wrong = judge_tensor(tensor, must_be_finite);
    if (!wrong.empty()) return wrong;
  }
  const bool all_finite =
      std::all_of(result.numbers.begin(), result.numbers.end(), [](double x) { return std::isfinite(x); });
  return all_finite || !must_be_finite ? "" : "of finite numbers came one that is not";
}

std::string judge_repetition(const Result& first, const Result& second) {
  if (!same(first.numbers, second.numbers)) return "the same call again gives another number";
  if (first.tensors.size() != second.tensors.size()) return "the same call again gives another number of tensors";
  for (std::size_t i = 0; i < first.tensors.size(); ++i) {
    const Tensor& a = first.tensors[i];
    const Tensor& b = second.tensors[i];
    if (a.defined() != b.defined()) return "the same call again gives an undefined tensor";
    if (!a.defined() || a.numel() > most_elements) continue;
    const bool alike = a.shape() == b.shape() && a.dtype() == b.dtype() && same(a.to_vector(), b.to_vector());
    if (!alike) return fmt::format("the same call again gives {} instead of {}", b, a);
  }
  return "";
}

std::string judge_leaves(const Arguments& arguments, bool must_be_finite) {
  for (const auto& [x, values, version] : arguments.given()) {
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
std::string judge_backward(const Result& result, const Arguments& arguments, bool must_be_finite) {
  std::vector<Tensor> roots;
  std::vector<Tensor> seeds;
  for (const Tensor& tensor : result.tensors) {
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
  return judge_leaves(arguments, must_be_finite);
}

std::string judge_error(const Call& call, Arguments& arguments, const Refusal& refusal) {
  std::string wrong = judge_message(refusal);
  if (wrong.empty()) wrong = judge_arguments(arguments, false);
  if (!wrong.empty()) return wrong;
  const Ended again = run(call, arguments);
  if (!again.refusal) return fmt::format("{}, and the same call again is none", refusal.message);
  if (again.refusal->message == refusal.message) return "";
  return fmt::format("{}, and the same call again: {}", refusal.message, again.refusal->message);
}

std::string judge_success(const Call& call, Arguments& arguments, const Result& result) {
  const bool must_be_finite = call.values == Values::finite && arguments.is_ordinary();
  const bool changes = call.effect == Effect::changes_first;
  std::string wrong = judge_result(result, must_be_finite);
  if (wrong.empty()) wrong = judge_arguments(arguments, changes);
  if (wrong.empty()) wrong = judge_backward(result, arguments, must_be_finite);
  if (!wrong.empty() || changes) return wrong;
  const Ended again = run(call, arguments);
  if (again.refusal) return fmt::format("the same call again: {}", again.refusal->message);
  wrong = judge_repetition(result, again.result);
  return wrong.empty() ? judge_values(call, arguments, result, result_of) : wrong;
}

}  // namespace

Verdict judge(const Call& call, std::uint64_t seed) {
  Arguments arguments(seed);
  const Ended ended = run(call, arguments);
  Verdict verdict{ended.wrong, fmt::format("{}({})", call.name, arguments.text()), ended.refusal.has_value()};
  if (!verdict.wrong.empty()) return verdict;
  verdict.wrong =
      ended.refusal ? judge_error(call, arguments, *ended.refusal) : judge_success(call, arguments, ended.result);
  return verdict;
}

}  // namespace random_calls
