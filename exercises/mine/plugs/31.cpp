// the derivatives of that step
#include "mine/plug.h"

// From PyTorch's stacked weights to a matrix for each gate.
static GruWeights weights_from(const mine::StackedWeights& stacked) {
  const mine::Tensors W = stacked.weight_ih.chunk(3, 0);
  const mine::Tensors U = stacked.weight_hh.chunk(3, 0);
  const mine::Tensors b = stacked.bias_ih.chunk(3, 0);
  const mine::Tensors b_h = stacked.bias_hh.chunk(3, 0);
  return {W[0], W[1], W[2], U[0], U[1], U[2], b[0] + b_h[0], b[1] + b_h[1], b[2], b_h[2]};
}

extern "C" void plug_in(mine::Parts& parts) {
  parts.gru_step_backward = [](const Tensor& dy, const Tensor& x, const Tensor& h,
                               const mine::StackedWeights& stacked) {
    const GruWeights weights = weights_from(stacked);
    const GruGradients d = gru_backward(dy, given::gru_forward(x, h, weights), weights);
    return mine::Tensors{d.dx,
                         d.dh,
                         autograd::cat({d.dW_r, d.dW_z, d.dW_n}),
                         autograd::cat({d.dU_r, d.dU_z, d.dU_n}),
                         autograd::cat({d.db_r, d.db_z, d.db_n}),
                         autograd::cat({d.db_r, d.db_z, d.db_hn})};
  };
}
