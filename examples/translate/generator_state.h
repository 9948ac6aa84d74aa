// The state of a random generator as a tensor [6] of int64, for files.
#pragma once

#include <autograd/autograd.h>
#include <autograd/tensor/random.h>

namespace translate {

autograd::Tensor to_tensor(const autograd::Generator::State& state);
// Throws bad-file for a tensor that is no such state.
autograd::Generator::State generator_state(const autograd::Tensor& tensor);

}  // namespace translate
