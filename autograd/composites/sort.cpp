// Sorting: a kernel finds the positions, and gather(), which has a derivative, fetches the values.
#include "autograd/composites/composites.h"
#include "autograd/ops/op.h"

namespace autograd {

Tensor argsort(const Tensor& x, Int dim, Flag descending, Where where) {
  const CompositeGuard composite("argsort", where);
  check_defined("argsort", x, where);
  const int along = checked_dim("argsort", dim, x, where);
  no_derivative("argsort", {&x}, where);
  const Tensor rows = contiguous_values(transpose(x.detach(), along, -1));  // [.., n]
  Tensor positions = make_tensor(rows.shape(), int64);                      // likewise
  const std::int64_t n = size_along(x.shape(), along);
  with_type(x.dtype(), [&]<class T>(T) {
    kernels::argsort(pointer<std::int64_t>(positions), pointer<T>(rows), x.numel(), n, descending);
  });
  return contiguous(transpose(positions, along, -1));
}

ValuesAndIndices sort(const Tensor& x, Int dim, Flag descending, Where where) {
  const CompositeGuard composite("sort", where);
  const Tensor indices = argsort(x, dim, descending);
  return {gather(x, dim, indices), indices};
}

ValuesAndIndices topk(const Tensor& x, Int k, Int dim, Flag largest, Where where) {
  check_defined("topk", x, where);
  const int along = checked_dim("topk", dim, x, where);
  const std::int64_t n = size_along(x.shape(), along);
  if (k < 0 || k > n) {
    fail(ErrorId::bad_argument, "topk", where, fmt::format("k is {}, and dim {} of {} has {}", k, along, x.shape(), n),
         "choose a k from 0 to the size of the dim");
  }
  const CompositeGuard composite("topk", where);
  const Tensor order = argsort(x, along, largest);
  const Tensor indices = k == n ? order : contiguous(narrow(order, along, 0, k));
  return {gather(x, along, indices), indices};
}

}  // namespace autograd
