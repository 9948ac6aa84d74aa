// Activations as composites of other ops: the tape differentiates their parts.
#include <numbers>

#include "autograd/composites/composites.h"
#include "autograd/ops/op.h"

namespace autograd {
namespace {

// e^x - 1, exact near 0 too: tanh(x / 2) = (e^x - 1) / (e^x + 1).
Tensor expm1(const Tensor& x) {
  const Tensor half = tanh(x / 2.0);
  return half * (exp(x) + 1.0);
}

}  // namespace

Tensor leaky_relu(const Tensor& x, double negative_slope, Where where) {
  check_floating("leaky_relu", x, where);
  const CompositeGuard composite("leaky_relu", where);
  return autograd::where(x > 0.0, x, x * negative_slope);
}

Tensor elu(const Tensor& x, double alpha, Where where) {
  check_floating("elu", x, where);
  const CompositeGuard composite("elu", where);
  const Tensor is_line = x > 0.0;
  const Tensor below = masked_fill(x, is_line, 0.0);  // e^x of a large x is infinite, and 0 * infinity is NaN
  const Tensor curve = expm1(below) * alpha;
  return autograd::where(is_line, x, curve);
}

Tensor silu(const Tensor& x, Where where) {
  check_floating("silu", x, where);
  const CompositeGuard composite("silu", where);
  return x * sigmoid(x);
}

Tensor gelu(const Tensor& x, std::string_view approximate, Where where) {
  check_floating("gelu", x, where);
  if (approximate != "none" && approximate != "tanh") {
    fail(ErrorId::bad_argument, "gelu", where, fmt::format("approximate is \"{}\"", approximate),
         "use \"none\" or \"tanh\"");
  }
  const CompositeGuard composite("gelu", where);
  const Tensor half = x * 0.5;
  if (approximate == "none") return half * (erf(x * (1.0 / std::numbers::sqrt2)) + 1.0);
  const Tensor near = clamp(x, -10.0, 10.0);  // farther out, tanh is 1 or -1, and the cube would overflow
  const Tensor cube = square(near) * near;
  const Tensor inner = (near + cube * 0.044715) * (std::numbers::sqrt2 * std::numbers::inv_sqrtpi);
  return half * (tanh(inner) + 1.0);
}

Tensor softplus(const Tensor& x, double beta, double threshold, Where where) {
  check_floating("softplus", x, where);
  const CompositeGuard composite("softplus", where);
  const Tensor scaled = x * beta;
  const Tensor is_line = scaled > threshold;
  const Tensor low = masked_fill(scaled, is_line, threshold);  // e^x of a large x is infinite
  const Tensor curve = log1p(exp(low)) / beta;
  return autograd::where(is_line, x, curve);
}

Tensor logsigmoid(const Tensor& x, Where where) {
  check_floating("logsigmoid", x, where);
  const CompositeGuard composite("logsigmoid", where);
  constexpr double threshold = 40.0;  // 40 + e^-40 rounds to 40, in float64 too
  return -softplus(-x, 1.0, threshold);
}

}  // namespace autograd
