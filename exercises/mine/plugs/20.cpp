// derivative of the attention weights
#include "mine/plug.h"

extern "C" void plug_in(mine::Parts& parts) {
  parts.weights_backward = [](const Tensor& dy, const Tensor& scores, const Tensor& mask) {
    return softmax_vjp(dy, masked_softmax(scores, mask));
  };
}
