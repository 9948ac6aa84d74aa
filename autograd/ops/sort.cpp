// Sorting: std::stable_sort finds the positions, and gather(), which has a derivative, fetches the values.
#include <algorithm>
#include <numeric>
#include <type_traits>

#include "autograd/ops/op.h"

namespace autograd {
namespace {

// a < b, where NaN counts as larger than all numbers.
template <class T> bool is_less(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) return a < b || (b != b && a == a);
  return a < b;
}

template <class T> void sort_positions(std::int64_t* positions, const T* values, std::int64_t n, bool descending) {
  std::iota(positions, positions + n, std::int64_t{0});
  std::stable_sort(positions, positions + n, [&](std::int64_t a, std::int64_t b) {
    return descending ? is_less(values[b], values[a]) : is_less(values[a], values[b]);
  });
}

}  // namespace

Tensor argsort(const Tensor& x, std::int64_t dim, bool descending, Where where) {
  check_defined("argsort", x, where);
  const int along = checked_dim("argsort", dim, x, where);
  const Tensor rows = contiguous_values(transpose(x.detach(), along, -1, where));  // [.., n]
  Tensor positions = make_tensor(rows.shape(), int64);                             // likewise
  const std::int64_t n = size_along(x.shape(), along);
  with_type(x.dtype(), [&]<class T>(T) {
    for (std::int64_t row = 0; row < x.numel(); row += n) {
      sort_positions(pointer<std::int64_t>(positions) + row, pointer<T>(rows) + row, n, descending);
    }
  });
  return contiguous(transpose(positions, along, -1, where), where);
}

ValuesAndIndices sort(const Tensor& x, std::int64_t dim, bool descending, Where where) {
  const Tensor indices = argsort(x, dim, descending, where);
  return {gather(x, dim, indices, where), indices};
}

ValuesAndIndices topk(const Tensor& x, std::int64_t k, std::int64_t dim, bool largest, Where where) {
  check_defined("topk", x, where);
  const int along = checked_dim("topk", dim, x, where);
  const std::int64_t n = size_along(x.shape(), along);
  if (k < 0 || k > n) {
    fail(ErrorId::bad_argument, "topk", where, fmt::format("k is {}, and dim {} of {} has {}", k, along, x.shape(), n),
         "choose a k from 0 to the size of the dim");
  }
  const Tensor order = argsort(x, along, largest, where);
  const Tensor indices = k == n ? order : contiguous(narrow(order, along, 0, k, where), where);
  return {gather(x, along, indices, where), indices};
}

}  // namespace autograd
