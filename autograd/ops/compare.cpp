// Comparisons and masks, and the ops that choose by a mask: where and masked_fill.
#include <algorithm>
#include <cmath>

#include "autograd/ops/all_ops.h"
#include "autograd/ops/op.h"

namespace autograd {
namespace {

template <class T> using Comparison = void (*)(bool* y, const T* a, const T* b, const kernels::Walk& walk);

Tensor compare(const char* op, const Operand& a, const Operand& b, Where where, const KernelTable<Comparison>& kernel) {
  const TensorPair pair = as_tensors(op, a, b);
  check_same_dtype(op, pair.a, pair.b, where);
  no_derivative(op, {&pair.a, &pair.b}, where);
  const Shape shape = broadcast(op, pair.a.shape(), pair.b.shape(), where);
  Tensor y = make_tensor(shape, boolean);
  const kernels::Walk walk = broadcast_walk(shape, pair.a, pair.b);
  with_type(pair.a.dtype(),
            [&]<class T>(T) { kernel.of<T>()(pointer<bool>(y), pointer<T>(pair.a), pointer<T>(pair.b), walk); });
  return y;
}

Tensor combine(const char* op, const Tensor& a, const Tensor& b, Where where, Comparison<bool> kernel) {
  check_dtype(op, a, boolean, where);
  check_dtype(op, b, boolean, where);
  const Shape shape = broadcast(op, a.shape(), b.shape(), where);
  Tensor y = make_tensor(shape, boolean);
  kernel(pointer<bool>(y), pointer<bool>(a), pointer<bool>(b), broadcast_walk(shape, a, b));
  return y;
}

std::int64_t count_true(const char* op, const Tensor& mask, Where where) {
  check_dtype(op, mask, boolean, where);
  const Tensor mask_ = contiguous_values(mask);
  return kernels::count_true(pointer<bool>(mask_), mask_.numel());
}

}  // namespace

Tensor operator==(const Operand& a, const Operand& b) {
  return compare("==", a, b, b.where(), {kernels::equal, kernels::equal, kernels::equal, kernels::equal});
}
Tensor operator!=(const Operand& a, const Operand& b) {
  return compare("!=", a, b, b.where(),
                 {kernels::not_equal, kernels::not_equal, kernels::not_equal, kernels::not_equal});
}
Tensor operator<(const Operand& a, const Operand& b) {
  return compare("<", a, b, b.where(), {kernels::less, kernels::less, kernels::less, kernels::less});
}
Tensor operator<=(const Operand& a, const Operand& b) {
  return compare("<=", a, b, b.where(),
                 {kernels::less_equal, kernels::less_equal, kernels::less_equal, kernels::less_equal});
}
Tensor operator>(const Operand& a, const Operand& b) {
  return compare(">", b, a, b.where(), {kernels::less, kernels::less, kernels::less, kernels::less});
}
Tensor operator>=(const Operand& a, const Operand& b) {
  return compare(">=", b, a, b.where(),
                 {kernels::less_equal, kernels::less_equal, kernels::less_equal, kernels::less_equal});
}

Tensor logical_and(const Tensor& a, const Tensor& b, Where where) {
  return combine("logical_and", a, b, where, kernels::logical_and);
}

Tensor logical_or(const Tensor& a, const Tensor& b, Where where) {
  return combine("logical_or", a, b, where, kernels::logical_or);
}

Tensor logical_not(const Tensor& x, Where where) {
  check_dtype("logical_not", x, boolean, where);
  const Tensor x_ = contiguous_values(x);
  Tensor y = make_tensor(x.shape(), boolean);
  kernels::logical_not(pointer<bool>(y), pointer<bool>(x_), y.numel());
  return y;
}

Tensor operator!(const Operand& mask) {
  return logical_not(mask.as_tensor(boolean), mask.where());
}

bool any(const Tensor& mask, Where where) {
  return count_true("any", mask, where) > 0;
}

bool all(const Tensor& mask, Where where) {
  return count_true("all", mask, where) == mask.numel();
}

Tensor any(const Tensor& mask, Int dim, Flag keepdim, Where where) {
  const CompositeGuard composite("any", where);
  check_dtype("any", mask, boolean, where);
  return sum(mask, dim, keepdim) > 0.0;
}

Tensor all(const Tensor& mask, Int dim, Flag keepdim, Where where) {
  const CompositeGuard composite("all", where);
  check_dtype("all", mask, boolean, where);
  return sum(!mask, dim, keepdim) == 0.0;
}

bool all_finite(const Tensor& x, Where where) {
  check_floating("all_finite", x, where);
  const Tensor x_ = contiguous_values(x);
  bool result = false;
  with_float_type(x.dtype(), [&]<class T>(T) { result = kernels::all_finite(pointer<T>(x_), x_.numel()); });
  return result;
}

bool allclose(const Tensor& a, const Tensor& b, double rtol, double atol, Where where) {
  check_same_dtype("allclose", a, b, where);
  if (!(rtol >= 0.0 && atol >= 0.0)) {
    fail(ErrorId::bad_argument, "allclose", where, fmt::format("rtol is {}, and atol {}", rtol, atol),
         "use tolerances of 0 or more");
  }
  if (!(a.shape() == b.shape())) return false;
  const std::vector<double> a_ = a.to_vector();
  const std::vector<double> b_ = b.to_vector();
  return std::equal(a_.begin(), a_.end(), b_.begin(), [&](double left, double right) {
    const double difference = std::abs(left - right);
    return left == right || (std::isfinite(difference) && difference <= atol + rtol * std::abs(right));
  });
}

// ---- choosing by a mask ----------------------------------------------------------------------------------

struct WhereOp final : Node {
  static constexpr OpText text{"where", "y = condition ? a : b", "da = condition ? dy : 0, db = condition ? 0 : dy"};
  static constexpr OpKind kind = OpKind::filling;
  static constexpr bool broadcasts = true;
  Saved condition;

  Tensor forward(const Inputs& x) const override { return where(use(condition), x[0], x[1]); }
  Grads backward(const Tensor& dy) override {
    const Tensor da = needs(0) ? where(use(condition), dy, 0.0) : Tensor();
    const Tensor db = needs(1) ? where(use(condition), 0.0, dy) : Tensor();
    return {da, db};
  }
};

Tensor where(const Tensor& condition, const Operand& a, const Operand& b) {
  check_dtype("where", condition, boolean, b.where());
  const TensorPair pair = as_tensors("where", a, b);
  const Where place = pair.where;
  check_same_dtype("where", pair.a, pair.b, place);
  Shape shape = broadcast("where", pair.a.shape(), pair.b.shape(), place);
  shape = broadcast("where", shape, condition.shape(), place);
  Tensor y = make_tensor(shape, pair.a.dtype());
  const kernels::Walk walk = broadcast_walk(shape, condition, pair.a, pair.b);
  with_type(y.dtype(), [&]<class T>(T) {
    kernels::where(pointer<T>(y), pointer<bool>(condition), pointer<T>(pair.a), pointer<T>(pair.b), walk);
  });
  if (auto* node = record<WhereOp>(y, {&pair.a, &pair.b}, place)) node->condition = node->save(condition);
  return y;
}

struct MaskedFill final : Node {
  static constexpr OpText text{"masked_fill", "y = mask ? value : x", "dx = mask ? 0 : dy"};
  static constexpr OpKind kind = OpKind::filling;
  Saved mask;
  double value = 0.0;

  Tensor forward(const Inputs& x) const override { return masked_fill(x[0], use(mask), value); }
  Grads backward(const Tensor& dy) override { return {masked_fill(dy, use(mask), 0.0)}; }
};

Tensor masked_fill(const Tensor& x, const Tensor& mask, const Operand& value) {
  const Where place = value.where();
  const CompositeGuard composite("masked_fill", place);
  check_defined("masked_fill", x, place);
  check_mask("masked_fill", mask, x, place);
  if (value.is_tensor()) {
    check_defined("masked_fill", value.tensor(), place);
    check_same_shape("masked_fill", value.tensor().shape(), {}, place, "the value is more than one number",
                     "give a tensor without dims, or use where(), which broadcasts");
    return where(mask, value, x);
  }
  Tensor y = where(mask, value, x.detach());
  if (auto* node = record<MaskedFill>(y, {&x}, place)) {
    node->mask = node->save(mask);
    node->value = value.number();
  }
  return y;
}

void check_lengths(std::string_view asked, const std::vector<std::int64_t>& lengths, Int batch, Int time, Where where) {
  if (static_cast<std::int64_t>(lengths.size()) != batch) {
    fail(ErrorId::bad_length, asked, where,
         fmt::format("{} lengths for a batch of {} sequences", lengths.size(), batch), "give one length per sequence");
  }
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] >= 1 && lengths[i] <= time) continue;
    const bool is_empty = lengths[i] < 1;
    fail(ErrorId::bad_length, asked, where,
         fmt::format("sequence {} has the length {}, {}", i, lengths[i],
                     is_empty ? "and without a token there is no last state"
                              : fmt::format("but the time dim has size {}", time)),
         fmt::format("every length is from 1 to {}{}", time,
                     is_empty ? "; leave empty sequences out of the batch" : ""));
  }
}

Tensor length_mask(const std::vector<std::int64_t>& lengths, Int size, Where where) {
  const std::int64_t longest = lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
  const std::int64_t width = size > 0 ? std::int64_t{size} : longest;
  for (const std::int64_t length : lengths) {
    if (length >= 0 && length <= width) continue;
    fail(ErrorId::bad_length, "length_mask", where, fmt::format("a length of {} in a batch of width {}", length, width),
         "use lengths from 0 to the width");
  }
  Tensor mask = make_tensor({static_cast<std::int64_t>(lengths.size()), width}, boolean);  // [batch, width]
  bool* row = pointer<bool>(mask);
  for (const std::int64_t length : lengths) {
    for (std::int64_t i = 0; i < width; ++i) row[i] = i < length;
    row += width;
  }
  return mask;
}

OpList compare_ops() {
  return list_of<WhereOp, MaskedFill>();
}

}  // namespace autograd
