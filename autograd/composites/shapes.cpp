// Composites that drop, repeat, pad or cut out elements.
#include <algorithm>

#include "autograd/composites/composites.h"
#include "autograd/ops/op.h"

namespace autograd {

Tensor squeeze(const Tensor& x, Where where) {
  const CompositeGuard composite("squeeze", where);
  check_defined("squeeze", x, where);
  Tensor y = x;
  for (int dim = x.dim() - 1; dim >= 0; --dim) y = squeeze(y, dim);
  return y;
}

Tensor repeat(const Tensor& x, const Shape& repeats, Where where) {
  const CompositeGuard composite("repeat", where);
  check_defined("repeat", x, where);
  if (repeats.dim() < x.dim()) {
    fail_shapes("repeat", x.shape(), repeats, where, "there is not one number for every dim",
                "give a number of repeats for each dim, 1 for those that stay as they are");
  }
  Shape shape = repeats;
  for (int dim = 0; dim < repeats.dim(); ++dim) {
    if (repeats[dim] < 0) {
      fail(ErrorId::bad_argument, "repeat", where, fmt::format("dim {} would be repeated {} times", dim, repeats[dim]),
           "use numbers of 0 or more");
    }
    const int own = dim - (repeats.dim() - x.dim());
    if (own < 0) continue;
    if (__builtin_mul_overflow(repeats[dim], x.shape()[own], &shape[dim])) fail_size("repeat", repeats, where);
  }
  check_size("repeat", shape, where);

  Tensor y = clone(x);
  while (y.dim() < repeats.dim()) y = unsqueeze(y, 0);
  for (int dim = 0; dim < repeats.dim(); ++dim) {
    if (repeats[dim] == 1) continue;
    const Tensor once = unsqueeze(arange(y.shape()[dim], int64), 0);
    const Tensor positions = flatten(expand(once, {repeats[dim], -1}));
    y = index_select(y, dim, positions);
  }
  return y;
}

namespace {

// How far above the main diagonal each element of the last two dims lies, int64 [rows, columns].
Tensor height_above_diagonal(const char* op, const Tensor& x, Where where) {
  const CompositeGuard composite(op, where);
  check_defined(op, x, where);
  if (x.dim() < 2) {
    fail(ErrorId::bad_dim, op, where, fmt::format("{} is not a matrix", x.shape()),
         "give two dims at least; the triangle is one of the last two");
  }
  const Tensor row = arange(x.size(-2), int64);
  const Tensor column = arange(x.size(-1), int64);
  return column - unsqueeze(row, 1);
}

}  // namespace

Tensor tril(const Tensor& x, Int diagonal, Where where) {
  const CompositeGuard composite("tril", where);
  const Tensor height = height_above_diagonal("tril", x, where);
  const Tensor stays = height <= static_cast<double>(diagonal);
  return autograd::where(stays, x, 0.0);
}

Tensor triu(const Tensor& x, Int diagonal, Where where) {
  const CompositeGuard composite("triu", where);
  const Tensor height = height_above_diagonal("triu", x, where);
  const Tensor stays = height >= static_cast<double>(diagonal);
  return autograd::where(stays, x, 0.0);
}

namespace {

// x between `before` and `behind` slices of `value` along dim. Negative numbers cut slices off.
Tensor pad_dim(const Tensor& x, int dim, std::int64_t before, std::int64_t behind, double value, Where where) {
  const std::int64_t size = x.shape()[dim];
  const std::int64_t cut_before = std::min<std::int64_t>(before, 0);
  const std::int64_t cut_behind = std::min<std::int64_t>(behind, 0);
  if (cut_before < -size || cut_behind < -size - cut_before) {
    fail(ErrorId::bad_argument, "pad", where,
         fmt::format("{} and {} cut more than there is off dim {} of {}", before, behind, dim, x.shape()),
         "cut off less than the size of the dim");
  }
  const auto margin = [&](std::int64_t width) {
    Shape shape = x.shape();
    shape[dim] = std::max<std::int64_t>(width, 0);
    return full(shape, value, x.dtype());
  };
  const Tensor rest = narrow(x, dim, -cut_before, size + cut_before + cut_behind);
  return cat({margin(before), rest, margin(behind)}, dim);
}

}  // namespace

Tensor pad(const Tensor& x, const std::vector<std::int64_t>& pad, double value, Where where) {
  const CompositeGuard composite("pad", where);
  check_defined("pad", x, where);
  check_number("pad", value, x.dtype(), where);
  if (pad.size() % 2 != 0 || pad.size() / 2 > static_cast<std::size_t>(x.dim())) {
    fail(ErrorId::bad_argument, "pad", where, fmt::format("{} numbers for a tensor {}", pad.size(), x.shape()),
         "give two numbers for each dim that is to change, those of the last dim first");
  }
  Tensor y = x;
  int dim = x.dim();
  for (std::size_t i = 0; i < pad.size(); i += 2) y = pad_dim(y, --dim, pad[i], pad[i + 1], value, where);
  return y;
}

}  // namespace autograd
