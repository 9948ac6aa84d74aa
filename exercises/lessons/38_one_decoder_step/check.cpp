#include <judge/check.h>

#define BACKSTEP_CHECK
#include "given.h"

const Axes judge::axes = {{"batch", 2}, {"source", 4},    {"word", 3},      {"encoder", 5},
                          {"state", 6}, {"attention", 7}, {"vocabulary", 8}};

namespace {

Decoder random_decoder(Check& check) {
  const std::int64_t state = check.size("state");
  const std::int64_t encoder = check.size("encoder");
  const std::int64_t word = check.size("word");
  Decoder decoder;
  decoder.attention = {check.randn("W", {"attention", "state"}), check.randn("U", {"attention", "encoder"}),
                       check.randn("v", {"attention"})};
  decoder.gru = {check.randn("weight_ih", {3 * state, word + encoder}), check.randn("weight_hh", {3 * state, "state"}),
                 check.randn("bias_ih", {3 * state}), check.randn("bias_hh", {3 * state})};
  decoder.readout = check.randn("readout", {"vocabulary", state + encoder + word});
  decoder.bias = check.randn("bias", {"vocabulary"});
  return decoder;
}

// The first sentence is whole, each one after it two words shorter.
Tensor random_mask(Check& check) {
  std::vector<std::int64_t> lengths;
  for (std::int64_t i = 0; i < check.size("batch"); ++i) {
    lengths.push_back(std::max<std::int64_t>(1, check.size("source") - 2 * i));
  }
  return check.input("mask", autograd::length_mask(lengths, check.size("source")));
}

// The step once more, as the check knows it: what the answer's way back is given, and what it is measured by.
Step reference_step(const StepInput& in, const Decoder& decoder) {
  Step step;
  const Attended attended = attend(in.state, in.H, in.mask, decoder.attention);
  step.weights = attended.weights;
  step.context = attended.context;
  step.state = gru_step(autograd::cat({in.word, step.context}, 1), in.state, decoder.gru);
  step.logits = linear(autograd::cat({step.state, step.context, in.word}, 1), decoder.readout, decoder.bias);
  return step;
}

void check_forward(const Answer& answer, const StepInput& in, const Decoder& decoder, Check& check) {
  const Tensor padding = logical_not(in.mask);
  const Step step = answer.decoder_step(in, decoder);
  check.compare("weights", step.weights, {.regions = {{"padding", padding}}});
  check.compare("context", step.context);
  check.compare("state", step.state);
  check.compare("logits", step.logits);

  StepInput later = in;
  later.state = check.randn("a later state", {"batch", "state"});
  const Step later_step = answer.decoder_step(later, decoder);
  check.compare("weights of a later step over the same H", later_step.weights);
  check.compare("state of a later step over the same H", later_step.state);

  StepInput other = in;
  other.word = 2.0 * in.word + 1.0;
  const Step with_other = answer.decoder_step(other, decoder);
  check.require("the weights do not depend on the word",
                step.weights.defined() && autograd::allclose(with_other.weights, step.weights),
                "another word as input changes your weights; the state that asks has not read it yet");
}

void check_backward(const Answer& answer, const StepInput& in, const Decoder& decoder, Check& check) {
  const Tensor d_logits = check.randn("d_logits", {"batch", "vocabulary"});
  const Tensor d_next_state = check.randn("d_next_state", {"batch", "state"});
  const auto loss = [=] {
    const Step step = reference_step(in, decoder);
    return (d_logits * step.logits).sum() + (d_next_state * step.state).sum();
  };
  const StepGradients gradients =
      answer.decoder_step_backward(d_logits, d_next_state, in, reference_step(in, decoder), decoder);
  check.gradient("d_readout", gradients.d_readout, decoder.readout, loss);
  check.gradient("d_bias", gradients.d_bias, decoder.bias, loss);
  check.gradient("d_gru.weight_ih", gradients.d_gru.weight_ih, decoder.gru.weight_ih, loss);
  check.gradient("d_gru.weight_hh", gradients.d_gru.weight_hh, decoder.gru.weight_hh, loss);
  check.gradient("d_gru.bias_ih", gradients.d_gru.bias_ih, decoder.gru.bias_ih, loss);
  check.gradient("d_gru.bias_hh", gradients.d_gru.bias_hh, decoder.gru.bias_hh, loss);
  check.gradient("d_word", gradients.d_word, in.word, loss);
  check.gradient("d_attention.W", gradients.d_attention.W, decoder.attention.W, loss);
  check.gradient("d_attention.U", gradients.d_attention.U, decoder.attention.U, loss);
  check.gradient("d_attention.v", gradients.d_attention.v, decoder.attention.v, loss);
  check.gradient("d_H", gradients.d_H, in.H, loss, {.regions = {{"padding", logical_not(in.mask).unsqueeze(2)}}});
  check.gradient("d_state", gradients.d_state, in.state, loss);
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const Decoder decoder = random_decoder(check);
  StepInput in;
  in.word = check.randn("word", {"batch", "word"});
  in.state = check.randn("state", {"batch", "state"});
  in.H = check.randn("H", {"batch", "source", "encoder"});
  in.mask = random_mask(check);
  check_forward(answer, in, decoder, check);
  check_backward(answer, in, decoder, check);
}
