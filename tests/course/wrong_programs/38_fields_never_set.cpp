// Wrong: the gradients of attention's own weights, d_attention, are never put into the result, and stay undefined.
#include "given.h"

Step decoder_step(const StepInput& in, const Decoder& decoder) {
  const auto [context, weights] = attend(in.state, in.H, in.mask, decoder.attention);
  const Tensor state = gru_step(autograd::cat({in.word, context}, 1), in.state, decoder.gru);
  const Tensor logits = linear(autograd::cat({state, context, in.word}, 1), decoder.readout, decoder.bias);
  return {weights, context, state, logits};
}

StepGradients decoder_step_backward(const Tensor& d_logits, const Tensor& d_next_state, const StepInput& in,
                                    const Step& step, const Decoder& decoder) {
  const std::int64_t word = in.word.size(1);
  const std::int64_t encoder = in.H.size(2);
  const Tensor features = autograd::cat({step.state, step.context, in.word}, 1);
  const Tensor d_features = matmul(d_logits, decoder.readout);
  probe("d_features", d_features);
  const std::vector<Tensor> read = autograd::split(d_features, {in.state.size(1), encoder, word}, 1);
  const Tensor d_new = d_next_state + read[0];
  probe("d_new", d_new);
  const GruGradients gru = gru_step_backward(d_new, autograd::cat({in.word, step.context}, 1), in.state, decoder.gru);
  const Tensor d_context = gru.d_x.narrow(1, word, encoder) + read[1];
  probe("d_context", d_context);
  const AttendGradients attention = attend_backward(d_context, in.state, in.H, in.mask, decoder.attention);

  StepGradients gradients;
  gradients.d_word = gru.d_x.narrow(1, 0, word) + read[2];
  gradients.d_state = gru.d_state + attention.d_query;
  gradients.d_H = attention.d_H;
  gradients.d_gru = gru.d_weights;
  gradients.d_readout = matmul(d_logits.t(), features);
  gradients.d_bias = d_logits.sum({0});
  return gradients;
}
