// Matrix products: matmul, bmm and linear, each a call of the gemm kernel.
#include "autograd/ops/all_ops.h"
#include "autograd/ops/op.h"

namespace autograd {
namespace {

// The sizes, or strides, of all dims but the last two.
Shape leading(Shape sizes) {
  sizes.truncate(sizes.dim() - 2);
  return sizes;
}

// Where the i-th matrix of a batch begins, by the strides that lead from matrix to matrix.
std::int64_t offset_of(std::int64_t i, const Shape& batch, const Strides& strides) {
  const Shape at = coordinates(batch, i);
  std::int64_t offset = 0;
  for (int dim = 0; dim < batch.dim(); ++dim) offset += at[dim] * strides[dim];
  return offset;
}

// y[.., m, n] = a[.., m, k] b[.., k, n] for each matrix of `batch`; not recorded.
Tensor multiply(const Tensor& a, const Tensor& b, const Shape& batch) {
  const std::int64_t m = a.shape()[a.dim() - 2];
  const std::int64_t k = a.shape()[a.dim() - 1];
  const std::int64_t n = b.shape()[b.dim() - 1];
  const Tensor a_ = as_matrices(a);
  const Tensor b_ = as_matrices(b);
  const MatrixLayout a_layout = layout_of(a_);
  const MatrixLayout b_layout = layout_of(b_);
  const Strides a_steps = expanded_strides(leading(a_.shape()), leading(a_.strides()), batch);
  const Strides b_steps = expanded_strides(leading(b_.shape()), leading(b_.strides()), batch);
  Shape shape = batch;
  shape.push_back(m);
  shape.push_back(n);
  Tensor y = make_tensor(shape, a.dtype());
  with_float_type(a.dtype(), [&]<class T>(T) {
    const std::int64_t matrices = y.numel() == 0 ? 0 : batch.numel();
    for (std::int64_t i = 0; i < matrices; ++i) {
      const T* a_i = pointer<T>(a_) + offset_of(i, batch, a_steps);
      const T* b_i = pointer<T>(b_) + offset_of(i, batch, b_steps);
      kernels::gemm(a_layout.transposed, b_layout.transposed, m, n, k, a_i, a_layout.leading, b_i, b_layout.leading,
                    pointer<T>(y) + i * m * n, n, false);
    }
  });
  return y;
}

// What would make the shapes fit. To transpose is advised only where it helps.
const char* what_fits(const Tensor& a, const Tensor& b) {
  const auto rows_of = [](const Tensor& x) { return x.shape()[x.dim() - 2]; };
  const bool first_transposed = a.dim() > 1 && rows_of(a) == b.shape()[std::max(b.dim() - 2, 0)];
  const bool second_transposed = b.dim() > 1 && a.shape().back() == b.shape().back();
  if (first_transposed || second_transposed) return "transpose one of them, or check which dim holds the features";
  if (a.dim() > 1 && b.dim() > 1 && rows_of(a) == b.shape().back())
    return "exchange the two factors, or check which dim holds the features";
  return "check which dim holds the features";
}

// Each is a vector, a matrix or a batch of matrices.
void check_inner(const char* op, const Tensor& a, const Tensor& b, Where where) {
  const std::int64_t columns = a.shape().back();
  const std::int64_t rows = b.shape()[std::max(b.dim() - 2, 0)];
  if (columns == rows) return;
  fail(ErrorId::shape_mismatch, op, where,
       fmt::format("{} times {}: the {} {} of the first do not meet the {} {} of the second", a.shape(), b.shape(),
                   columns, a.dim() == 1 ? "entries" : "columns", rows, b.dim() == 1 ? "entries" : "rows"),
       what_fits(a, b));
}

Tensor matrix_transpose(const Tensor& x) {
  return x.transpose(-2, -1);
}

}  // namespace

struct Matmul final : Node {
  static constexpr OpText text{"matmul", "Y = A B", "dA = dY B^T, dB = A^T dY"};
  static constexpr OpKind kind = OpKind::product;
  static constexpr bool broadcasts = true;  // along the leading dims
  Saved a, b;

  Tensor forward(const Inputs& x) const override { return matmul(x[0], x[1]); }
  Grads backward(const Tensor& dy) override {
    // dA [m, k] = dY [m, n] B^T [n, k];  dB [k, n] = A^T [k, m] dY [m, n]
    const Tensor da = needs(0) ? matmul(dy, matrix_transpose(use(b))) : Tensor();
    const Tensor db = needs(1) ? matmul(matrix_transpose(use(a)), dy) : Tensor();
    return {da, db};
  }
};

namespace {

// Both operands have two dims or more, and their inner sizes agree.
Tensor matmul_matrices(const Tensor& a, const Tensor& b, Where where) {
  Tensor y = multiply(a, b, broadcast("matmul", leading(a.shape()), leading(b.shape()), where));
  if (auto* node = record<Matmul>(y, {&a, &b}, where)) {
    if (node->needs(1)) node->a = node->save(a);
    if (node->needs(0)) node->b = node->save(b);
  }
  return y;
}

// [.., m, k] x [k, n]: all rows of all matrices in one product.
Tensor matmul_folded(const Tensor& a, const Tensor& b, Where where) {
  Shape shape = a.shape();
  shape[shape.dim() - 1] = b.shape()[1];
  const std::int64_t columns = a.shape().back();
  const std::int64_t rows =
      columns == 0 ? shape.numel() / std::max<std::int64_t>(shape.back(), 1) : a.numel() / columns;
  return matmul_matrices(a.reshape({rows, columns}), b, where).reshape(shape);
}

}  // namespace

Tensor matmul(const Tensor& a, const Tensor& b, Where where) {
  const CompositeGuard composite("matmul", where);
  check_same_dtype("matmul", a, b, where);
  check_floating("matmul", a, where);
  if (a.dim() == 0 || b.dim() == 0) {
    fail_shapes("matmul", a.shape(), b.shape(), where, "a single number is not a vector or a matrix",
                "multiply with *");
  }
  check_inner("matmul", a, b, where);
  const bool row = a.dim() == 1;
  const bool column = b.dim() == 1;
  const Tensor a_ = row ? a.unsqueeze(0) : a;
  const Tensor b_ = column ? b.unsqueeze(1) : b;
  const bool foldable = a_.dim() > 2 && b_.dim() == 2 && a_.is_contiguous();
  Tensor y = foldable ? matmul_folded(a_, b_, where) : matmul_matrices(a_, b_, where);
  if (column) y = y.squeeze(-1);
  if (row) y = y.squeeze(column ? -1 : -2);
  return y;
}

struct Bmm final : Node {
  static constexpr OpText text{"bmm", "Y_i = A_i B_i", "dA_i = dY_i B_i^T, dB_i = A_i^T dY_i"};
  static constexpr OpKind kind = OpKind::product;
  Saved a, b;

  Tensor forward(const Inputs& x) const override { return bmm(x[0], x[1]); }
  Grads backward(const Tensor& dy) override {
    const Tensor da = needs(0) ? bmm(dy, matrix_transpose(use(b))) : Tensor();
    const Tensor db = needs(1) ? bmm(matrix_transpose(use(a)), dy) : Tensor();
    return {da, db};
  }
};

Tensor bmm(const Tensor& a, const Tensor& b, Where where) {
  check_same_dtype("bmm", a, b, where);
  check_floating("bmm", a, where);
  if (a.dim() != 3 || b.dim() != 3) {
    fail_shapes("bmm", a.shape(), b.shape(), where, "two batches of matrices were expected, with three dims each",
                "give [batch, m, k] and [batch, k, n]; unsqueeze(1) makes rows [batch, k] into matrices [batch, 1, k]");
  }
  if (a.shape()[0] != b.shape()[0]) {
    fail_shapes("bmm", a.shape(), b.shape(), where,
                fmt::format("a batch of {} matrices meets one of {}", a.shape()[0], b.shape()[0]),
                "check that both are from the same batch; matmul() repeats a batch of one");
  }
  check_inner("bmm", a, b, where);
  Tensor y = multiply(a, b, {a.shape()[0]});
  if (auto* node = record<Bmm>(y, {&a, &b}, where)) {
    if (node->needs(1)) node->a = node->save(a);
    if (node->needs(0)) node->b = node->save(b);
  }
  return y;
}

struct Linear final : Node {
  static constexpr OpText text{"linear", "y = x W^T + b", "dx = dy W, dW = dy^T x, db = sum of dy over the rows"};
  static constexpr OpKind kind = OpKind::product;
  Saved x, weight;

  Tensor forward(const Inputs& in) const override { return linear(in[0], in[1], in[2]); }
  Grads backward(const Tensor& dy) override {
    const Tensor dy_rows = as_rows(dy);  // [rows, out]
    const Tensor dx = needs(0) ? matmul(dy, use(weight)) : Tensor();
    const Tensor dweight = needs(1) ? matmul(dy_rows.t(), as_rows(use(x))) : Tensor();  // [out, rows] x [rows, in]
    const Tensor dbias = needs(2) ? sum(dy_rows, 0) : Tensor();
    return {dx, dweight, dbias};
  }

  static Tensor as_rows(const Tensor& x) { return x.dim() == 2 ? x : x.flatten(0, -2); }
};

namespace {

void check_linear(const Tensor& x, const Tensor& weight, const Tensor& bias, Where where) {
  check_same_dtype("linear", x, weight, where);
  check_floating("linear", x, where);
  if (x.dim() < 2 || weight.dim() != 2 || x.shape().back() != weight.shape()[1]) {
    fail(ErrorId::shape_mismatch, "linear", where,
         fmt::format("x {} does not end in the {} of weight {}", x.shape(),
                     weight.dim() == 2 ? fmt::format("{} inputs", weight.shape()[1]) : "inputs", weight.shape()),
         "weight is [out, in]; x is [.., in]");
  }
  if (!bias.defined()) return;
  check_same_dtype("linear", x, bias, where);
  if (bias.dim() != 1 || bias.shape()[0] != weight.shape()[0]) {
    fail_shapes("linear", weight.shape(), bias.shape(), where, "weight [out, in] and bias do not have the same out",
                "give a bias of [out]");
  }
}

// y[row, out] = x[row, in] W^T[in, out] + b[out]
template <class T> void compute_linear(const Tensor& y, const Tensor& x, const Tensor& weight, const Tensor& bias) {
  const std::int64_t out = weight.shape()[0];
  const std::int64_t in = weight.shape()[1];
  const std::int64_t rows = y.numel() / std::max<std::int64_t>(out, 1);
  const Tensor weight_ = as_matrices(weight);
  const MatrixLayout layout = layout_of(weight_);
  if (bias.defined()) {
    kernels::gemm_plus_row(!layout.transposed, rows, out, in, pointer<T>(x), in, pointer<T>(weight_), layout.leading,
                           pointer<T>(bias), pointer<T>(y), out);
  } else {
    kernels::gemm(false, !layout.transposed, rows, out, in, pointer<T>(x), in, pointer<T>(weight_), layout.leading,
                  pointer<T>(y), out, false);
  }
}

}  // namespace

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias, Where where) {
  if (x.defined() && x.dim() == 1) {
    const CompositeGuard composite("linear", where);
    return linear(x.unsqueeze(0), weight, bias).squeeze(0);
  }
  check_linear(x, weight, bias, where);
  Shape shape = x.shape();
  shape[shape.dim() - 1] = weight.shape()[0];
  Tensor y = make_tensor(shape, x.dtype());
  const Tensor x_ = contiguous_values(x);
  const Tensor bias_ = bias.defined() ? contiguous_values(bias) : bias;
  with_float_type(x.dtype(), [&]<class T>(T) { compute_linear<T>(y, x_, weight, bias_); });
  if (auto* node = record<Linear>(y, {&x, &weight, &bias}, where)) {
    if (node->needs(1)) node->x = node->save(x);
    if (node->needs(0)) node->weight = node->save(weight);
  }
  return y;
}

OpList matmul_ops() {
  return list_of<Matmul, Bmm, Linear>();
}

}  // namespace autograd
