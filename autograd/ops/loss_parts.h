// What losses share: the check of a prediction beside its target, and the last step, in which the losses of single
// elements are kept, summed or averaged.
#pragma once

#include "autograd/ops/ops.h"
#include "autograd/tensor/checks.h"

namespace autograd {

inline void check_pair(const char* op, const Tensor& input, const Tensor& target, Where where) {
  check_floating(op, input, where);
  check_same_dtype(op, input, target, where);
  if (input.shape() == target.shape()) return;
  fail_shapes(op, input.shape(), target.shape(), where, "input and target differ",
              "give one target per prediction: [n] against [n, 1] would compare each with all the others");
}

inline Tensor reduced(const Tensor& losses, Reduction reduction, Where where) {
  switch (reduction) {
    case Reduction::none: return losses;
    case Reduction::sum: return sum(losses, {}, false, where);
    case Reduction::mean: return mean(losses, {}, false, where);
  }
  return losses;
}

}  // namespace autograd
