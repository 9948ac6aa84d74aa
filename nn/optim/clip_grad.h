// clip_grad_norm_: limits the norm of the gradients, so that one steep place does not move the parameters far away
// (Pascanu, Mikolov and Bengio 2013, algorithm 1).
#pragma once

#include <autograd/autograd.h>

#include <vector>

namespace nn {

// If the norm of all gradients together, as one vector, is greater than max_norm, scales them all by
// max_norm / (norm + 1e-6), in place. Returns the norm before. norm_type is the p of the p-norm, infinity for the
// largest absolute value. Parameters without a gradient are ignored.
// Throws bad-argument for a norm_type that is not positive, and for a max_norm that is negative or NaN. If it throws,
// no gradient has changed.
double clip_grad_norm_(const std::vector<autograd::Tensor>& parameters, double max_norm, double norm_type = 2.0,
                       autograd::Where where = autograd::Where::current());

}  // namespace nn
