// What every file of ops/ starts from.
#pragma once

#include "autograd/kernels/kernels.h"
#include "autograd/ops/ops.h"
#include "autograd/tape/backward.h"
#include "autograd/tape/node.h"
#include "autograd/tensor/checks.h"
#include "autograd/tensor/kernel_arguments.h"

namespace autograd {

// May a derivative be computed by a kernel of its own, in one pass over memory? The formula in tensor ops, which gives
// the same bits, is for when it is recorded itself.
inline bool one_pass_will_do() {
  return !grad_enabled() && !every_backward_runs;
}

}  // namespace autograd
