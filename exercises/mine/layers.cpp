#include "mine/layers.h"

#include <memory>

#include "mine/differentiated.h"
#include "mine/ops.h"

namespace mine::layers {

// ---- recurrent -----------------------------------------------------------------------------------------------------

Tensor gru_step_by_ops(const Tensor& x, const Tensor& h, const Tensors& weights) {
  const std::int64_t size = h.size(1);
  const Tensor from_x = ops::linear(x, weights[0], weights[2]);
  const Tensor from_h = ops::linear(h, weights[1], weights[3]);
  const auto gate = [&](const Tensor& all, int i) { return ops::narrow(all, 1, i * size, size); };
  const Tensor r = sigmoid(ops::add(gate(from_x, 0), gate(from_h, 0)));
  const Tensor z = sigmoid(ops::add(gate(from_x, 1), gate(from_h, 1)));
  const Tensor n = tanh(ops::add(gate(from_x, 2), ops::multiply(r, gate(from_h, 2))));
  return ops::add(n, ops::multiply(z, ops::subtract(h, n)));  // (1 - z) n + z h
}

Tensor gru_step(const Tensor& x, const Tensor& h, const Tensors& weights) {
  const auto forward = [](const Tensors& in) {
    const Tensors w(in.begin() + 2, in.end());
    if (parts.gru_step) return parts.gru_step(in[0], in[1], w);
    return gru_gates(linear(in[0], w[0], w[2]), linear(in[1], w[1], w[3]), in[1]);
  };
  const auto backward = [](const Tensor& dy, const Tensor&, const Tensors& in) {
    return parts.gru_step_backward(dy, in[0], in[1], Tensors(in.begin() + 2, in.end()));
  };
  return differentiated({x, h, weights[0], weights[1], weights[2], weights[3]}, forward,
                        parts.gru_step_backward ? Backward(backward) : Backward());
}

Tensor rnn_by_ops(const Tensor& x, const Tensors& weights) {
  const std::int64_t batch = x.size(0);
  const std::int64_t size = weights[1].size(0);
  const Tensor from_x =
      ops::linear(x.reshape({-1, x.size(2)}), weights[0], weights[2]).reshape({batch, x.size(1), size});
  Tensor h = autograd::zeros({batch, size}, x.dtype());
  Tensors states;
  for (std::int64_t t = 0; t < x.size(1); ++t) {
    const Tensor now = ops::narrow(from_x, 1, t, 1).reshape({batch, size});
    h = tanh(ops::add(now, ops::matmul(h, ops::transpose(weights[1], 0, 1))));
    states.push_back(h);
  }
  return ops::stack(states, 1);
}

Tensor rnn(const Tensor& x, const Tensors& weights) {
  if (!parts.rnn && !parts.rnn_backward) return rnn_by_ops(x, weights);
  const Tensor h0 = autograd::zeros({x.size(0), weights[1].size(0)}, x.dtype());
  const auto forward = [h0](const Tensors& in) { return parts.rnn(in[0], h0, Tensors(in.begin() + 1, in.end())); };
  const auto backward = [h0](const Tensor& dy, const Tensor& y, const Tensors& in) {
    return parts.rnn_backward(dy, y, in[0], h0, Tensors(in.begin() + 1, in.end()));
  };
  const Tensor by_time = ops::transpose(x, 0, 1);  // [time, batch, in]
  const Tensor states = differentiated({by_time, weights[0], weights[1], weights[2]}, forward, backward);
  return ops::transpose(states, 0, 1);
}

Tensor reverse_tokens(const Tensor& x, const Lengths& lengths) {
  if (parts.reverse_tokens) return parts.reverse_tokens(x, lengths);
  Tensors sentences;
  for (std::int64_t n = 0; n < x.size(0); ++n) {
    const std::int64_t length = lengths[static_cast<std::size_t>(n)];
    const Tensor tokens = autograd::flip(x[n].narrow(0, 0, length), {0});
    sentences.push_back(autograd::cat({tokens, x[n].narrow(0, length, x.size(1) - length)}));
  }
  return autograd::stack(sentences);
}

// ---- attention -----------------------------------------------------------------------------------------------------

Attended attend_by_ops(const Tensor& query, const Tensor& H, const Tensor& mask, const Tensors& weights) {
  const Tensor& W = weights[0];
  const Tensor& U = weights[1];
  const Tensor& v = weights[2];
  const std::int64_t batch = H.size(0);
  const std::int64_t source = H.size(1);
  const Tensor keys = ops::matmul(H, ops::transpose(U, 0, 1));
  const Tensor from_query = ops::linear(query, W).reshape({batch, 1, W.size(0)});
  const Tensor hidden = tanh(ops::add(from_query, keys));
  const Tensor scores = ops::matmul(hidden, v.reshape({-1, 1})).reshape({batch, source});
  const Tensor alpha = ops::masked_weights(scores, mask);
  return {ops::sum(ops::multiply(alpha.reshape({batch, source, 1}), H), 1), alpha};
}

namespace {

Tensor score(const Tensor& query, const Tensor& keys, const Tensor& W, const Tensor& v) {
  if (parts.score) return parts.score(query, keys, W, v);
  return additive_score(linear(query, W), keys, v);
}

Tensor weights_of(const Tensor& scores, const Tensor& mask) {
  const auto forward = [mask](const Tensors& in) {
    return parts.attention_weights ? parts.attention_weights(in[0], mask) : masked_softmax(in[0], mask);
  };
  const auto backward = [mask](const Tensor& dy, const Tensor&, const Tensors& in) {
    return Tensors{parts.weights_backward(dy, in[0], mask)};
  };
  return differentiated({scores}, forward, parts.weights_backward ? Backward(backward) : Backward());
}

Tensor context(const Tensor& alpha, const Tensor& values) {
  const auto forward = [](const Tensors& in) {
    return parts.context ? parts.context(in[0], in[1]) : bmm(in[0].unsqueeze(1), in[1]).squeeze(1);
  };
  const auto backward = [](const Tensor& dy, const Tensor&, const Tensors& in) {
    return parts.context_backward(dy, in[0], in[1]);
  };
  return differentiated({alpha, values}, forward, parts.context_backward ? Backward(backward) : Backward());
}

// The gradients of alpha and the values.
Tensors context_gradients(const Tensor& dc, const Tensor& alpha, const Tensor& values) {
  if (parts.context_backward) return parts.context_backward(dc, alpha, values);
  return by_tape([](const Tensors& in) { return bmm(in[0].unsqueeze(1), in[1]).squeeze(1); }, {alpha, values}, dc);
}

// Those of query, keys, W and v. in: query, keys, values, mask, W, v.
Tensors score_gradients(const Tensor& d_alpha, const Tensor& alpha, const Tensors& in) {
  if (parts.score_backward) return parts.score_backward(d_alpha, alpha, in[0], in[1], in[4], in[5]);
  const auto forward = [mask = in[3]](const Tensors& x) {
    return masked_softmax(additive_score(linear(x[0], x[2]), x[1], x[3]), mask);
  };
  return by_tape(forward, {in[0], in[1], in[4], in[5]}, d_alpha);
}

// The way back through all of attention, by hand. in: query, keys, values, mask, W, v.
Tensors attend_backward(const Tensor& dc, const Tensor& c, const Tensor& alpha, const Tensors& in) {
  const Tensors from_context = context_gradients(dc, alpha, in[2]);
  const Tensors from_score = score_gradients(from_context[0], alpha, in);
  Tensor d_values = from_context[1];
  Tensor d_keys = from_score[1];
  if (parts.state_gradients) {
    const Tensors closed = parts.state_gradients(dc, alpha, c, in[0], in[1], in[2], in[4], in[5]);
    d_values = closed[0];
    d_keys = closed[1];
  }
  return {from_score[0], d_keys, d_values, Tensor(), from_score[2], from_score[3]};
}

}  // namespace

Attended attend(const Tensor& query, const Tensor& keys, const Tensor& values, const Tensor& mask,
                const Tensors& weights) {
  const auto weights_and_context = [mask](const Tensors& in) {
    const Tensor alpha = weights_of(score(in[0], in[1], in[4], in[5]), mask);
    return Attended{context(alpha, in[2]), alpha};
  };
  const Tensors inputs = {query, keys, values, mask, weights[0], weights[1]};
  if (!parts.score_backward && !parts.state_gradients) return weights_and_context(inputs);
  const auto alpha = std::make_shared<Tensor>();  // for the way back
  const auto forward = [=](const Tensors& in) {
    const Attended attended = weights_and_context(in);
    *alpha = attended.weights.detach();
    return attended.context;
  };
  const auto backward = [alpha](const Tensor& dc, const Tensor& c, const Tensors& in) {
    return attend_backward(dc, c, *alpha, in);
  };
  const Tensor c = differentiated(inputs, forward, backward);
  return {c, *alpha};
}

}  // namespace mine::layers
