// all steps of the decoder, and the walk back through them
#include "mine/differentiated.h"
#include "mine/layers.h"
#include "mine/plug.h"

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
