#include "mine/layers.h"

#include "mine/differentiated.h"
#include "mine/ops.h"

namespace mine::layers {

// ---- recurrent -----------------------------------------------------------------------------------------------------

Tensor rnn_by_ops(const Tensor& x, const Tensor& mask, const RnnWeights& weights) {
  const std::int64_t batch = x.size(0);
  const std::int64_t size = weights.weight_hh.size(0);
  const Tensor from_x = ops::linear(x.reshape({-1, x.size(2)}), weights.weight_ih, weights.bias);
  const Tensor by_time = from_x.reshape({batch, x.size(1), size});
  Tensor h = autograd::zeros({batch, size}, x.dtype());
  Tensors states;
  for (std::int64_t t = 0; t < x.size(1); ++t) {
    const Tensor now = ops::narrow(by_time, 1, t, 1).reshape({batch, size});
    const Tensor read = tanh(ops::add(now, ops::matmul(h, ops::transpose(weights.weight_hh, 0, 1))));
    h = ops::multiply(read, mask.narrow(1, t, 1));
    states.push_back(h);
  }
  return ops::stack(states, 1);
}

Tensor rnn(const Tensor& x, const RnnWeights& weights) {
  const Tensor h0 = autograd::zeros({x.size(0), weights.weight_hh.size(0)}, x.dtype());
  const Tensor by_time = x.transpose(0, 1);  // [time, batch, in]
  const Tensor states = differentiated(
      {by_time, weights.weight_ih, weights.weight_hh, weights.bias}, [&] { return parts.rnn(by_time, h0, weights); },
      by_output(parts.rnn_backward, by_time, h0, weights));
  return states.transpose(0, 1);
}

Tensor gru_step_by_ops(const Tensor& x, const Tensor& h, const StackedWeights& weights) {
  const std::int64_t size = h.size(1);
  const Tensor from_x = ops::linear(x, weights.weight_ih, weights.bias_ih);
  const Tensor from_h = ops::linear(h, weights.weight_hh, weights.bias_hh);
  const auto gate = [&](const Tensor& all, int i) { return ops::narrow(all, 1, i * size, size); };
  const Tensor r = sigmoid(ops::add(gate(from_x, 0), gate(from_h, 0)));
  const Tensor z = sigmoid(ops::add(gate(from_x, 1), gate(from_h, 1)));
  const Tensor n = tanh(ops::add(gate(from_x, 2), ops::multiply(r, gate(from_h, 2))));
  return ops::add(n, ops::multiply(z, ops::subtract(h, n)));  // (1 - z) n + z h
}

Tensor gru_step(const Tensor& x, const Tensor& h, const StackedWeights& weights) {
  return differentiated(
      {x, h, weights.weight_ih, weights.weight_hh, weights.bias_ih, weights.bias_hh},
      [&] { return parts.gru_step(x, h, weights); }, by(parts.gru_step_backward, x, h, weights));
}

// ---- attention -----------------------------------------------------------------------------------------------------

Attended attend_by_ops(const Tensor& query, const Tensor& H, const Tensor& mask, const AttentionWeights& weights) {
  const std::int64_t batch = H.size(0);
  const std::int64_t source = H.size(1);
  const Tensor keys = ops::matmul(H, ops::transpose(weights.U, 0, 1));
  const Tensor from_query = ops::linear(query, weights.W).reshape({batch, 1, weights.W.size(0)});
  const Tensor hidden = tanh(ops::add(from_query, keys));
  const Tensor scores = ops::matmul(hidden, weights.v.reshape({-1, 1})).reshape({batch, source});
  const Tensor alpha = ops::masked_weights(scores, mask);
  return {ops::sum(ops::multiply(alpha.reshape({batch, source, 1}), H), 1), alpha};
}

Tensor attend(const Tensor& query, const Tensor& keys, const Tensor& values, const Tensor& mask, const Tensor& W,
              const Tensor& v) {
  const Tensor alpha = [&] {
    const autograd::NoGradGuard no_grad;
    return parts.attention_weights(parts.score(query, keys, W, v), mask);
  }();
  const Backward backward = [=](const Tensor& dc, const Tensor& c) {
    const Tensors of_context = parts.context_backward(dc, alpha, values);
    const Tensors of_score = parts.score_backward(of_context[0], alpha, query, keys, W, v);
    Tensors of_states = {of_context[1], of_score[1]};  // as values and as keys
    if (parts.state_gradients) of_states = parts.state_gradients(dc, alpha, c, query, keys, values, W, v);
    return Tensors{of_score[0], of_states[1], of_states[0], of_score[2], of_score[3]};
  };
  return differentiated(
      {query, keys, values, W, v}, [&] { return parts.context(alpha, values); }, backward);
}

// ---- the decoder ---------------------------------------------------------------------------------------------------

// The node of one that is plugged in has one output: logits and state side by side.
Step decoder_step(const Tensors& in) {
  if (!parts.decoder_step) {
    using namespace step_input;
    const auto [context, weights] = attend_by_ops(in[state], in[H], in[mask], {in[W], in[U], in[v]});
    const Tensor next = gru_step_by_ops(ops::cat({in[word], context}, 1), in[state],
                                        {in[weight_ih], in[weight_hh], in[bias_ih], in[bias_hh]});
    const Tensor logits = ops::linear(ops::cat({next, context, in[word]}, 1), in[readout], in[readout_bias]);
    return {logits, next, context, weights};
  }
  Step made;
  {
    const autograd::NoGradGuard no_grad;
    made = parts.decoder_step(in);
  }
  const std::int64_t classes = in[step_input::readout].size(0);
  const std::int64_t size = in[step_input::state].size(1);
  const Backward backward = [=](const Tensor& dy, const Tensor&) {
    return parts.decoder_step_backward(dy.narrow(1, 0, classes), dy.narrow(1, classes, size), made, in);
  };
  const Tensor both = differentiated(
      in,
      [&] {
        return autograd::cat({made.logits, made.state}, 1);
      },
      backward);
  return {both.narrow(1, 0, classes), both.narrow(1, classes, size), made.context, made.weights};
}

Tensor memory_step(const Tensor& word, const Tensor& state, const Tensor& keys, const Tensor& values,
                   const Tensor& mask, const Tensors& weights) {
  const Tensor context = attend(state, keys, values, mask, weights[0], weights[1]);
  const Tensor no_bias = autograd::zeros({weights[2].size(0)}, word.dtype());
  return gru_step(autograd::cat({word, context}, 1), state, {weights[2], weights[3], no_bias, no_bias});
}

Tensor decode(const Tensors& in) {
  const auto forward = [&] {
    if (parts.decode) return parts.decode(in);
    using namespace decode_input;
    const Tensor keys = linear(in[H], in[U]);
    Tensor now = in[state];
    Tensors states;
    for (std::int64_t t = 0; t < in[words].size(1); ++t) {
      const Tensors weights = {in[W], in[v], in[weight_ih], in[weight_hh]};
      now = memory_step(in[words].select(1, t), now, keys, in[H], in[mask], weights);
      states.push_back(now);
    }
    return autograd::stack(states, 1);
  };
  return differentiated(in, forward, by_output(parts.decode_backward, in));
}

}  // namespace mine::layers
