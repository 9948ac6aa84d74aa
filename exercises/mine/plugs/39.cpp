// all steps of the decoder that writes sentences
#include ANSWER

#include "mine/decoder.h"
#include "mine/differentiated.h"

// What the exercise was given is here the program's, and so made of your other parts.
namespace given {

Tensor decoder_step(const Tensor& word, const Tensor& state, const Memory& memory, const Tensor& mask,
                    const StepWeights& weights) {
  return mine::decoder::memory_step(word, state, memory.keys, memory.values, mask,
                                    {weights.W, weights.v, weights.weight_ih, weights.weight_hh})
      .state;
}

StepGradients decoder_step_backward(const Tensor& d_next, const Tensor& word, const Tensor& state, const Memory& memory,
                                    const Tensor& mask, const StepWeights& weights) {
  const auto forward = [mask](const mine::Tensors& in) {
    return mine::decoder::memory_step(in[0], in[1], in[2], in[3], mask, {in[4], in[5], in[6], in[7]}).state;
  };
  const mine::Tensors d = mine::by_tape(
      forward, {word, state, memory.keys, memory.values, weights.W, weights.v, weights.weight_ih, weights.weight_hh},
      d_next);
  return {d[0], d[1], d[2], d[3], {d[4], d[5], d[6], d[7]}};
}

}  // namespace given

namespace {

namespace of = mine::decode_input;

DecodeInput input_from(const mine::Tensors& in) {
  return {in[of::words], in[of::state], in[of::H], in[of::mask]};
}

Decoder decoder_from(const mine::Tensors& in) {
  return {in[of::U], {in[of::W], in[of::v], in[of::weight_ih], in[of::weight_hh]}};
}

}  // namespace

extern "C" void plug_in(mine::Parts& parts) {
  parts.decode.plug_in(39, [](const mine::Tensors& in) { return decode(input_from(in), decoder_from(in)).states; });
  parts.decode_backward.plug_in(39, [](const Tensor& dy, const Tensor& states, const mine::Tensors& in) {
    const Decoded decoded = {states, {linear(in[of::H], in[of::U]), in[of::H]}};
    const DecodeGradients d = decode_backward(dy, decoded, input_from(in), decoder_from(in));
    return mine::Tensors{d.d_words,          d.d_state,         d.d_H, Tensor(), d.d_step.W, d.d_U, d.d_step.v,
                         d.d_step.weight_ih, d.d_step.weight_hh};
  });
}
