#include "nn/layers/rnn.h"

#include "nn/layers/checks.h"

namespace nn {

RNN::RNN(const RecurrentOptions& given, Where where) : Recurrent("RNN", 1, given, where) {}

RNN::Output RNN::operator()(const Tensor& x, const Tensor& initial_state, const std::vector<std::int64_t>& lengths,
                            Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  const Result result = run(x, {.hidden = initial_state}, lengths, where);
  return {result.output, result.state.hidden};
}

RecurrentState RNN::all_steps(const Tensor& projected, const RecurrentState& initial, const RecurrentWeights& own,
                              const autograd::RecurrentLayerOptions& layer_options) const {
  const auto time = projected.size(0);
  const bool reverse = layer_options.reverse;
  const Tensor mask = layer_options.lengths.empty() ? Tensor() : autograd::length_mask(layer_options.lengths, time);
  std::vector<Tensor> states(static_cast<std::size_t>(time) + 1);  // in the order of time
  Tensor hidden = initial.hidden;
  states[static_cast<std::size_t>(reverse ? time : 0)] = hidden;
  for (std::int64_t i = 0; i < time; ++i) {
    const std::int64_t t = reverse ? time - 1 - i : i;
    const autograd::StepScope step(t);
    const Tensor recurrent = autograd::linear(hidden, own.weight_hh, own.bias_hh);  // [batch, hidden]
    const Tensor after = autograd::tanh(projected.select(0, t) + recurrent);
    hidden = mask.defined() ? autograd::where(mask.narrow(1, t, 1), after, hidden) : after;
    states[static_cast<std::size_t>(reverse ? t : t + 1)] = hidden;
  }
  return {.hidden = autograd::stack(states, options.batch_first ? 1 : 0)};
}

}  // namespace nn
