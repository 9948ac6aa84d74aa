// the way back through weights and scores
#include ANSWER

#include "mine/parts.h"

// The exercise's states become keys by U. Here they are keys already, so U is 1.
extern "C" void plug_in(mine::Parts& parts) {
  parts.score_backward.plug_in(35, [](const Tensor& d_alpha, const Tensor& alpha, const Tensor& s, const Tensor& keys,
                                      const Tensor& W, const Tensor& v) {
    const ScoreWeights weights = {W, autograd::eye(keys.size(2), keys.dtype()), v};
    const Tensor hidden = tanh(linear(s, W).unsqueeze(1) + keys);
    const ScoreGradients gradients = score_backward(d_alpha, {s, keys, hidden, alpha}, weights);
    return mine::Tensors{gradients.d_s, gradients.d_states, gradients.dW, gradients.dv};
  });
}
