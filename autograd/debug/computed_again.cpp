// What a Recording did not keep: the op, or its backward, computes it again.
#include <fmt/core.h>

#include "autograd/debug/recording.h"
#include "autograd/debug/step/refused.h"
#include "autograd/debug/step/replay.h"
#include "autograd/debug/unobserved.h"
#include "autograd/tape/pass.h"
#include "autograd/tensor/error.h"

namespace autograd::debug {
namespace {

// By the op's own node, or by a new one on the recorded inputs where the graph was released, or a value that the
// backward needs overwritten.
Grads run_again(const Step& step, const PassRecord& pass) {
  const Tensor dy = pass.dy_of(step);
  if (!step.node->released) {
    try {
      return step.node->backward(dy);
    } catch (const Error& error) {
      if (error.id() != ErrorId::in_place_clobber) throw;
    }
  }
  const std::optional<Call> call = pass.recording->call(*step.node);
  return call ? pull_back(*call, dy) : Grads();
}

Tensor in_shape(const Tensor& gradient, const Shape& shape) {
  return gradient.shape() == shape ? gradient : sum_to(gradient, shape);
}

[[noreturn]] void refuse(const char* what, const Node& node) {
  throw Refused(
      fmt::format("what {} {} gave was too large to be kept, and it gives something else now", what, describe(node)),
      "an op that computes the same each time from the same inputs");
}

}  // namespace

Tensor Recording::input_of(const KeptCall& call, std::size_t i) const {
  return call.inputs[i].is_fingerprint() ? output_of(*kept(*call.from[i])) : call.inputs[i].tensor();
}

Inputs Recording::inputs_of(const KeptCall& call) const {
  Inputs inputs;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) inputs.push_back(input_of(call, i));
  return inputs;
}

Tensor Recording::output_of(const KeptCall& call) const {
  if (!call.output.is_fingerprint()) return call.output.tensor();
  const Unobserved unobserved;
  const Tensor output = call.node->forward(inputs_of(call)).detach();
  if (!call.output.holds(output)) refuse("the forward() of", *call.node);
  return output;
}

Tensor PassRecord::dy_of(const Step& step) const {
  return step.dy.is_fingerprint() ? value_of(contribution_to(*step.node, 0)) : step.dy.tensor();
}

Tensor PassRecord::value_of(const Contribution& contribution) const {
  if (!contribution.value.is_fingerprint()) return contribution.value.tensor();
  const Unobserved unobserved;
  const Grads again = run_again(steps[*step_of(*contribution.from)], *this);
  if (contribution.input >= again.size() || !again[contribution.input].defined())
    refuse("the backward of", *contribution.from);
  const Tensor value = in_shape(again[contribution.input], contribution.to->shape).detach();
  if (!contribution.value.holds(value)) refuse("the backward of", *contribution.from);
  return value;
}

Grads PassRecord::gradients_of(const Step& step) const {
  const Unobserved unobserved;
  Grads all;
  Grads again;
  for (std::size_t i = 0; i < step.gradients.size(); ++i) {
    const KeptTensor& kept = step.gradients[i];
    if (kept.is_fingerprint() && again.empty()) again = run_again(step, *this);
    if (kept.is_fingerprint() && (i >= again.size() || !kept.holds(again[i]))) refuse("the backward of", *step.node);
    all.push_back(kept.is_fingerprint() ? again[i].detach() : kept.tensor());
  }
  return all;
}

}  // namespace autograd::debug
