// Reductions, over all dims or the named ones: many elements become one, whose gradient is spread over them. And
// cumsum, which keeps the steps on the way.
#include <algorithm>

#include "autograd/ops/all_ops.h"
#include "autograd/ops/op.h"
#include "autograd/ops/order.h"
#include "autograd/ops/parts.h"

namespace autograd {
namespace {

bool contains(const Dims& dims, int dim) {
  return std::find(dims.begin(), dims.end(), dim) != dims.end();
}

// [2, 3, 4] over dim 1 is [2, 4], or [2, 1, 4] with keepdim.
Shape reduced_shape(const Shape& shape, const Dims& dims, bool keepdim) {
  Shape reduced;
  for (int dim = 0; dim < shape.dim(); ++dim) {
    if (!contains(dims, dim)) {
      reduced.push_back(shape[dim]);
    } else if (keepdim) {
      reduced.push_back(1);
    }
  }
  return reduced;
}

// How many elements become one.
std::int64_t reduced_count(const Shape& shape, const Dims& dims) {
  std::int64_t count = 1;
  for (const std::int64_t dim : dims) count *= size_along(shape, static_cast<int>(dim));
  return count;
}

// A result, or its gradient, with the reduced dims put back as size 1, so that it broadcasts against the input.
Tensor with_reduced_dims(const Tensor& y, const Shape& input_shape, const Dims& dims) {
  return reshape(y, reduced_shape(input_shape, dims, true));
}

// x as the kernels reduce it: contiguous, seen as [outer, n, inner], of which n is reduced to 1.
struct Block {
  Tensor values;
  AroundDim size;
};

// Neighbouring dims are reduced where they are; others are first moved to the end, side by side.
Block lay_out(const Tensor& x, const Dims& dims) {
  const bool neighbours = dims.empty() || dims.back() - dims[0] == dims.dim() - 1;
  Block block;
  Dims order;  // the dims that stay
  for (int dim = 0; dim < x.dim(); ++dim) {
    if (contains(dims, dim)) {
      block.size.n *= x.shape()[dim];
      continue;
    }
    order.push_back(dim);
    const bool behind = neighbours && dim > dims.back();
    (behind ? block.size.inner : block.size.outer) *= x.shape()[dim];
  }
  for (const std::int64_t dim : dims) order.push_back(dim);
  block.size = block.size.without_empty_lanes();
  block.values = contiguous_values(neighbours ? x : permute(x.detach(), order));
  return block;
}

// The numbers of a reduction, not recorded.
Tensor reduce(const Tensor& x, const Dims& dims, bool keepdim, const KernelTable<AlongKernel>& kernel) {
  const Block block = lay_out(x, dims);
  Tensor y = make_tensor(reduced_shape(x.shape(), dims, keepdim), x.dtype());
  with_type(x.dtype(), [&]<class T>(T) {
    kernel.of<T>()(pointer<T>(y), pointer<T>(block.values), block.size.outer, block.size.n, block.size.inner);
  });
  return y;
}

// Throws where there are no elements to choose from.
void check_not_empty(const char* op, const Tensor& x, const Dims& dims, Where where) {
  if (reduced_count(x.shape(), dims) > 0) return;
  fail(ErrorId::bad_argument, op, where,
       fmt::format("there is nothing to choose from in dims {} of {}", dims, x.shape()),
       "reduce over dims of size 1 or more, or leave empty batches out");
}

// The position of the first largest element along dim, which stays with size 1.
Tensor find_largest(const char* op, const Tensor& x, int dim, Where where) {
  check_not_empty(op, x, dim, where);
  const Tensor values = contiguous_values(x.dtype() == boolean ? copied(x, int64) : x);
  const AroundDim size = around_dim(x.shape(), dim);
  Tensor index = make_tensor(reduced_shape(x.shape(), dim, true), int64);
  with_number_type(values.dtype(), [&]<class T>(T) {
    kernels::argmax(pointer<std::int64_t>(index), pointer<T>(values), size.outer, size.n, size.inner);
  });
  return index;
}

}  // namespace

struct Sum final : Node {
  static constexpr OpText text{"sum", "y = x[0] + x[1] + ...", "dx[i] = dy"};
  Dims dims;
  bool keepdim = false;

  Tensor forward(const Inputs& x) const override { return sum(x[0], dims, keepdim); }
  Grads backward(const Tensor& dy) override {
    const Tensor dy_ = with_reduced_dims(dy, input_shape(), dims);
    return {expand(dy_, input_shape())};
  }
};
Tensor sum(const Tensor& x, const Dims& dims, Flag keepdim, Where where) {
  check_defined("sum", x, where);
  if (x.dtype() == boolean) return sum(copied(x, int64), dims, keepdim, where);  // how many are true
  const Dims over = checked_dims("sum", dims, x, where);
  Tensor y = reduce(x, over, keepdim, {kernels::sum, kernels::sum, kernels::sum_integers});
  if (auto* node = record<Sum>(y, {&x}, where)) {
    node->dims = over;
    node->keepdim = keepdim;
  }
  return y;
}

struct Mean final : Node {
  static constexpr OpText text{"mean", "y = (x[0] + x[1] + ...) / n", "dx[i] = dy / n"};
  Dims dims;
  bool keepdim = false;

  Tensor forward(const Inputs& x) const override { return mean(x[0], dims, keepdim); }
  Grads backward(const Tensor& dy) override {
    const std::int64_t count = reduced_count(input_shape(), dims);
    const double n = static_cast<double>(std::max<std::int64_t>(count, 1));  // 1 without elements
    const Tensor share = dy / n;
    const Tensor share_ = with_reduced_dims(share, input_shape(), dims);
    return {expand(share_, input_shape())};
  }
};
Tensor mean(const Tensor& x, const Dims& dims, Flag keepdim, Where where) {
  check_floating("mean", x, where);
  const Dims over = checked_dims("mean", dims, x, where);
  const double n = static_cast<double>(reduced_count(x.shape(), over));
  Tensor y = sum(x.detach(), over, keepdim) / n;  // 0 / 0 = NaN without elements
  if (n > 0.0 && !all_finite(y)) {
    // Sums of numbers near the limit overflow where their means do not.
    const Tensor parts = x.detach() / n;
    y = autograd::where(y - y == 0.0, y, sum(parts, over, keepdim));
  }
  if (auto* node = record<Mean>(y, {&x}, where)) {
    node->dims = over;
    node->keepdim = keepdim;
  }
  return y;
}

// ---- squares, which a kernel adds up so that they overflow only if the result does ----------------

struct MeanSquare final : Node {
  static constexpr OpText text{"mean_square", "y = (x[0]^2 + x[1]^2 + ...) / n", "dx = dy * 2 * x / n"};
  Saved x;
  Dims dims;
  double n = 1.0;
  bool keepdim = false;

  Tensor forward(const Inputs& in) const override { return mean_square(in[0], dims, n, keepdim); }
  Grads backward(const Tensor& dy) override {
    const Tensor x_ = use(x);
    const Tensor dy_ = with_reduced_dims(dy, x_.shape(), dims);
    return {dy_ * (2.0 / n) * x_};
  }
};
Tensor mean_square(const Tensor& x, const Dims& dims, double n, bool keepdim, Where where) {
  const Dims over = checked_dims("mean_square", dims, x, where);
  const Block block = lay_out(x, over);
  Tensor y = make_tensor(reduced_shape(x.shape(), over, keepdim), x.dtype());
  with_float_type(x.dtype(), [&]<class T>(T) {
    kernels::mean_square(pointer<T>(y), pointer<T>(block.values), block.size.outer, block.size.n, block.size.inner, n);
  });
  if (auto* node = record<MeanSquare>(y, {&x}, where)) {
    node->x = node->save(x);
    node->dims = over;
    node->n = n;
    node->keepdim = keepdim;
  }
  return y;
}

struct RootMeanSquare final : Node {
  static constexpr OpText text{"root_mean_square", "y = sqrt((x[0]^2 + x[1]^2 + ...) / n + eps)",
                               "dx = dy / n * x / y, 0 where y is 0"};
  Saved x, y;
  Dims dims;
  double n = 1.0;
  double eps = 0.0;
  bool keepdim = false;

  Tensor forward(const Inputs& in) const override { return root_mean_square(in[0], dims, n, eps, keepdim); }
  Grads backward(const Tensor& dy) override {
    const Tensor x_ = use(x);
    const Tensor y_ = with_reduced_dims(use(y), x_.shape(), dims);
    const Tensor dy_ = with_reduced_dims(dy, x_.shape(), dims);
    const Tensor is_zero = y_ == 0.0;
    const Tensor share = masked_fill(dy_ / n, is_zero, 0.0);
    return {share * (x_ / masked_fill(y_, is_zero, 1.0))};
  }
};
Tensor root_mean_square(const Tensor& x, const Dims& dims, double n, double eps, bool keepdim, Where where) {
  const Dims over = checked_dims("root_mean_square", dims, x, where);
  const Block block = lay_out(x, over);
  Tensor y = make_tensor(reduced_shape(x.shape(), over, keepdim), x.dtype());
  with_float_type(x.dtype(), [&]<class T>(T) {
    kernels::root_mean_square(pointer<T>(y), pointer<T>(block.values), block.size.outer, block.size.n, block.size.inner,
                              n, eps);
  });
  if (auto* node = record<RootMeanSquare>(y, {&x}, where)) {
    node->x = node->save(x);
    node->y = node->save(y);
    node->dims = over;
    node->n = n;
    node->eps = eps;
    node->keepdim = keepdim;
  }
  return y;
}

namespace {

struct Centered {
  Tensor x;
  double degrees;  // of freedom
};

Centered centered(const Tensor& x, const Dims& dims, std::int64_t correction) {
  const double count = static_cast<double>(reduced_count(x.shape(), dims));
  return {x - mean(x, dims, true), count - static_cast<double>(correction)};
}

}  // namespace

Tensor var(const Tensor& x, const Dims& dims, Correction correction, Flag keepdim, Where where) {
  check_floating("var", x, where);
  const Dims over = checked_dims("var", dims, x, where);
  const CompositeGuard composite("var", where);
  const auto [deviations, degrees] = centered(x, over, correction);
  if (degrees > 0.0) return mean_square(deviations, over, degrees, keepdim);
  const Tensor total = mean_square(deviations, over, 1.0, keepdim);
  const Tensor y = total / degrees;  // 0 / 0 = NaN for one element
  if (degrees == 0.0) return y;
  // As in PyTorch: instead of a negative divisor, the value has the divisor 0; the derivative keeps the negative one.
  return y + total.detach() / 0.0;
}

Tensor Tensor::std(const Dims& dims, Correction correction, Flag keepdim, Where where) const {
  check_floating("std", *this, where);
  const Dims over = checked_dims("std", dims, *this, where);
  const CompositeGuard composite("std", where);
  const auto [deviations, degrees] = centered(*this, over, correction);
  if (degrees > 0.0) return root_mean_square(deviations, over, degrees, 0.0, keepdim);
  return autograd::sqrt(autograd::var(*this, over, correction, keepdim));  // infinite or NaN
}

struct Cumsum final : Node {
  static constexpr OpText text{"cumsum", "y[i] = x[0] + ... + x[i]", "dx[i] = dy[i] + ... + dy[n-1]"};
  int dim = 0;

  Tensor forward(const Inputs& x) const override { return cumsum(x[0], dim); }
  Grads backward(const Tensor& dy) override {
    const Tensor from_the_end = flip(dy, dim);
    const Tensor sums = cumsum(from_the_end, dim);
    return {flip(sums, dim)};
  }
};
Tensor cumsum(const Tensor& x, Int dim, Where where) {
  check_defined("cumsum", x, where);
  if (x.dtype() == boolean) return cumsum(copied(x, int64), dim, where);  // how many are true up to here
  const int along = checked_dim("cumsum", dim, x, where);
  Tensor y = compute_along(x, along, {kernels::cumsum, kernels::cumsum, kernels::cumsum});
  if (auto* node = record<Cumsum>(y, {&x}, where)) node->dim = along;
  return y;
}

// ---- the largest and the smallest, ties sharing the gradient ---------------------------------------------

struct Amax final : Node {
  static constexpr OpText text{"amax", "y = the largest x", "dx = dy * (x == y) / (how many x equal y)"};
  static constexpr bool piecewise = true;
  Saved x, y;
  Dims dims;
  bool keepdim = false;

  Tensor forward(const Inputs& in) const override { return amax(in[0], dims, keepdim); }
  Grads backward(const Tensor& dy) override {
    const Tensor x_ = use(x);
    const Tensor y_ = with_reduced_dims(use(y), x_.shape(), dims);
    const Tensor dy_ = with_reduced_dims(dy, x_.shape(), dims);
    const Tensor is_largest = to(x_ == y_, dy.dtype());  // 1 or 0: a constant to the next derivative
    const Tensor ties = sum(is_largest, dims, true);
    return {dy_ * (is_largest / ties)};
  }
};
Tensor amax(const Tensor& x, const Dims& dims, Flag keepdim, Where where) {
  check_defined("amax", x, where);
  const Dims over = checked_dims("amax", dims, x, where);
  check_not_empty("amax", x, over, where);
  Tensor y = reduce(x, over, keepdim, {kernels::max, kernels::max, kernels::max, kernels::max});
  if (auto* node = record<Amax>(y, {&x}, where)) {
    node->x = node->save(x);
    node->y = node->save(y);
    node->dims = over;
    node->keepdim = keepdim;
  }
  return y;
}

// amin(x) = -amax(-x)
Tensor amin(const Tensor& x, const Dims& dims, Flag keepdim, Where where) {
  const CompositeGuard composite("amin", where);
  check_defined("amin", x, where);
  return order_reversed(amax(order_reversed(x), dims, keepdim));
}

// ---- the largest and the smallest along one dim, and where -------------------------------------------------

struct MaxAlongDim final : Node {
  static constexpr OpText text{"max", "y = x[i], i = argmax(x)", "dx[i] = dy, 0 elsewhere"};
  static constexpr bool piecewise = true;
  int dim = 0;
  bool keepdim = false;
  Saved index;  // of size 1 along dim

  Tensor forward(const Inputs& x) const override { return max(x[0], dim, keepdim).values; }
  Grads backward(const Tensor& dy) override {
    const Tensor dy_ = with_reduced_dims(dy, input_shape(), dim);
    const Tensor nothing = zeros(input_shape(), dy.dtype());
    return {scatter_add(nothing, dim, use(index), dy_)};
  }
};
ValuesAndIndices max(const Tensor& x, Int dim, Flag keepdim, Where where) {
  check_defined("max", x, where);
  const int along = checked_dim("max", dim, x, where);
  const Tensor index = find_largest("max", x, along, where);
  Tensor y = gather(x.detach(), along, index);
  if (!keepdim) y = squeeze(y, along);
  if (auto* node = record<MaxAlongDim>(y, {&x}, where)) {
    node->dim = along;
    node->keepdim = keepdim;
    node->index = node->save(index);
  }
  return {y, keepdim ? index : squeeze(index, along)};
}

// min(x) = -max(-x)
ValuesAndIndices min(const Tensor& x, Int dim, Flag keepdim, Where where) {
  const CompositeGuard composite("min", where);
  check_defined("min", x, where);
  const auto [values, indices] = max(order_reversed(x), dim, keepdim);
  return {order_reversed(values), indices};
}

Tensor argmax(const Tensor& x, Int dim, Flag keepdim, Where where) {
  check_defined("argmax", x, where);
  const int along = checked_dim("argmax", dim, x, where);
  const Tensor index = find_largest("argmax", x, along, where);
  no_derivative("argmax", {&x}, where);
  return keepdim ? index : squeeze(index, along);
}

Tensor argmin(const Tensor& x, Int dim, Flag keepdim, Where where) {
  const CompositeGuard composite("argmin", where);
  check_defined("argmin", x, where);
  const Tensor index = argmax(order_reversed(x.detach()), dim, keepdim);
  no_derivative("argmin", {&x}, where);
  return index;
}

struct Logsumexp final : Node {
  static constexpr OpText text{"logsumexp", "y = log(sum(exp(x)))", "dx = dy * exp(x - y)"};
  Saved x, y;
  Dims dims;
  bool keepdim = false;

  Tensor forward(const Inputs& in) const override { return logsumexp(in[0], dims, keepdim); }
  Grads backward(const Tensor& dy) override {
    const Tensor x_ = use(x);
    const Tensor y_ = with_reduced_dims(use(y), x_.shape(), dims);
    const Tensor dy_ = with_reduced_dims(dy, x_.shape(), dims);
    const Tensor weights = exp(x_ - y_);  // softmax(x)
    return {dy_ * weights};
  }
};
Tensor logsumexp(const Tensor& x, const Dims& dims, Flag keepdim, Where where) {
  check_floating("logsumexp", x, where);
  const Dims over = checked_dims("logsumexp", dims, x, where);
  Tensor y = reduce(x, over, keepdim, {kernels::logsumexp, kernels::logsumexp});
  if (auto* node = record<Logsumexp>(y, {&x}, where)) {
    node->x = node->save(x);
    node->y = node->save(y);
    node->dims = over;
    node->keepdim = keepdim;
  }
  return y;
}

OpList reduce_ops() {
  return list_of<Sum, Mean, MeanSquare, RootMeanSquare, Cumsum, Amax, MaxAlongDim, Logsumexp>();
}

}  // namespace autograd
