// a + b, a - b, a * b, a / b, a ^ b, maximum, minimum: elementwise with broadcasting.
//
// Each derivative has the shape of the output. The engine then sums it over the dims along which an input was repeated
// (undo_broadcast in tape/backward.cpp).
#include "autograd/ops/all_ops.h"
#include "autograd/ops/op.h"
#include "autograd/ops/order.h"

namespace autograd {
namespace {

template <class T> using BinaryKernel = void (*)(T* y, const T* a, const T* b, const kernels::Walk& walk);

// A walk over one row: an input has stride 1, or stride 0 if it is a single number.
kernels::Walk flat_walk(std::int64_t count, std::int64_t a_stride, std::int64_t b_stride) {
  kernels::Walk walk;
  walk.dims = 1;
  walk.size[0] = count;
  walk.stride[0][0] = a_stride;
  walk.stride[1][0] = b_stride;
  return walk;
}
// The usual cases need no analysis: equal shapes, and a number beside a tensor.
kernels::Walk walk_over(const Tensor& y, const Tensor& a, const Tensor& b, bool same_shape) {
  const bool is_flat = a.is_contiguous() && b.is_contiguous();
  if (is_flat && same_shape) return flat_walk(y.numel(), 1, 1);
  if (is_flat && b.dim() == 0) return flat_walk(y.numel(), 1, 0);
  if (is_flat && a.dim() == 0) return flat_walk(y.numel(), 0, 1);
  return broadcast_walk(y.shape(), a, b);
}

[[gnu::noinline]] Tensor make_broadcast(const char* op, const Tensor& a, const Tensor& b, Where where) {
  return make_tensor(broadcast(op, a.shape(), b.shape(), where), a.dtype());
}

// The numbers of y = f(a, b), not recorded.
Tensor compute(const char* op, const Tensor& a, const Tensor& b, Where where, const KernelTable<BinaryKernel>& kernel) {
  check_same_dtype(op, a, b, where);
  check_takes(op, a, kernel.on_int64 ? Takes::numbers : Takes::floating, where);
  const bool same_shape = a.shape() == b.shape();
  Tensor y = same_shape ? make_tensor_like(a) : make_broadcast(op, a, b, where);
  const kernels::Walk walk = walk_over(y, a, b, same_shape);
  with_number_type(a.dtype(), [&]<class T>(T) { kernel.of<T>()(pointer<T>(y), pointer<T>(a), pointer<T>(b), walk); });
  return y;
}

}  // namespace

struct Add final : Node {
  static constexpr OpText text{"add", "y = a + b", "da = dy, db = dy"};
  static constexpr OpKind kind = OpKind::elementwise;
  static constexpr bool broadcasts = true;

  Tensor forward(const Inputs& x) const override { return add(x[0], x[1]); }
  Grads backward(const Tensor& dy) override { return {dy, dy}; }
};

Tensor add(const Operand& a, const Operand& b) {
  const auto [a_, b_, where] = as_tensors("add", a, b);
  Tensor y = compute("add", a_, b_, where, {kernels::add, kernels::add, kernels::add});
  record<Add>(y, {&a_, &b_}, where);
  return y;
}

struct Sub final : Node {
  static constexpr OpText text{"sub", "y = a - b", "da = dy, db = -dy"};
  static constexpr OpKind kind = OpKind::elementwise;
  static constexpr bool broadcasts = true;

  Tensor forward(const Inputs& x) const override { return sub(x[0], x[1]); }
  Grads backward(const Tensor& dy) override {
    const Tensor db = needs(1) ? -dy : Tensor();
    return {dy, db};
  }
};

Tensor sub(const Operand& a, const Operand& b) {
  const auto [a_, b_, where] = as_tensors("sub", a, b);
  Tensor y = compute("sub", a_, b_, where, {kernels::sub, kernels::sub, kernels::sub});
  record<Sub>(y, {&a_, &b_}, where);
  return y;
}

struct Mul final : Node {
  static constexpr OpText text{"mul", "y = a * b", "da = dy * b, db = dy * a",
                               "a mask is not a factor: masked_fill() or where(), not a product with 0"};
  static constexpr OpKind kind = OpKind::elementwise;
  static constexpr bool broadcasts = true;
  Saved a, b;

  Tensor forward(const Inputs& x) const override { return mul(x[0], x[1]); }
  Grads backward(const Tensor& dy) override {
    const Tensor da = needs(0) ? dy * use(b) : Tensor();
    const Tensor db = needs(1) ? dy * use(a) : Tensor();
    return {da, db};
  }
};

Tensor mul(const Operand& a, const Operand& b) {
  const auto [a_, b_, where] = as_tensors("mul", a, b);
  Tensor y = compute("mul", a_, b_, where, {kernels::mul, kernels::mul, kernels::mul});
  if (auto* node = record<Mul>(y, {&a_, &b_}, where)) {
    if (node->needs(1)) node->a = node->save(a_);
    if (node->needs(0)) node->b = node->save(b_);
  }
  return y;
}

struct Div final : Node {
  static constexpr OpText text{
      "div", "y = a / b", "da = dy / b, db = -dy * y / b",
      "keep the divisor away from 0: add a small number, or clamp() it (a count of tokens: clamp(1, inf))"};
  static constexpr OpKind kind = OpKind::elementwise;
  static constexpr bool broadcasts = true;
  Saved b, y;

  Tensor forward(const Inputs& x) const override { return div(x[0], x[1]); }
  Grads backward(const Tensor& dy) override {
    const Tensor da = dy / use(b);
    const Tensor db = needs(1) ? -da * use(y) : Tensor();
    return {da, db};
  }
};

Tensor div(const Operand& a, const Operand& b) {
  const auto [a_, b_, where] = as_tensors("div", a, b);
  Tensor y = compute("div", a_, b_, where, {kernels::div, kernels::div});
  if (auto* node = record<Div>(y, {&a_, &b_}, where)) {
    node->b = node->save(b_);
    if (node->needs(1)) node->y = node->save(y);
  }
  return y;
}

struct Pow final : Node {
  static constexpr OpText text{
      "pow", "y = a ^ b", "da = dy * b * a^(b-1), db = dy * y * log(a)",
      "keep the base away from 0, as in pow(x + 1e-12, b), and abs() or clamp() a negative one"};
  static constexpr OpKind kind = OpKind::elementwise;
  static constexpr bool broadcasts = true;
  Saved a, b, y;

  Tensor forward(const Inputs& x) const override { return pow(x[0], x[1]); }
  Grads backward(const Tensor& dy) override {
    const Tensor da = needs(0) ? base_gradient(dy, use(a), use(b)) : Tensor();
    const Tensor db = needs(1) ? exponent_gradient(dy, use(a), use(b), use(y)) : Tensor();
    return {da, db};
  }

  // a^0 is constant at a = 0 and at NaN too: without the case, 0 * a^-1 would be NaN there.
  static Tensor base_gradient(const Tensor& dy, const Tensor& a_, const Tensor& b_) {
    const Tensor has_no_inverse = logical_or(a_ == 0.0, a_ != a_);
    const Tensor constant = logical_and(has_no_inverse, b_ == 0.0);
    const Tensor base = where(constant, 1.0, a_);
    return dy * (b_ * pow(base, b_ - 1.0));
  }
  // 0^b is constantly 0 for b > 0: without the case, 0 * log(0) would be NaN.
  static Tensor exponent_gradient(const Tensor& dy, const Tensor& a_, const Tensor& b_, const Tensor& y_) {
    const Tensor constant = logical_and(a_ == 0.0, b_ >= 0.0);
    const Tensor logarithm = log(where(constant, 1.0, a_));
    return dy * (y_ * logarithm);
  }
};

Tensor pow(const Operand& a, const Operand& b) {
  const auto [a_, b_, where] = as_tensors("pow", a, b);
  Tensor y = compute("pow", a_, b_, where, {kernels::pow, kernels::pow});
  if (auto* node = record<Pow>(y, {&a_, &b_}, where)) {
    node->a = node->save(a_);
    node->b = node->save(b_);
    if (node->needs(1)) node->y = node->save(y);
  }
  return y;
}

struct Maximum final : Node {
  static constexpr OpText text{"maximum", "y = max(a, b)", "da = dy * [a > b], db = dy * [b > a], half each at a tie"};
  static constexpr OpKind kind = OpKind::elementwise;
  static constexpr bool piecewise = true;
  static constexpr bool broadcasts = true;
  Saved a, b;

  Tensor forward(const Inputs& x) const override { return maximum(x[0], x[1]); }
  Grads backward(const Tensor& dy) override {
    const Tensor a_ = use(a);
    const Tensor b_ = use(b);
    const Tensor ties = a_ == b_;
    const Tensor da = dy * share_of_gradient(a_ < b_, ties, dtype);
    const Tensor db = dy * share_of_gradient(b_ < a_, ties, dtype);
    return {da, db};
  }

  // 0 where `loses`, 1/2 at a tie, 1 elsewhere. No comparison with NaN holds, so that there both sides get 1.
  static Tensor share_of_gradient(const Tensor& loses, const Tensor& ties, DType dtype) {
    return 1.0 - (loses.to(dtype) + 0.5 * ties.to(dtype));
  }
};

Tensor maximum(const Operand& a, const Operand& b) {
  const auto [a_, b_, where] = as_tensors("maximum", a, b);
  Tensor y = compute("maximum", a_, b_, where, {kernels::maximum, kernels::maximum, kernels::maximum});
  if (auto* node = record<Maximum>(y, {&a_, &b_}, where)) {
    node->a = node->save(a_);
    node->b = node->save(b_);
  }
  return y;
}

// min(a, b) = -max(-a, -b)
Tensor minimum(const Operand& a, const Operand& b) {
  const auto [a_, b_, where] = as_tensors("minimum", a, b);
  const CompositeGuard composite("minimum", where);
  return order_reversed(maximum(order_reversed(a_), order_reversed(b_)));
}

Tensor operator+(const Operand& a, const Operand& b) {
  return add(a, b);
}
Tensor operator-(const Operand& a, const Operand& b) {
  return sub(a, b);
}
Tensor operator*(const Operand& a, const Operand& b) {
  return mul(a, b);
}
Tensor operator/(const Operand& a, const Operand& b) {
  return div(a, b);
}
Tensor operator-(const Operand& x) {
  return neg(x.as_tensor(float32), x.where());
}

OpList arithmetic_ops() {
  return list_of<Add, Sub, Mul, Div, Pow, Maximum>();
}

}  // namespace autograd
