// teacher forcing, and the decoder by itself
#include "mine/plug.h"

// Stands for the small decoder that the exercise was given.
static const mine::Stepper* stepper_now = nullptr;

Step given::decoder_step(const Tensor& words, const Tensor& state, const Decoder&) {
  const mine::Step made = (*stepper_now)(words, state);
  return {made.logits, made.state};
}

extern "C" void plug_in(mine::Parts& parts) {
  parts.targets = [](const std::vector<mine::Sentence>& sentences) -> mine::Targets {
    const given::Targets targets = make_targets(sentences);
    return {targets.in, targets.out};
  };
  parts.teacher_forced = [](const mine::Stepper& stepper, const Tensor& state, const Tensor& in) {
    stepper_now = &stepper;
    return teacher_forced({}, state, in);
  };
  parts.sentence_loss = sentence_loss;
  parts.accuracy = [](const mine::Stepper& stepper, const Tensor& state, const Tensor& out) {
    stepper_now = &stepper;
    return free_running_accuracy({}, state, out);
  };
}
