// The smallest by way of the largest. Private to ops/.
#pragma once

#include "autograd/ops/ops.h"

namespace autograd {

// x with its order reversed: -x, but -1 - x for integers, because the smallest of them has no -x, and !x for a mask.
inline Tensor order_reversed(const Tensor& x) {
  if (x.dtype() == boolean) return !x;
  return x.dtype() == int64 ? -1.0 - x : -x;
}

}  // namespace autograd
