// The last step of a loss: the losses of single elements are kept, summed or averaged.
#pragma once

#include "autograd/ops/ops.h"

namespace autograd {

inline Tensor reduced(const Tensor& losses, Reduction reduction, Where where) {
  switch (reduction) {
    case Reduction::none: return losses;
    case Reduction::sum: return sum(losses, {}, false, where);
    case Reduction::mean: return mean(losses, {}, false, where);
  }
  return losses;
}

}  // namespace autograd
