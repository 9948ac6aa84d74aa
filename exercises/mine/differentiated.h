// A function with a derivative of its own: a node of the tape whose backward is a function that is handed in.
#pragma once

#include <functional>

#include "mine/parts.h"

namespace mine {

// dL/d(inputs), given dy = dL/dy and y. An undefined one stands for none.
using Backward = std::function<Tensors(const Tensor& dy, const Tensor& y)>;

void put_on_tape(Tensor& y, const Tensors& inputs, const Backward& backward);

// y = forward(), which is a function of the inputs, differentiated by `backward`, or, if that is nullptr, by the tape.
template <class Forward> Tensor differentiated(const Tensors& inputs, Forward forward, const Backward& backward) {
  if (!backward) return forward();
  Tensor y;
  {
    const autograd::NoGradGuard no_grad;
    y = forward().detach();
  }
  put_on_tape(y, inputs, backward);
  return y;
}

inline Tensors as_list(const Tensor& gradient) {
  return {gradient};
}
inline Tensors as_list(const Tensors& gradients) {
  return gradients;
}

// The derivative by a part that gets dy and these; none where nothing is plugged in.
template <class Signature, class... Given> Backward by(const Part<Signature>& part, Given... given) {
  if (!part) return nullptr;
  return [&part, given...](const Tensor& dy, const Tensor&) { return as_list(part(dy, given...)); };
}
// By one that gets dy, y and these.
template <class Signature, class... Given> Backward by_output(const Part<Signature>& part, Given... given) {
  if (!part) return nullptr;
  return [&part, given...](const Tensor& dy, const Tensor& y) { return as_list(part(dy, y, given...)); };
}

// What the tape makes of it: dL/d(inputs), given dy = dL/d(forward(inputs)).
Tensors by_tape(const std::function<Tensor(const Tensors& inputs)>& forward, const Tensors& inputs, const Tensor& dy);

}  // namespace mine
