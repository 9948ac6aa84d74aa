// the context, and its derivatives
#include "mine/plug.h"

extern "C" void plug_in(mine::Parts& parts) {
  parts.context = [](const Tensor& alpha, const Tensor& values) { return context_vector(alpha, {values, Tensor()}); };
  parts.context_backward = [](const Tensor& dc, const Tensor& alpha, const Tensor& values) {
    const ContextGradients gradients = context_backward(dc, alpha, {values, Tensor()});
    return mine::Tensors{gradients.d_alpha, gradients.d_states};
  };
}
