// the steps of the training
#include "mine/plug.h"

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
