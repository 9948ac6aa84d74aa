// Reductions as composites of other ops: the tape differentiates their parts.
#include <limits>

#include "autograd/composites/composites.h"
#include "autograd/ops/op.h"
#include "autograd/ops/parts.h"
namespace autograd {
namespace {

// |x|^p with the derivative 0 at 0, where that of a p below 1 is infinite.
Tensor power_flat_at_0(const Tensor& x, double p) {
  const Tensor is_zero = x == 0.0;
  const Tensor magnitude = abs(masked_fill(x, is_zero, 1.0));
  return masked_fill(pow(magnitude, p), is_zero, 0.0);
}

// The norm of x / c is that of x divided by c: with the largest |x| for c, no power leaves the range.
Tensor power_norm(const Tensor& x, double p, const Dims& dims, bool keepdim) {
  if (x.numel() == 0) return sum(x, dims, keepdim);
  const Tensor largest = amax(abs(x.detach()), dims, keepdim);
  const Tensor has_no_scale = logical_or(largest == 0.0, largest - largest != 0.0);  // 0, infinite or NaN
  const Tensor scale = masked_fill(largest, has_no_scale, 1.0);
  Shape kept = x.shape();
  for (const std::int64_t dim : checked_dims("norm", dims, x, Where::current())) kept[dim] = 1;
  const Tensor powers = power_flat_at_0(x / reshape(scale, kept), p);
  return power_flat_at_0(sum(powers, dims, keepdim), 1.0 / p) * scale;
}

}  // namespace

Tensor norm(const Tensor& x, double p, const Dims& dims, Flag keepdim, Where where) {
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
  if (p == 2.0) return root_mean_square(x, dims, 1.0, 0.0, keepdim);
  return power_norm(x, p, dims, keepdim);
}

// Half of the elements times the other half, until one is left. Without a division, a 0 needs no case of its own.
Tensor prod(const Tensor& x, Int dim, Flag keepdim, Where where) {
  check_defined("prod", x, where);
  const int along = checked_dim("prod", dim, x, where);
  const CompositeGuard composite("prod", where);
  if (x.dtype() == boolean) return prod(to(x, int64), dim, keepdim);
  // In double, because the product of some may leave the range where that of all does not.
  if (x.dtype() == float32) return to(prod(to(x, float64), dim, keepdim), float32);
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
