// Wrong: the loop backwards counts with std::size_t, so that t >= 0 always holds and t wraps around to 2^64 - 1 after
// 0.
#include "given.h"

Tensor rnn_forward(const Tensor& x, const Tensor& h0, const RnnWeights& weights) {
  Tensor h = h0;
  std::vector<Tensor> states;
  for (std::int64_t t = 0; t < x.size(0); ++t) {
    h = tanh(linear(x[t], weights.weight_ih, weights.bias) + linear(h, weights.weight_hh));
    states.push_back(h);
  }
  return autograd::stack(states);
}

RnnGradients rnn_backward(const Tensor& d_states, const Tensor& x, const Tensor& h0, const Tensor& states,
                          const RnnWeights& weights) {
  Tensor d_weight_ih = zeros_like(weights.weight_ih);
  Tensor d_weight_hh = zeros_like(weights.weight_hh);
  Tensor d_bias = zeros_like(weights.bias);
  const std::size_t time = x.size(0);
  std::vector<Tensor> dx;
  Tensor dh_next = zeros_like(h0);
  for (std::size_t t = time - 1; t >= 0; --t) {
    const Tensor before = t == 0 ? h0 : states[t - 1];
    const Tensor dh = d_states[t] + dh_next;
    probe("dh", dh);
    const Tensor da = dh * (1.0 - states[t] * states[t]);
    probe("da", da);
    dx.insert(dx.begin(), matmul(da, weights.weight_ih));
    d_weight_ih = d_weight_ih + matmul(da.t(), x[t]);
    d_weight_hh = d_weight_hh + matmul(da.t(), before);
    d_bias = d_bias + da.sum({0});
    dh_next = matmul(da, weights.weight_hh);
  }
  return {autograd::stack(dx), dh_next, d_weight_ih, d_weight_hh, d_bias};
}
