// The answers of 20, 27 and 41: the training.
#include "mine/plug.h"

#ifdef PLUG_20  // gradients that are too long are shortened
extern "C" void plug_in(mine::Parts& parts) {
  parts.clip = clip_grad_norm;
}
#endif

#ifdef PLUG_27  // the steps of the training
extern "C" void plug_in(mine::Parts& parts) {
  parts.optimizer = [](const mine::Tensors& parameters) -> mine::Optimizer {
    AdamState state;
    for (const Tensor& parameter : parameters) {
      state.exp_avg.push_back(zeros_like(parameter.detach()));
      state.exp_avg_sq.push_back(zeros_like(parameter.detach()));
    }
    return [parameters, state](double learning_rate) mutable { adam_step(parameters, state, {.lr = learning_rate}); };
  };
}
#endif

#ifdef PLUG_41  // teacher forcing, and the decoder by itself
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
#endif
