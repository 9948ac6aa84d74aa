// What is given in exercise 39: what attention remembers about the source, one decoder step with its backward pass, and
// the two functions to write.
#pragma once

#include <judge/learner.h>

namespace given {

// What every step needs to know about the source.
struct Memory {
  Tensor keys;    // [batch, source, attention]: U h_j
  Tensor values;  // [batch, source, encoder]: h_j
};

// The weights that a step uses. U is not among them: its work is done once the memory is made.
struct StepWeights {
  Tensor W;          // [attention, state]
  Tensor v;          // [attention]
  Tensor weight_ih;  // [3 state, word + encoder], of the GRU
  Tensor weight_hh;  // [3 state, state]
};

struct Decoder {
  Tensor U;  // [attention, encoder]
  StepWeights step;
};

struct StepGradients {
  Tensor d_word;          // [batch, word]
  Tensor d_state;         // [batch, state], of the state before the step
  Tensor d_keys;          // [batch, source, attention]
  Tensor d_values;        // [batch, source, encoder]
  StepWeights d_weights;  // each with the shape of the weight
};

inline StepWeights zeros_like(const StepWeights& weights) {
  using autograd::zeros_like;
  return {zeros_like(weights.W), zeros_like(weights.v), zeros_like(weights.weight_ih), zeros_like(weights.weight_hh)};
}

inline StepWeights operator+(const StepWeights& a, const StepWeights& b) {
  return {a.W + b.W, a.v + b.v, a.weight_ih + b.weight_ih, a.weight_hh + b.weight_hh};
}

// ---- one step: attention with the state before it, then the GRU over [word; context] -------------------------------

// word [batch, word], state [batch, state], mask [batch, source] -> the next state [batch, state]
Tensor decoder_step(const Tensor& word, const Tensor& state, const Memory& memory, const Tensor& mask,
                    const StepWeights& weights);

// The gradients of one step's inputs, given all of dL/d(next state). The other arguments are those of the step.
StepGradients decoder_step_backward(const Tensor& d_next, const Tensor& word, const Tensor& state, const Memory& memory,
                                    const Tensor& mask, const StepWeights& weights);

#ifdef BACKSTEP_CHECK  // how these two do it: compiled with the check, once, and not again with each of your tries

// Everything that a step computes.
struct StepValues {
  Tensor hidden;   // [batch, source, attention]: tanh(W state + key)
  Tensor weights;  // [batch, source]
  Tensor x;        // [batch, word + encoder]: [word; context]
  Tensor r, z, n;  // [batch, state]: gates and candidate
  Tensor recurrent;
  Tensor next;  // [batch, state]: the next state
};

inline StepValues step_values(const Tensor& word, const Tensor& state, const Memory& memory, const Tensor& mask,
                              const StepWeights& weights) {
  StepValues values;
  values.hidden = tanh(linear(state, weights.W).unsqueeze(1) + memory.keys);
  values.weights = masked_softmax(matmul(values.hidden, weights.v), mask);
  const Tensor context = bmm(values.weights.unsqueeze(1), memory.values).squeeze(1);
  values.x = autograd::cat({word, context}, 1);
  const std::vector<Tensor> from_x = linear(values.x, weights.weight_ih).chunk(3, 1);
  const std::vector<Tensor> from_state = linear(state, weights.weight_hh).chunk(3, 1);
  values.r = sigmoid(from_x[0] + from_state[0]);
  values.z = sigmoid(from_x[1] + from_state[1]);
  values.recurrent = from_state[2];
  values.n = tanh(from_x[2] + values.r * values.recurrent);
  values.next = (1.0 - values.z) * values.n + values.z * state;
  return values;
}

Tensor decoder_step(const Tensor& word, const Tensor& state, const Memory& memory, const Tensor& mask,
                    const StepWeights& weights) {
  return step_values(word, state, memory, mask, weights).next;
}

StepGradients decoder_step_backward(const Tensor& d_next, const Tensor& word, const Tensor& state, const Memory& memory,
                                    const Tensor& mask, const StepWeights& weights) {
  const StepValues step = step_values(word, state, memory, mask, weights);
  StepGradients gradients;

  const Tensor d_n = d_next * (1.0 - step.z) * (1.0 - step.n * step.n);
  const Tensor d_z = d_next * (state - step.n) * step.z * (1.0 - step.z);
  const Tensor d_r = d_n * step.recurrent * step.r * (1.0 - step.r);
  const Tensor d_from_x = autograd::cat({d_r, d_z, d_n}, 1);
  const Tensor d_from_state = autograd::cat({d_r, d_z, d_n * step.r}, 1);
  const Tensor d_x = matmul(d_from_x, weights.weight_ih);
  gradients.d_word = d_x.narrow(1, 0, word.size(1));
  const Tensor d_context = d_x.narrow(1, word.size(1), memory.values.size(2));
  gradients.d_weights.weight_ih = matmul(d_from_x.t(), step.x);
  gradients.d_weights.weight_hh = matmul(d_from_state.t(), state);

  const Tensor d_alpha = bmm(memory.values, d_context.unsqueeze(2)).squeeze(2);
  const Tensor d_scores = step.weights * (d_alpha - (step.weights * d_alpha).sum({1}, true));
  const Tensor d_hidden = d_scores.unsqueeze(2) * weights.v * (1.0 - step.hidden * step.hidden);
  const Tensor d_query = d_hidden.sum({1});
  gradients.d_values = step.weights.unsqueeze(2) * d_context.unsqueeze(1);
  gradients.d_keys = d_hidden;
  gradients.d_weights.W = matmul(d_query.t(), state);
  gradients.d_weights.v = (d_scores.unsqueeze(2) * step.hidden).sum({0, 1});
  gradients.d_state = matmul(d_from_state, weights.weight_hh) + d_next * step.z + matmul(d_query, weights.W);
  return gradients;
}

#endif

// ---- all steps -----------------------------------------------------------------------------------------------------

struct DecodeInput {
  Tensor words;  // [batch, steps, word]: embeddings, the input of each step
  Tensor state;  // [batch, state]: before the first step
  Tensor H;      // [batch, source, encoder]
  Tensor mask;   // [batch, source], true where there is a word
};

struct Decoded {
  Tensor states;  // [batch, steps, state]: the state after each step
  Memory memory;
};

// d_H = dL/dH, and so on.
struct DecodeGradients {
  Tensor d_words, d_state, d_H, d_U;
  StepWeights d_step;
};

}  // namespace given

using given::Decoded;
using given::DecodeGradients;
using given::DecodeInput;
using given::Decoder;
using given::decoder_step;
using given::decoder_step_backward;
using given::Memory;
using given::StepGradients;
using given::StepWeights;

Decoded decode(const DecodeInput& in, const Decoder& decoder);

// `decoded` is what decode(in, decoder) returned; d_states [batch, steps, state] is what each state gets from its
// readout.
DecodeGradients decode_backward(const Tensor& d_states, const Decoded& decoded, const DecodeInput& in,
                                const Decoder& decoder);

struct Answer {
  decltype(&::decode) decode;
  decltype(&::decode_backward) decode_backward;
};
