// What is given in exercise 38: attention and a GRU step, each with its backward pass, and the two functions to write.
#pragma once

#include <judge/given/attention.h>
#include <judge/given/recurrent.h>

namespace given {

// ---- attention: e_j = v . tanh(W query + U h_j), weights = softmax(e), context = sum_j weights_j h_j ---------------

using Attention = AttentionWeights;

struct Attended {
  Tensor context;  // [batch, encoder]
  Tensor weights;  // [batch, source]
};

struct AttendGradients {
  Tensor d_query;       // [batch, state]
  Tensor d_H;           // [batch, source, encoder]
  Attention d_weights;  // of W, U and v
};

// query [batch, state], H [batch, source, encoder], mask [batch, source], or undefined for none
Attended attend(const Tensor& query, const Tensor& H, const Tensor& mask, const Attention& attention);

// What exercises 35 to 37 derive.
AttendGradients attend_backward(const Tensor& d_context, const Tensor& query, const Tensor& H, const Tensor& mask,
                                const Attention& attention);

// ---- a GRU step, in PyTorch's form ---------------------------------------------------------------------------------

using Gru = StackedWeights;

struct GruGradients {
  Tensor d_x;      // [batch, in]
  Tensor d_state;  // [batch, state]
  Gru d_weights;
};

// x [batch, in], state [batch, state] -> the next state [batch, state]
Tensor gru_step(const Tensor& x, const Tensor& state, const Gru& gru);

// What exercise 29 derives.
GruGradients gru_step_backward(const Tensor& d_next, const Tensor& x, const Tensor& state, const Gru& gru);

#ifdef BACKSTEP_CHECK  // how these four do it: compiled with the check, once, and not again with each of your tries

Attended attend(const Tensor& query, const Tensor& H, const Tensor& mask, const Attention& attention) {
  const Tensor scores = matmul(attention_hidden(query, H, attention), attention.v);  // [batch, source]
  const Tensor weights = mask.defined() ? masked_softmax(scores, mask) : softmax(scores, 1);
  return {bmm(weights.unsqueeze(1), H).squeeze(1), weights};
}

AttendGradients attend_backward(const Tensor& d_context, const Tensor& query, const Tensor& H, const Tensor& mask,
                                const Attention& attention) {
  const Tensor hidden = attention_hidden(query, H, attention);
  const Tensor weights = attend(query, H, mask, attention).weights;
  const Tensor d_weights = bmm(H, d_context.unsqueeze(2)).squeeze(2);
  const Tensor d_scores = weights * (d_weights - (weights * d_weights).sum({1}, true));
  const Tensor d_hidden = d_scores.unsqueeze(2) * attention.v * (1.0 - hidden * hidden);
  const Tensor d_query_part = d_hidden.sum({1});
  AttendGradients gradients;
  gradients.d_query = matmul(d_query_part, attention.W);
  gradients.d_H = weights.unsqueeze(2) * d_context.unsqueeze(1) + matmul(d_hidden, attention.U);
  gradients.d_weights.W = matmul(d_query_part.t(), query);
  gradients.d_weights.U = matmul(d_hidden.flatten(0, 1).t(), H.flatten(0, 1));
  gradients.d_weights.v = (d_scores.unsqueeze(2) * hidden).sum({0, 1});
  return gradients;
}

struct GruGates {
  Tensor r, z, n, recurrent;
};

inline GruGates gru_gates(const Tensor& x, const Tensor& state, const Gru& gru) {
  const std::vector<Tensor> from_x = linear(x, gru.weight_ih, gru.bias_ih).chunk(3, 1);
  const std::vector<Tensor> from_state = linear(state, gru.weight_hh, gru.bias_hh).chunk(3, 1);
  const Tensor r = sigmoid(from_x[0] + from_state[0]);
  const Tensor z = sigmoid(from_x[1] + from_state[1]);
  const Tensor n = tanh(from_x[2] + r * from_state[2]);
  return {r, z, n, from_state[2]};
}

Tensor gru_step(const Tensor& x, const Tensor& state, const Gru& gru) {
  const GruGates gates = gru_gates(x, state, gru);
  return (1.0 - gates.z) * gates.n + gates.z * state;
}

GruGradients gru_step_backward(const Tensor& d_next, const Tensor& x, const Tensor& state, const Gru& gru) {
  const auto [r, z, n, recurrent] = gru_gates(x, state, gru);
  const Tensor d_n = d_next * (1.0 - z) * (1.0 - n * n);
  const Tensor d_z = d_next * (state - n) * z * (1.0 - z);
  const Tensor d_r = d_n * recurrent * r * (1.0 - r);
  const Tensor d_from_x = autograd::cat({d_r, d_z, d_n}, 1);
  const Tensor d_from_state = autograd::cat({d_r, d_z, d_n * r}, 1);
  GruGradients gradients;
  gradients.d_x = matmul(d_from_x, gru.weight_ih);
  gradients.d_state = matmul(d_from_state, gru.weight_hh) + d_next * z;
  gradients.d_weights = {matmul(d_from_x.t(), x), matmul(d_from_state.t(), state), d_from_x.sum({0}),
                         d_from_state.sum({0})};
  return gradients;
}

#endif

// ---- one step of the decoder ---------------------------------------------------------------------------------------

struct Decoder {
  Attention attention;
  Gru gru;         // its input is [word; context]
  Tensor readout;  // [vocabulary, state + encoder + word]: its input is [next state; context; word]
  Tensor bias;     // [vocabulary]
};

// What a step is given.
struct StepInput {
  Tensor word;   // [batch, word]: the embedding of the word before
  Tensor state;  // [batch, state]: the decoder's state before the step
  Tensor H;      // [batch, source, encoder]: what the encoder said of each source position
  Tensor mask;   // [batch, source], true where there is a word
};

// What it computes.
struct Step {
  Tensor weights;  // [batch, source]
  Tensor context;  // [batch, encoder]
  Tensor state;    // [batch, state]: the next state
  Tensor logits;   // [batch, vocabulary]
};

// d_word = dL/d(word), and so on: each has the shape of what it is the gradient of.
struct StepGradients {
  Tensor d_word, d_state, d_H;
  Attention d_attention;
  Gru d_gru;
  Tensor d_readout, d_bias;
};

}  // namespace given

using given::attend;
using given::attend_backward;
using given::Attended;
using given::AttendGradients;
using given::Attention;
using given::Decoder;
using given::Gru;
using given::gru_step;
using given::gru_step_backward;
using given::GruGradients;
using given::Step;
using given::StepGradients;
using given::StepInput;

Step decoder_step(const StepInput& in, const Decoder& decoder);

// `step` is what decoder_step(in, decoder) returned. d_logits is dL/d(step.logits), d_next_state is dL/d(step.state) as
// it comes back from the steps after this one.
StepGradients decoder_step_backward(const Tensor& d_logits, const Tensor& d_next_state, const StepInput& in,
                                    const Step& step, const Decoder& decoder);

struct Answer {
  decltype(&::decoder_step) decoder_step;
  decltype(&::decoder_step_backward) decoder_step_backward;
};
