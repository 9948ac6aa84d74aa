// one step of the decoder, which says the translation
#include "mine/differentiated.h"
#include "mine/layers.h"
#include "mine/plug.h"

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
