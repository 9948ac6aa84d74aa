// The answers of 28 to 40: recurrent layers, attention, and the decoder.
#include "mine/plug.h"

#ifdef PLUG_28  // the encoder, which reads the sentence
extern "C" void plug_in(mine::Parts& parts) {
  parts.rnn = rnn_forward;
  parts.rnn_backward = [](const Tensor& dy, const Tensor& states, const Tensor& x, const Tensor& h0,
                          const RnnWeights& weights) {
    const RnnGradients d = rnn_backward(dy, x, h0, states, weights);
    return mine::Tensors{d.dx, d.d_weight_ih, d.d_weight_hh, d.d_bias};
  };
}
#endif

#ifdef PLUG_29  // the derivatives of a GRU step
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
#endif

#ifdef PLUG_30  // a step of the decoder's GRU
extern "C" void plug_in(mine::Parts& parts) {
  parts.gru_step = gru_pytorch;
}
#endif

#ifdef PLUG_32  // reading from right to left
extern "C" void plug_in(mine::Parts& parts) {
  parts.reverse_tokens = reverse_tokens;
}
#endif

#ifdef PLUG_33  // the score of each position
extern "C" void plug_in(mine::Parts& parts) {
  parts.score = [](const Tensor& s, const Tensor& keys, const Tensor& W, const Tensor& v) {
    const Tensor b = zeros_like(v);  // it is in the keys already
    return additive_score(s, keys, {W, Tensor(), b, v});
  };
}
#endif

#ifdef PLUG_34  // the weights of all positions
extern "C" void plug_in(mine::Parts& parts) {
  parts.attention_weights = attention_weights;
}
#endif

#ifdef PLUG_35  // the context, and its derivatives
extern "C" void plug_in(mine::Parts& parts) {
  parts.context = [](const Tensor& alpha, const Tensor& values) { return context_vector(alpha, {values, Tensor()}); };
  parts.context_backward = [](const Tensor& dc, const Tensor& alpha, const Tensor& values) {
    const ContextGradients gradients = context_backward(dc, alpha, {values, Tensor()});
    return mine::Tensors{gradients.d_alpha, gradients.d_states};
  };
}
#endif

#ifdef PLUG_36  // the way back through weights and scores
// The exercise's states become keys by U. Here they are keys already, so U is 1.
extern "C" void plug_in(mine::Parts& parts) {
  parts.score_backward = [](const Tensor& d_alpha, const Tensor& alpha, const Tensor& s, const Tensor& keys,
                            const Tensor& W, const Tensor& v) {
    const ScoreWeights weights = {W, autograd::eye(keys.size(2), keys.dtype()), v};
    const ScoreStep step = {s, keys, given::attention_hidden(s, keys, weights), alpha};
    const ScoreGradients gradients = score_backward(d_alpha, step, weights);
    return mine::Tensors{gradients.d_s, gradients.d_states, gradients.dW, gradients.dv};
  };
}
#endif

#ifdef PLUG_37  // what comes back to each state, as value and as key
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
#endif

#ifdef PLUG_38  // one step of the decoder, which says the translation
#include "mine/differentiated.h"
#include "mine/layers.h"

// What the exercise was given is here the program's, and so made of your other parts.
namespace given {

Attended attend(const Tensor& query, const Tensor& H, const Tensor& mask, const Attention& attention) {
  const auto [context, weights] = mine::layers::attend_by_ops(query, H, mask, attention);
  return {context, weights};
}

AttendGradients attend_backward(const Tensor& d_context, const Tensor& query, const Tensor& H, const Tensor& mask,
                                const Attention& attention) {
  const auto forward = [mask](const mine::Tensors& in) {
    return mine::layers::attend_by_ops(in[0], in[1], mask, {in[2], in[3], in[4]}).context;
  };
  const mine::Tensors d = mine::by_tape(forward, {query, H, attention.W, attention.U, attention.v}, d_context);
  return {d[0], d[1], {d[2], d[3], d[4]}};
}

Tensor gru_step(const Tensor& x, const Tensor& state, const Gru& gru) {
  return mine::layers::gru_step_by_ops(x, state, gru);
}

GruGradients gru_step_backward(const Tensor& d_next, const Tensor& x, const Tensor& state, const Gru& gru) {
  const auto forward = [](const mine::Tensors& in) {
    return mine::layers::gru_step_by_ops(in[0], in[1], {in[2], in[3], in[4], in[5]});
  };
  const mine::Tensors d =
      mine::by_tape(forward, {x, state, gru.weight_ih, gru.weight_hh, gru.bias_ih, gru.bias_hh}, d_next);
  return {d[0], d[1], {d[2], d[3], d[4], d[5]}};
}

}  // namespace given

namespace of = mine::step_input;

static StepInput input_from(const mine::Tensors& in) {
  return {in[of::word], in[of::state], in[of::H], in[of::mask]};
}

static Decoder decoder_from(const mine::Tensors& in) {
  return {{in[of::W], in[of::U], in[of::v]},
          {in[of::weight_ih], in[of::weight_hh], in[of::bias_ih], in[of::bias_hh]},
          in[of::readout],
          in[of::readout_bias]};
}

extern "C" void plug_in(mine::Parts& parts) {
  parts.decoder_step = [](const mine::Tensors& in) -> mine::Step {
    const given::Step step = decoder_step(input_from(in), decoder_from(in));
    return {step.logits, step.state, step.context, step.weights};
  };
  parts.decoder_step_backward = [](const Tensor& d_logits, const Tensor& d_state, const mine::Step& made,
                                   const mine::Tensors& in) {
    const given::Step step = {made.weights, made.context, made.state, made.logits};
    const StepGradients d = decoder_step_backward(d_logits, d_state, input_from(in), step, decoder_from(in));
    const auto& [W, U, v] = d.d_attention;
    const auto& [weight_ih, weight_hh, bias_ih, bias_hh] = d.d_gru;
    return mine::Tensors{d.d_word,  d.d_state, d.d_H,   Tensor(), W,           U,       v,
                         weight_ih, weight_hh, bias_ih, bias_hh,  d.d_readout, d.d_bias};
  };
}
#endif

#ifdef PLUG_39  // all steps of the decoder, and the walk back through them
#include "mine/differentiated.h"
#include "mine/layers.h"

// What the exercise was given is here the program's, and so made of your other parts.
namespace given {

Tensor decoder_step(const Tensor& word, const Tensor& state, const Memory& memory, const Tensor& mask,
                    const StepWeights& weights) {
  return mine::layers::memory_step(word, state, memory.keys, memory.values, mask,
                                   {weights.W, weights.v, weights.weight_ih, weights.weight_hh});
}

StepGradients decoder_step_backward(const Tensor& d_next, const Tensor& word, const Tensor& state, const Memory& memory,
                                    const Tensor& mask, const StepWeights& weights) {
  const auto forward = [mask](const mine::Tensors& in) {
    return mine::layers::memory_step(in[0], in[1], in[2], in[3], mask, {in[4], in[5], in[6], in[7]});
  };
  const mine::Tensors d = mine::by_tape(
      forward, {word, state, memory.keys, memory.values, weights.W, weights.v, weights.weight_ih, weights.weight_hh},
      d_next);
  return {d[0], d[1], d[2], d[3], {d[4], d[5], d[6], d[7]}};
}

}  // namespace given

namespace of = mine::decode_input;

static DecodeInput input_from(const mine::Tensors& in) {
  return {in[of::words], in[of::state], in[of::H], in[of::mask]};
}

static Decoder decoder_from(const mine::Tensors& in) {
  return {in[of::U], {in[of::W], in[of::v], in[of::weight_ih], in[of::weight_hh]}};
}

extern "C" void plug_in(mine::Parts& parts) {
  parts.decode = [](const mine::Tensors& in) { return decode(input_from(in), decoder_from(in)).states; };
  parts.decode_backward = [](const Tensor& dy, const Tensor& states, const mine::Tensors& in) {
    const Decoded decoded = {states, {linear(in[of::H], in[of::U]), in[of::H]}};
    const auto [d_words, d_state, d_H, d_U, d] = decode_backward(dy, decoded, input_from(in), decoder_from(in));
    return mine::Tensors{d_words, d_state, d_H, Tensor(), d.W, d_U, d.v, d.weight_ih, d.weight_hh};
  };
}
#endif
