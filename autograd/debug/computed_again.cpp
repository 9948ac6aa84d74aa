// The gradients that a PassRecord did not keep: the op's backward computes them again.
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
Grads run_again(const Step& step, const Recording& recording) {
  const Tensor dy = step.dy.tensor();
  if (!step.node->released) {
    try {
      return step.node->backward(dy);
    } catch (const Error& error) {
      if (error.id() != ErrorId::in_place_clobber) throw;
    }
  }
  const std::optional<Call> call = recording.call(*step.node);
  return call ? pull_back(*call, dy) : Grads();
}

Tensor in_shape(const Tensor& gradient, const Shape& shape) {
  return gradient.shape() == shape ? gradient : sum_to(gradient, shape);
}

[[noreturn]] void refuse(const Node& node) {
  throw Refused(fmt::format("what the backward of {} gave was too large to be kept, and it gives something else now",
                            describe(node)),
                "an op whose backward gives the same each time, and whose inputs are as they were");
}

}  // namespace

Tensor PassRecord::value_of(const Contribution& contribution) const {
  if (!contribution.value.is_fingerprint()) return contribution.value.tensor();
  const Unobserved unobserved;
  const Grads again = run_again(steps[*step_of(*contribution.from)], *recording);
  if (contribution.input >= again.size() || !again[contribution.input].defined()) refuse(*contribution.from);
  const Tensor value = in_shape(again[contribution.input], contribution.to->shape).detach();
  if (!contribution.value.holds(value)) refuse(*contribution.from);
  return value;
}

Grads PassRecord::gradients_of(const Step& step) const {
  const Unobserved unobserved;
  Grads all;
  Grads again;
  for (std::size_t i = 0; i < step.gradients.size(); ++i) {
    const KeptTensor& kept = step.gradients[i];
    if (kept.is_fingerprint() && again.empty()) again = run_again(step, *recording);
    if (kept.is_fingerprint() && (i >= again.size() || !kept.holds(again[i]))) refuse(*step.node);
    all.push_back(kept.is_fingerprint() ? again[i].detach() : kept.tensor());
  }
  return all;
}

}  // namespace autograd::debug
