// Shortcuts of the linear layer: the gradient of the weight is added in place, and the forward may use a packed weight.
#include "autograd/ops/matmul.cpp"

#include "autograd/fast/packed_weights.h"
#include "autograd/fast/step.h"

namespace autograd::fast {
namespace {

// May gemm add straight into the sum? For more rows, or a vector, it would add in several parts, in another order than
// the formula. A loop over time, which uses its weights at every step, has few rows.
bool adds_at_once(const Tensor& dy_rows, const Tensor& x_rows) {
  constexpr std::int64_t few_rows = 256;
  return dy_rows.size(0) <= few_rows && dy_rows.size(1) > 1 && x_rows.size(1) > 1;
}

// sum[out, in] += dy^T[out, rows] x[rows, in], without another tensor as large as the weight.
void add_product(const Tensor& sum, const Tensor& dy_rows, const Tensor& x_rows) {
  const Tensor dy_ = contiguous_values(dy_rows);
  const Tensor x_ = contiguous_values(x_rows);
  const std::int64_t out = dy_.size(1);
  const std::int64_t in = x_.size(1);
  with_float_type(sum.dtype(), [&]<class T>(T) {
    kernels::gemm(true, false, out, in, dy_.size(0), pointer<T>(dy_), out, pointer<T>(x_), in, pointer<T>(sum), in,
                  true);
  });
}

bool linear_backward(Linear& node, Step& step) {
  if (!step.needs(1)) return false;
  const Tensor dy_rows = Linear::as_rows(step.dy());
  const Tensor x_rows = Linear::as_rows(node.use(node.x));
  const Tensor sum = step.gradient_so_far(1);
  if (!sum.defined() || !adds_at_once(dy_rows, x_rows)) return false;
  add_product(sum, dy_rows, x_rows);
  if (step.needs(0)) step.hand_on(0, matmul(step.dy(), node.use(node.weight)));
  if (step.needs(2)) step.hand_on(2, autograd::sum(dy_rows, 0));
  return true;
}

bool multiply_packed(const Tensor& y, const Tensor& x, const Tensor& weight, const Tensor& bias) {
  const std::int64_t out = weight.shape()[0];
  const std::int64_t in = weight.shape()[1];
  const std::int64_t rows = y.numel() / std::max<std::int64_t>(out, 1);
  const Tensor packed = PackedWeightsGuard::find(weight, rows);
  if (!packed.defined()) return false;
  with_float_type(x.dtype(), [&]<class T>(T) {
    if (bias.defined()) {
      kernels::gemm_packed_plus_row(rows, out, in, pointer<T>(x), in, pointer<T>(packed), pointer<T>(bias),
                                    pointer<T>(y), out);
    } else {
      kernels::gemm_packed(rows, out, in, pointer<T>(x), in, pointer<T>(packed), pointer<T>(y), out, false);
    }
  });
  return true;
}

[[maybe_unused]] const bool known = [] {
  packed_product.run = multiply_packed;
  return set_shortcut<Linear, linear_backward>();
}();

}  // namespace
}  // namespace autograd::fast
