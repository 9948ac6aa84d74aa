#include "autograd/debug/nan/nan_causes.h"

#include <fmt/core.h>

#include <cmath>
#include <limits>

namespace autograd::debug {
namespace {

constexpr const char* scale_down =
    "look at what grows: a smaller learning rate, clip_grad_norm_, a smaller initialisation, or normalise in between";

// The operand's number at the element. NaN, with which every comparison is false, if there is none.
double at(const NanCase& found, std::size_t operand) {
  if (operand >= found.operands.size()) return std::numeric_limits<double>::quiet_NaN();
  return found.operands[operand].at_element.value_or(std::numeric_limits<double>::quiet_NaN());
}

bool any_infinity(const NanCase& found) {
  for (const OperandReport& operand : found.operands) {
    if (operand.infinities > 0) return true;
  }
  return false;
}

std::string largest_number(DType dtype) {
  return dtype == float32 ? "3.4e+38, the largest float32" : "1.8e+308, the largest float64";
}

Explanation overflow(const NanCase& found) {
  return {fmt::format("overflow: the result is beyond {}", largest_number(found.dtype)), scale_down};
}

// ---- forward, op by op ---------------------------------------------------------------------------------------------

Explanation division(const NanCase& found) {
  const std::string advice =
      "keep the divisor away from 0: add a small number, or clamp() it (a count of tokens: clamp(1, inf))";
  if (at(found, 1) == 0.0 && at(found, 0) == 0.0) return {"0 / 0", advice};
  if (at(found, 1) == 0.0) return {"a division by 0", advice};
  if (std::isinf(at(found, 0)) && std::isinf(at(found, 1)))
    return {"infinity / infinity", "subtract logarithms instead"};
  return {fmt::format("overflow: a division by the tiny number {:.3g}", at(found, 1)), advice};
}

Explanation logarithm(const NanCase& found) {
  if (at(found, 0) == 0.0) {
    return {"the logarithm of 0",
            "log_softmax(x) for log(softmax(x)); otherwise log(x + 1e-12), or log(x.clamp(1e-12, inf))"};
  }
  return {"the logarithm of a negative number", "a probability or a size can not be negative: look at what made it"};
}

Explanation power(const NanCase& found) {
  if (at(found, 0) == 0.0) return {"0 to a negative power", "keep the base away from 0: add a small number"};
  if (at(found, 0) < 0.0 && at(found, 1) != std::floor(at(found, 1))) {
    return {"a negative number to a power that is no whole number", "abs() or clamp() the base first"};
  }
  return overflow(found);
}

Explanation exponential(const NanCase& found) {
  return {fmt::format("overflow: exp(x) is beyond {} for x above {}", largest_number(found.dtype),
                      found.dtype == float32 ? "88.7" : "709.7"),
          "softmax(), log_softmax() and logsumexp() do it safely; otherwise subtract the largest x first, or clamp()"};
}

Explanation product(const NanCase& found) {
  const double a = at(found, 0);
  const double b = at(found, 1);
  if ((a == 0.0 && std::isinf(b)) || (std::isinf(a) && b == 0.0)) {
    return {"0 * infinity", "a mask is not a factor: use masked_fill() or where() instead of multiplying by 0"};
  }
  return overflow(found);
}

Explanation sum_or_difference(const NanCase& found) {
  if (std::isnan(found.result)) {
    return {"infinity - infinity", "find where the infinities come from; BACKSTEP=nan:strict stops at the first"};
  }
  return overflow(found);
}

Explanation softmax_of(const NanCase& found) {
  if (found.slice_is_all_minus_infinity) {
    return {"every score of a row is -inf: all of it is masked, and 0 / 0 is left",
            "masked_softmax(x, mask) gives 0 for such a row; or leave one position unmasked"};
  }
  return {"a score is +infinity: infinity / infinity", "find what overflowed; scores may be -inf, but not +inf"};
}

Explanation matrix_product(const NanCase& found) {
  if (std::isnan(found.result)) {
    return {any_infinity(found) ? "0 * infinity, or infinity - infinity, among the products that are added up"
                                : "overflow: products of both signs became infinite before they were added up",
            any_infinity(found) ? "find where the infinities come from; BACKSTEP=nan:strict stops at the first"
                                : scale_down};
  }
  return overflow(found);
}

Explanation loss_over_nothing(const NanCase& found) {
  if (std::isnan(found.result) && !any_infinity(found)) {
    return {"the mean over no target at all: each one is ignore_index, or has weight 0",
            "leave such a batch out, or use Reduction::sum and divide by max(count, 1)"};
  }
  return {"the right class has probability 0: its log is -inf", "mask classes with a large negative number, not -inf"};
}

// log_softmax and nll_loss in one.
Explanation cross_entropy_of(const NanCase& found) {
  return std::isnan(found.result) && any_infinity(found) ? softmax_of(found) : loss_over_nothing(found);
}

}  // namespace

Explanation explain_forward(const NanCase& found) {
  const std::string& op = found.op;
  if (op == "div") return division(found);
  if (op == "log") return logarithm(found);
  if (op == "log1p") return {"log1p of a number of -1 or less", "check what is taken the logarithm of"};
  if (op == "sqrt")
    return {"the square root of a negative number", "clamp(0, inf) what rounding may have made negative"};
  if (op == "pow") return power(found);
  if (op == "exp") return exponential(found);
  if (op == "mul") return product(found);
  if (op == "add" || op == "sub" || op == "sum" || op == "cumsum") return sum_or_difference(found);
  if (op == "mean") {
    if (std::isnan(found.result) && !any_infinity(found)) return {"the mean of no elements: 0 / 0", "leave it out"};
    return sum_or_difference(found);
  }
  if (op == "sin" || op == "cos") return {"the sine or cosine of infinity", "find where the infinity comes from"};
  if (op == "softmax" || op == "log_softmax" || op == "masked_softmax") return softmax_of(found);
  if (op == "matmul" || op == "bmm" || op == "linear") return matrix_product(found);
  if (op == "nll_loss") return loss_over_nothing(found);
  if (op == "cross_entropy") return cross_entropy_of(found);
  if (op == "masked_fill" || op == "where") return {"it was put there on purpose (strict)", "leave out strict"};
  if (op == "to") return {"the number does not fit into float32", scale_down};
  return std::isnan(found.result) ? Explanation{"its inputs have no result here", "look at the numbers above"}
                                  : overflow(found);
}

// ---- backward ------------------------------------------------------------------------------------------------------

namespace {

// For an op whose slope at this x is infinite. If dy is 0, the value was not even used.
Explanation infinite_slope(const std::string& what, const std::string& advice, double dy) {
  if (dy != 0.0) return {what, advice};
  return {what +
              ", and 0 * infinity is NaN: the value is not used (its dy is 0, as behind a where() or a mask), but its "
              "derivative is computed",
          "put a harmless number in before this op, not after it: log(where(ok, x, 1.0)). " + advice};
}

}  // namespace

Explanation explain_backward(const NanCase& found) {
  const std::string& op = found.op;
  const double x = at(found, 0);
  const double dy = found.operands.empty() ? 1.0 : found.operands.back().at_element.value_or(1.0);
  if (op == "sqrt" && x == 0.0) {
    return infinite_slope("the slope of sqrt at 0 is infinite; so is that of a norm or a standard deviation at 0",
                          "sqrt(x + 1e-12)", dy);
  }
  if (op == "pow" && x == 0.0) {
    return infinite_slope("the slope of x^b at 0 is infinite for b < 1", "pow(x + 1e-12, b)", dy);
  }
  if (op == "pow" && x < 0.0)
    return {"the derivative with respect to the exponent is y * log(a), and a is negative", "keep a above 0"};
  if (op == "log" && x == 0.0) return infinite_slope("the slope of log at 0 is infinite", "log(x + 1e-12)", dy);
  if (op == "div" && at(found, 1) == 0.0) {
    return infinite_slope("the slope of a / b at b = 0 is infinite", "keep the divisor away from 0", dy);
  }
  if (!found.operands.empty() && found.operands.back().name == "dy" && found.operands.back().infinities > 0) {
    return {"the gradient that came in is infinite, and 0 * infinity is NaN",
            "BACKSTEP=nan without only-nan stops at that infinity"};
  }
  if (any_infinity(found)) {
    return {std::isnan(found.result) ? "0 * infinity or infinity - infinity in the derivative: an infinite value is no "
                                       "trouble forward when it is masked afterwards, but it is backward"
                                     : "an infinite value is a factor of the derivative",
            "mask with a large finite number such as -1e9, or with masked_softmax()"};
  }
  return {
      fmt::format("overflow: the gradient is beyond {}", largest_number(found.dtype)),
      "gradients explode: clip_grad_norm_ comes too late for an infinity, so make the loss, the weights or the number "
      "of steps smaller"};
}

}  // namespace autograd::debug
