#include "autograd/debug/nan/nan_causes.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "autograd/tensor/format.h"

namespace autograd::debug {
namespace {

constexpr const char* scale_down =
    "look at what grows: a smaller learning rate, clip_grad_norm_, a smaller initialisation, or normalise in between";
constexpr const char* find_infinities = "find where the infinities come from; BACKSTEP=nan:strict stops at the first";

bool has_infinities(const OperandReport& operand) {
  return operand.numbers.infinite > 0;
}

bool any_infinity(const NanCase& found) {
  return std::any_of(found.operands.begin(), found.operands.end(), has_infinities);
}

// The operands' numbers at the element, of an op that has one of each.
std::vector<double> numbers_at(const NanCase& found) {
  std::vector<double> numbers;
  if (found.op->kind == OpKind::general || found.op->kind == OpKind::product) return numbers;
  for (const OperandReport& operand : found.operands) {
    if (operand.at_element && !operand.is_gradient) numbers.push_back(*operand.at_element);
  }
  return numbers;
}

std::string text_of(double number) {
  return std::isnan(number)   ? "NaN"
         : std::isinf(number) ? (number > 0 ? "infinity" : "-infinity")
                              : fmt::format("{:.4g}", number);
}

std::string list_of(const std::vector<double>& numbers) {
  std::string text;
  for (const double number : numbers) text += (text.empty() ? "" : ", ") + text_of(number);
  return text;
}

// "div(0, 0)"
std::string applied(const NanCase& found, const std::vector<double>& numbers) {
  return fmt::format("{}({})", found.op->text.name, list_of(numbers));
}

// What the op says of itself.
std::string advice_of(const NanCase& found, const char* otherwise) {
  return found.op->text.not_finite ? found.op->text.not_finite : otherwise;
}

std::string beyond(DType dtype) {
  return fmt::format("beyond {}", dtype == float32 ? "3.4e+38, the largest float32" : "1.8e+308, the largest float64");
}

// Numbers that are large themselves make an overflow that the op is not to blame for.
bool is_large(double number) {
  return std::abs(number) > 1e6;
}

Explanation overflow(const NanCase& found, const std::vector<double>& numbers) {
  const bool of_small = !numbers.empty() && std::none_of(numbers.begin(), numbers.end(), is_large);
  const std::string what = numbers.empty() ? "the result" : applied(found, numbers);
  return {fmt::format("overflow: {} is {}", what, beyond(found.dtype)),
          of_small ? advice_of(found, scale_down) : scale_down, NanCause::overflow};
}

Explanation at_numbers(const NanCase& found, const std::vector<double>& numbers) {
  const std::string what = fmt::format("{} is {}", applied(found, numbers), text_of(found.result));
  const bool has_zero = std::find(numbers.begin(), numbers.end(), 0.0) != numbers.end();
  if (std::any_of(numbers.begin(), numbers.end(), [](double x) { return std::isinf(x); })) {
    return {what, has_zero ? advice_of(found, find_infinities) : find_infinities, NanCause::infinities};
  }
  if (std::isnan(found.result)) {
    return {what, advice_of(found, "clamp() what may lie outside of where it is defined, or look at what made it"),
            NanCause::domain};
  }
  if (has_zero) return {what, advice_of(found, "keep away from 0: add a small number, or clamp()"), NanCause::pole};
  return overflow(found, numbers);
}

}  // namespace

Explanation explain_forward(const NanCase& found) {
  if (found.op->kind == OpKind::filling)
    return {"it was put there on purpose (strict)", "leave out strict", NanCause::on_purpose};
  const std::vector<double> numbers = numbers_at(found);
  if (!numbers.empty()) return at_numbers(found, numbers);
  if (!std::isnan(found.result)) return overflow(found, {});
  if (found.slice_is_all_minus_infinity) {
    return {"every score of a row is -inf: all of it is masked, and 0 / 0 is left",
            "masked_softmax(x, mask) gives 0 for such a row; or leave one position unmasked", NanCause::masked_row};
  }
  if (any_infinity(found)) {
    return {
        "an infinite number among those that it is computed from: infinity - infinity, 0 * infinity or infinity / "
        "infinity",
        find_infinities, NanCause::infinities};
  }
  if (found.op->kind == OpKind::product) {
    return {"overflow: products of both signs became infinite before they were added up", scale_down,
            NanCause::overflow};
  }
  return {"0 / 0: no numbers were left to take a mean of", advice_of(found, "leave out what is empty"),
          NanCause::of_nothing};
}

Explanation explain_backward(const NanCase& found) {
  const OperandReport* dy = found.operands.empty() ? nullptr : &found.operands.back();
  if (dy && has_infinities(*dy)) {
    return {"the gradient that came in is infinite, and 0 * infinity is NaN",
            "BACKSTEP=nan without only-nan stops at that infinity", NanCause::infinities};
  }
  if (any_infinity(found)) {
    return {std::isnan(found.result)
                ? "0 * infinity or infinity - infinity in the derivative: an infinite value does no "
                  "harm forward when it is masked afterwards, but it does backward"
                : "an infinite value is a factor of the derivative",
            "mask with a large finite number such as -1e9, or with masked_softmax()", NanCause::infinities};
  }
  if (!std::isfinite(found.slope)) {
    const std::vector<double> numbers = numbers_at(found);
    const std::string where = numbers.empty() ? "" : " at " + list_of(numbers);
    const std::string cause = fmt::format("the slope of {}{} is {}", found.op->text.name, where,
                                          std::isnan(found.slope) ? "NaN" : "infinite");
    const std::string advice =
        advice_of(found, "keep away from where its slope is infinite: add a small number, or clamp()");
    if (!dy || dy->at_element.value_or(1.0) != 0.0) return {cause, advice, NanCause::infinite_slope};
    return {
        cause +
            ", and 0 * infinity is NaN: the value is not used (its dy is 0, as behind a where() or a mask), but its "
            "derivative is computed",
        "put a harmless number in before this op, not after it, as in log(where(ok, x, 1.0)); or " + advice,
        NanCause::infinite_slope};
  }
  return {
      fmt::format("overflow: the gradient is {}", beyond(found.dtype)),
      "gradients explode: clip_grad_norm_ comes too late for an infinity, so make the loss, the weights or the number "
      "of steps smaller",
      NanCause::overflow};
}

}  // namespace autograd::debug
