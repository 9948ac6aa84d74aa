// what comes back to each state, as value and as key
#include "mine/plug.h"

// The exercise's states become keys by U. Here they are keys already, so U is 1.
extern "C" void plug_in(mine::Parts& parts) {
  parts.state_gradients = [](const Tensor& dc, const Tensor& alpha, const Tensor& c, const Tensor& s,
                             const Tensor& keys, const Tensor& values, const Tensor& W, const Tensor& v) {
    const AttentionWeights weights = {W, autograd::eye(keys.size(2), keys.dtype()), v};
    const AttentionStep step = {values, given::attention_hidden(s, keys, weights), alpha, c};
    const StateGradients gradients = state_gradients(dc, step, weights);
    return mine::Tensors{gradients.as_value, gradients.as_key};
  };
}
