// Reductions as composites of other ops: the tape differentiates their parts.
#include <limits>

#include "autograd/ops/op.h"

namespace autograd {
namespace {

// The square root with the derivative 0 at 0, where it has none.
Tensor sqrt_flat_at_0(const Tensor& x) {
  const Tensor is_zero = x == 0.0;
  const Tensor root = sqrt(masked_fill(x, is_zero, 1.0));
  return masked_fill(root, is_zero, 0.0);
}

// |x|^p with the derivative 0 at 0, where that of a p below 1 is infinite.
Tensor power_flat_at_0(const Tensor& x, double p) {
  const Tensor is_zero = x == 0.0;
  const Tensor magnitude = abs(masked_fill(x, is_zero, 1.0));
  return masked_fill(pow(magnitude, p), is_zero, 0.0);
}

}  // namespace

Tensor Tensor::std(const Dims& dims, std::int64_t correction, bool keepdim, Where where) const {
  check_floating("std", *this, where);
  const CompositeGuard composite("std", where);
  return sqrt_flat_at_0(autograd::var(*this, dims, correction, keepdim));
}

Tensor norm(const Tensor& x, double p, const Dims& dims, bool keepdim, Where where) {
  const CompositeGuard composite("norm", where);
  check_floating("norm", x, where);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (p == infinity) return amax(abs(x), dims, keepdim);
  if (p == -infinity) return amin(abs(x), dims, keepdim);
  if (!(p >= 0.0)) {
    fail(ErrorId::bad_argument, "norm", where, fmt::format("p is {}", p), "use a p from 0 to infinity, or -infinity");
  }
  if (p == 0.0) return sum(to(x != 0.0, x.dtype()), dims, keepdim);
  if (p == 1.0) return sum(abs(x), dims, keepdim);
  if (p == 2.0) return sqrt_flat_at_0(sum(square(x), dims, keepdim));
  return power_flat_at_0(sum(power_flat_at_0(x, p), dims, keepdim), 1.0 / p);
}

// Half of the elements times the other half, until one is left. Without a division, a 0 needs no case of its own.
Tensor prod(const Tensor& x, std::int64_t dim, bool keepdim, Where where) {
  check_defined("prod", x, where);
  const int along = checked_dim("prod", dim, x, where);
  const CompositeGuard composite("prod", where);
  if (x.dtype() == boolean) return prod(to(x, int64), dim, keepdim);
  Tensor factors = x.dim() == 0 ? unsqueeze(x, 0) : x;
  if (factors.shape()[along] < 2) {
    Shape one = factors.shape();
    one[along] = 1;
    const Tensor neutral = ones(one, x.dtype());
    factors = cat({factors, neutral}, along);
  }
  for (std::int64_t n = factors.shape()[along]; n > 1; n = factors.shape()[along]) {
    const Tensor left = narrow(factors, along, 0, n / 2);
    const Tensor right = narrow(factors, along, n / 2, n / 2);
    const Tensor products = left * right;
    factors = n % 2 == 0 ? products : cat({products, narrow(factors, along, n - 1, 1)}, along);
  }
  return keepdim && x.dim() > 0 ? factors : squeeze(factors, along);
}

Tensor prod(const Tensor& x, Where where) {
  const CompositeGuard composite("prod", where);
  return prod(flatten(x), 0);
}

Tensor max(const Tensor& x, Where where) {
  const CompositeGuard composite("max", where);
  return amax(x);
}

Tensor min(const Tensor& x, Where where) {
  const CompositeGuard composite("min", where);
  return amin(x);
}

Tensor argmax(const Tensor& x, Where where) {
  const CompositeGuard composite("argmax", where);
  return argmax(flatten(x), 0);
}

Tensor argmin(const Tensor& x, Where where) {
  const CompositeGuard composite("argmin", where);
  return argmin(flatten(x), 0);
}

}  // namespace autograd
