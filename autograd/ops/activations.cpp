// Activations that are a few other ops: their derivatives are those of the parts.
#include <fmt/core.h>

#include <limits>
#include <numbers>

#include "autograd/ops/composite.h"

namespace autograd {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// e^x - 1, exact near 0 too: tanh(x / 2) = (e^x - 1) / (e^x + 1).
Tensor expm1(const Tensor& x, Where where) {
  const At at(where);
  const Tensor half = tanh(x / at(2.0), where);
  return half * at(exp(x, where) + at(1.0));
}

}  // namespace

Tensor leaky_relu(const Tensor& x, double negative_slope, Where where) {
  check_floating("leaky_relu", x, where);
  const At at(where);
  return autograd::where(x > at(0.0), x, at(x * at(negative_slope)));
}

Tensor elu(const Tensor& x, double alpha, Where where) {
  check_floating("elu", x, where);
  const At at(where);
  const Tensor below = clamp(x, -infinity, 0.0, where);  // e^x of a large x is infinite, and 0 * infinity NaN
  const Tensor curve = expm1(below, where) * at(alpha);
  return autograd::where(x > at(0.0), x, at(curve));
}

Tensor silu(const Tensor& x, Where where) {
  check_floating("silu", x, where);
  return x * At(where)(sigmoid(x, where));
}

Tensor gelu(const Tensor& x, std::string_view approximate, Where where) {
  check_floating("gelu", x, where);
  if (approximate != "none" && approximate != "tanh") {
    fail(ErrorId::bad_argument, "gelu", where, fmt::format("approximate is \"{}\"", approximate),
         "use \"none\" or \"tanh\"");
  }
  const At at(where);
  const Tensor half = x * at(0.5);
  if (approximate == "none") return half * at(erf(x * at(1.0 / std::numbers::sqrt2), where) + at(1.0));
  const Tensor cube = square(x, where) * at(x);
  const Tensor inner = (x + at(cube * at(0.044715))) * at(std::numbers::sqrt2 * std::numbers::inv_sqrtpi);
  return half * at(tanh(inner, where) + at(1.0));
}

Tensor softplus(const Tensor& x, double beta, double threshold, Where where) {
  check_floating("softplus", x, where);
  const At at(where);
  const Tensor scaled = x * at(beta);
  const Tensor low = clamp(scaled, -infinity, threshold, where);  // e^x of a large x is infinite
  const Tensor curve = log1p(exp(low, where), where) / at(beta);
  return autograd::where(scaled > at(threshold), x, at(curve));
}

Tensor logsigmoid(const Tensor& x, Where where) {
  check_floating("logsigmoid", x, where);
  constexpr double threshold = 40.0;  // e^-40 is nothing beside 40, also in float64
  return neg(softplus(neg(x, where), 1.0, threshold, where), where);
}

}  // namespace autograd
