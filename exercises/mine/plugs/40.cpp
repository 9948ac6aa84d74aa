// teacher forcing, and the decoder by itself
#include ANSWER

#include "mine/decoder.h"

namespace {

// Stands for the small decoder that the exercise was given.
const mine::Stepper* stepper_now = nullptr;

}  // namespace

namespace given {

Step decoder_step(const Tensor& words, const Tensor& state, const Decoder&) {
  const mine::Step made = (*stepper_now)(words, state);
  return {made.logits, made.state};
}

}  // namespace given

extern "C" void plug_in(mine::Parts& parts) {
  parts.targets.plug_in(40, [](const std::vector<mine::Sentence>& sentences) -> mine::Targets {
    const given::Targets targets = make_targets(sentences);
    return {targets.in, targets.out};
  });
  parts.teacher_forced.plug_in(40, [](const mine::Stepper& stepper, const Tensor& state, const Tensor& in) {
    stepper_now = &stepper;
    return teacher_forced({}, state, in);
  });
  parts.sentence_loss.plug_in(40, [](const Tensor& logits, const Tensor& out) { return sentence_loss(logits, out); });
  parts.accuracy.plug_in(40, [](const mine::Stepper& stepper, const Tensor& state, const Tensor& out) {
    stepper_now = &stepper;
    return free_running_accuracy({}, state, out);
  });
}
