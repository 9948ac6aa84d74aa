// x[...]: numbers, slices, new dims and a tensor of positions, composed of select, slice, unsqueeze and index_select.
#include <algorithm>

#include "autograd/composites/composites.h"
#include "autograd/ops/op.h"

namespace autograd {
namespace {

// How many dims of x the indices take; throws if x has fewer.
std::int64_t count_indexed(const Tensor& x, const std::vector<Index>& indices, Where where) {
  const auto count = [&](Index::Kind kind) {
    return std::count_if(indices.begin(), indices.end(), [&](const Index& index) { return index.kind == kind; });
  };
  const auto ellipses = count(Index::Kind::ellipsis);
  const auto tensors = count(Index::Kind::tensor);
  const auto indexed = static_cast<std::int64_t>(indices.size()) - ellipses - count(Index::Kind::new_axis);
  if (indexed > x.dim()) {
    fail(ErrorId::bad_dim, "index", where,
         fmt::format("{} positions for the {} dims of {}", indexed, x.dim(), x.shape()),
         "give at most one position per dim");
  }
  if (ellipses > 1) {
    fail(ErrorId::bad_argument, "index", where, fmt::format("there is more than one ellipsis for {}", x.shape()),
         "keep one: it stands for all dims that are not named");
  }
  if (tensors > 1) {
    fail(ErrorId::bad_argument, "index", where, fmt::format("{} tensors of positions for {}", tensors, x.shape()),
         "use one tensor per index, or gather()");
  }
  return indexed;
}

// The slices of x along dim at `positions`, whose shape takes the place of dim.
Tensor index_with_tensor(const Tensor& x, int dim, const Tensor& positions, Where where) {
  check_defined("index", positions, where);
  if (positions.dtype() == boolean) {
    fail(ErrorId::dtype_mismatch, "index", where, fmt::format("a mask {} instead of positions", positions.shape()),
         "use masked_fill() or where(): they keep the shape");
  }
  check_dtype("index", positions, int64, where);
  Tensor from_the_front = clone(positions);
  std::int64_t* position = pointer<std::int64_t>(from_the_front);
  for (std::int64_t i = 0; i < positions.numel(); ++i) {
    position[i] = checked_position("index", position[i], x.shape(), dim, where);
  }
  const Tensor picked = index_select(x, dim, reshape(from_the_front, positions.numel()));
  if (positions.dim() == 1) return picked;
  Shape shape = x.shape();
  shape.erase(dim);
  for (int i = 0; i < positions.dim(); ++i) shape.insert(dim + i, positions.shape()[i]);
  return reshape(picked, shape);
}

}  // namespace

Tensor index(const Tensor& x, const std::vector<Index>& indices, Where where) {
  const CompositeGuard composite("index", where);
  check_defined("index", x, where);
  const std::int64_t indexed = count_indexed(x, indices, where);
  Tensor y = x;
  int dim = 0;  // of y, to which the next index applies
  for (const Index& one : indices) {
    switch (one.kind) {
      case Index::Kind::number: y = select(y, dim, one.number); break;
      case Index::Kind::slice: {
        const bool everything = one.slice.start == 0 && one.slice.stop == Slice::to_end && one.slice.step == 1;
        if (!everything) y = slice(y, dim, one.slice);
        ++dim;
        break;
      }
      case Index::Kind::ellipsis: dim += static_cast<int>(x.dim() - indexed); break;
      case Index::Kind::new_axis: y = unsqueeze(y, dim++); break;
      case Index::Kind::tensor:
        y = index_with_tensor(y, dim, one.positions, where);
        dim += one.positions.dim();
        break;
    }
  }
  return y.impl() == x.impl() ? reshape(x, x.shape()) : y;  // x[:] is a tensor of its own
}

}  // namespace autograd
