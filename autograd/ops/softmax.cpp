// Softmax, its logarithm, and softmax under a mask.

#include "autograd/ops/op.h"

namespace autograd {
namespace {

// kernel(y, x, outer, n, inner) along one dim; not recorded.
template <class Kernel> Tensor compute(const Tensor& x, int dim, Kernel kernel) {
  const Tensor x_ = contiguous_values(x);
  Tensor y = make_tensor(x.shape(), x.dtype());
  const AroundDim around = around_dim(x.shape(), dim);
  with_float_type(x.dtype(), [&](auto t) {
    using T = decltype(t);
    kernel(pointer<T>(y), pointer<T>(x_), around.outer, around.n, around.inner);
  });
  return y;
}

// The derivative along the last dim in one pass over memory, by kernel(dx, dy, y, rows, n); not recorded. It gives the
// same bits as the formula in tensor ops, which is there for recording and for other dims.
template <class Kernel> Tensor in_one_pass(const Tensor& dy, const Tensor& y, Kernel kernel) {
  const Tensor dy_ = contiguous_values(dy);
  const Tensor y_ = contiguous_values(y);
  Tensor dx = make_tensor(y.shape(), y.dtype());
  const AroundDim around = around_dim(y.shape(), y.dim() > 0 ? y.dim() - 1 : 0);
  with_float_type(y.dtype(), [&](auto t) {
    using T = decltype(t);
    kernel(pointer<T>(dx), pointer<T>(dy_), pointer<T>(y_), around.outer, around.n);
  });
  return dx;
}

constexpr auto softmax_kernel = [](auto... arguments) { kernels::softmax_backward(arguments...); };
constexpr auto log_softmax_kernel = [](auto... arguments) { kernels::log_softmax_backward(arguments...); };

// A single number has no dims, and its dim is 0.
bool is_last(int dim, const Tensor& x) {
  return dim >= x.dim() - 1;
}

int checked_softmax_dim(const char* op, std::int64_t dim, const Tensor& x, Where where) {
  check_floating(op, x, where);
  return checked_dim(op, dim, x, where);
}

}  // namespace

struct Softmax final : Node {
  static constexpr OpText text{"softmax", "y = exp(x) / sum(exp(x))", "dx = y * (dy - sum(y * dy))"};
  Saved y;
  int dim = 0;

  Tensor forward(const Inputs& x) const override { return softmax(x[0], dim); }
  Grads backward(const Tensor& dy) override {
    const Tensor y_ = use(y);
    if (one_pass_will_do() && is_last(dim, y_)) return {in_one_pass(dy, y_, softmax_kernel)};
    const Tensor weighted_mean = sum(y_ * dy, dim, true);
    return {y_ * (dy - weighted_mean)};
  }
};

Tensor softmax(const Tensor& x, std::int64_t dim, Where where) {
  const int dim_ = checked_softmax_dim("softmax", dim, x, where);
  Tensor y = compute(x, dim_, [](auto... arguments) { kernels::softmax(arguments...); });
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
    if (one_pass_will_do() && is_last(dim, y_)) return {in_one_pass(dy, y_, log_softmax_kernel)};
    const Tensor probabilities = exp(y_);
    const Tensor total = sum(dy, dim, true);
    return {dy - probabilities * total};
  }
};

Tensor log_softmax(const Tensor& x, std::int64_t dim, Where where) {
  const int dim_ = checked_softmax_dim("log_softmax", dim, x, where);
  Tensor y = compute(x, dim_, [](auto... arguments) { kernels::log_softmax(arguments...); });
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
  // y is 0 where the mask is false, so nothing flows there; in a row without any place all of y is 0.
  Grads backward(const Tensor& dy) override {
    const Tensor y_ = use(y);
    if (one_pass_will_do()) return {in_one_pass(dy, y_, softmax_kernel)};
    const Tensor weighted_mean = sum(y_ * dy, -1, true);
    return {y_ * (dy - weighted_mean)};
  }
};

Tensor masked_softmax(const Tensor& x, const Tensor& mask, Where where) {
  const int dim = checked_softmax_dim("masked_softmax", -1, x, where);
  check_dtype("masked_softmax", mask, boolean, where);
  if (!(broadcast("masked_softmax", x.shape(), mask.shape(), where) == x.shape())) {
    fail_shapes("masked_softmax", x.shape(), mask.shape(), where, "the mask does not broadcast to the scores",
                "give the mask the shape of the scores, or unsqueeze() the dims over which it repeats");
  }
  const Tensor x_ = contiguous_values(x);
  const Tensor mask_ = contiguous_values(mask.expand(x.shape(), where));
  Tensor y = make_tensor(x.shape(), x.dtype());
  const AroundDim around = around_dim(x.shape(), dim);
  with_float_type(x.dtype(), [&](auto t) {
    using T = decltype(t);
    kernels::masked_softmax(pointer<T>(y), pointer<T>(x_), pointer<bool>(mask_), around.outer, around.n);
  });
  if (auto* node = record<MaskedSoftmax>(y, {&x}, where)) {
    node->y = node->save(y);
    node->mask = node->save(mask_);
  }
  return y;
}

}  // namespace autograd
