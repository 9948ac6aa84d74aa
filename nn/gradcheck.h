// gradcheck for modules: checks the gradients of every parameter and of the given inputs.
//
//   nn::AdditiveAttention attention({...});
//   EXPECT_TRUE(nn::gradcheck(attention, [&] { return attention(state, outputs, mask).context; }, {state, outputs}));
#pragma once

#include <autograd/gradcheck/gradcheck.h>

#include <functional>
#include <vector>

#include "nn/layers/module.h"

namespace nn {

// Checks the gradient of `output` (any shape; it is contracted with a random cotangent) with respect to every parameter
// of `module` that requires gradients, under its dotted name, and to those of `inputs` that do, or to all floating
// ones of `inputs` if none of them does. Parameters, floating buffers and `inputs` are float64 during the check and are
// given back with their own bits, whatever the forward pass did to them. See autograd/gradcheck/gradcheck.h for the
// rest. Dropout: call module.eval() first, or pass {.reseed = true}.
//
// `output` uses the inputs by capture. Every floating tensor that it uses besides the module must be among `inputs`,
// because float32 and float64 never mix; throws dtype-mismatch otherwise.
autograd::GradcheckReport gradcheck(const Module& module, const std::function<Tensor()>& output,
                                    const std::vector<Tensor>& inputs = {},
                                    const autograd::GradcheckOptions& options = {}, Where where = Where::current());

}  // namespace nn
