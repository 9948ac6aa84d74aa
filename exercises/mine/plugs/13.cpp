// derivatives where shapes broadcast
#include ANSWER

#include "mine/parts.h"

extern "C" void plug_in(mine::Parts& parts) {
  parts.unbroadcast.plug_in(13, [](const Tensor& dy, const Shape& shape) { return unbroadcast(dy, shape); });
  parts.product_backward.plug_in(13, [](const Tensor& dy, const Tensor& a, const Tensor& b) {
    const ProductGradients gradients = product_backward(dy, a, b);
    return mine::Tensors{gradients.da, gradients.db};
  });
}
