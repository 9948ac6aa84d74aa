// derivatives of linear layers
#include ANSWER

#include "mine/parts.h"

extern "C" void plug_in(mine::Parts& parts) {
  parts.linear_backward.plug_in(25, [](const Tensor& dy, const Tensor& x, const Tensor& weight) {
    const LinearGradients gradients = linear_backward(dy, x, weight);
    return mine::Tensors{gradients.dx, gradients.dw, gradients.db};
  });
}
