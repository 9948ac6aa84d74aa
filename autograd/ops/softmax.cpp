// Softmax, its logarithm, and softmax under a mask.
#include "autograd/ops/all_ops.h"
#include "autograd/ops/fused.h"
#include "autograd/ops/op.h"

namespace autograd {
namespace {

int checked_softmax_dim(const char* op, std::int64_t dim, const Tensor& x, Where where) {
  check_floating(op, x, where);
  return checked_dim(op, dim, x, where);
}

// The derivative along the last dim in one pass over memory.
Tensor softmax_gradient(const Tensor& dy, const Tensor& y) {
  const Tensor dy_ = contiguous_values(dy);
  Tensor dx = make_tensor_like(y);
  const AroundDim rows = around_dim(y.shape(), y.dim() - 1);
  with_float_type(y.dtype(), [&]<class T>(T) {
    kernels::softmax_backward(pointer<T>(dx), pointer<T>(dy_), pointer<T>(y), rows.outer, rows.n);
  });
  return dx;
}

}  // namespace

struct Softmax final : Node {
  static constexpr OpText text{"softmax", "y = exp(x) / sum(exp(x))", "dx = y * (dy - sum(y * dy))"};
  Saved y;
  int dim = 0;

  Tensor forward(const Inputs& x) const override { return softmax(x[0], dim); }
  Grads backward(const Tensor& dy) override {
    const Tensor y_ = use(y);
    if (derivative_by_kernel() && dim == y_.dim() - 1) return {softmax_gradient(dy, y_)};
    const Tensor weighted_mean = sum(y_ * dy, dim, true);
    return {y_ * (dy - weighted_mean)};
  }
};

Tensor softmax(const Tensor& x, Int dim, Where where) {
  const int dim_ = checked_softmax_dim("softmax", dim, x, where);
  Tensor y = compute_along(x, dim_, {kernels::softmax, kernels::softmax});
  if (auto* node = record<Softmax>(y, {&x}, where)) {
    node->y = node->save(y);
    node->dim = dim_;
  }
  return y;
}

struct LogSoftmax final : Node {
  static constexpr OpText text{"log_softmax", "y = x - log(sum(exp(x)))", "dx = dy - exp(y) * sum(dy)"};
  Saved y;
  int dim = 0;

  Tensor forward(const Inputs& x) const override { return log_softmax(x[0], dim); }
  Grads backward(const Tensor& dy) override {
    const Tensor y_ = use(y);
    const Tensor probabilities = exp(y_);
    const Tensor total = sum(dy, dim, true);
    return {dy - probabilities * total};
  }
};

Tensor log_softmax(const Tensor& x, Int dim, Where where) {
  const int dim_ = checked_softmax_dim("log_softmax", dim, x, where);
  Tensor y = compute_along(x, dim_, {kernels::log_softmax, kernels::log_softmax});
  if (auto* node = record<LogSoftmax>(y, {&x}, where)) {
    node->y = node->save(y);
    node->dim = dim_;
  }
  return y;
}

struct MaskedSoftmax final : Node {
  static constexpr OpText text{"masked_softmax", "y = mask * exp(x) / sum(mask * exp(x))",
                               "dx = y * (dy - sum(y * dy))"};
  Saved y, mask;

  Tensor forward(const Inputs& x) const override { return masked_softmax(x[0], use(mask)); }
  // No gradient flows where the mask is false, because y is 0 there; nor in a row without a true place.
  Grads backward(const Tensor& dy) override {
    const Tensor y_ = use(y);
    if (derivative_by_kernel()) return {softmax_gradient(dy, y_)};
    const Tensor weighted_mean = sum(y_ * dy, -1, true);
    return {y_ * (dy - weighted_mean)};
  }
};

Tensor masked_softmax(const Tensor& x, const Tensor& mask, Where where) {
  check_order("masked_softmax", x, mask, "masked_softmax(x, mask)", where);
  const int dim = checked_softmax_dim("masked_softmax", -1, x, where);
  check_mask("masked_softmax", mask, x, where);
  const Tensor x_ = contiguous_values(x);
  const Tensor mask_ = contiguous_values(mask.expand(x.shape(), where));
  Tensor y = make_tensor(x.shape(), x.dtype());
  const AroundDim around = around_dim(x.shape(), dim);
  with_float_type(x.dtype(), [&]<class T>(T) {
    const std::int64_t rows = y.numel() == 0 ? 0 : around.outer;
    kernels::masked_softmax(pointer<T>(y), pointer<T>(x_), pointer<bool>(mask_), rows, around.n);
  });
  if (auto* node = record<MaskedSoftmax>(y, {&x}, where)) {
    node->y = node->save(y);
    node->mask = node->save(mask_);
  }
  return y;
}

OpList softmax_ops() {
  return list_of<Softmax, LogSoftmax, MaskedSoftmax>();
}

}  // namespace autograd
