// A function with a derivative of its own: a node of the tape whose backward is a function that is handed in.
#pragma once

#include <functional>

#include "mine/parts.h"

namespace mine {

using Forward = std::function<Tensor(const Tensors& inputs)>;
using Backward = std::function<Tensors(const Tensor& dy, const Tensor& y, const Tensors& inputs)>;

// y = forward(inputs), differentiated by `backward`, or, if that is nullptr, by the tape. An undefined gradient
// stands for none.
Tensor differentiated(const Tensors& inputs, const Forward& forward, const Backward& backward);

// What the tape makes of it: dL/d(inputs), given dy = dL/d(forward(inputs)).
Tensors by_tape(const Forward& forward, const Tensors& inputs, const Tensor& dy);

}  // namespace mine
