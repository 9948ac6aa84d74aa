// What is only a part of other ops. Private to ops/ and composites/.
#pragma once

#include "autograd/ops/ops.h"

namespace autograd {

// sum(x^2) / n, for any n (var, mse_loss)
Tensor mean_square(const Tensor& x, const Dims& dims, double n, bool keepdim, Where where = Where::current());
// sqrt(sum(x^2) / n + eps); where this is 0, so is the gradient (norm, std, layer_norm)
Tensor root_mean_square(const Tensor& x, const Dims& dims, double n, double eps, bool keepdim,
                        Where where = Where::current());
// x * log(x), and 0 at 0, where the slope is -infinity (kl_div)
Tensor xlogx(const Tensor& x, Where where = Where::current());

// Throws unless input and target have one dtype, floating point, and one shape.
void check_pair(const char* op, const Tensor& input, const Tensor& target, Where where);
// The last step of a loss: those of single elements are kept, summed or averaged.
Tensor reduced(const Tensor& losses, Reduction reduction);

}  // namespace autograd
