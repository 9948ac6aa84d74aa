// Losses as composites, per element, summed or averaged.
#include "autograd/composites/composites.h"
#include "autograd/ops/op.h"
#include "autograd/ops/parts.h"

namespace autograd {

Tensor l1_loss(const Tensor& input, const Tensor& target, Reduction reduction, Where where) {
  check_pair("l1_loss", input, target, where);
  const CompositeGuard composite("l1_loss", where);
  const Tensor difference = input - target;
  return reduced(abs(difference), reduction);
}

// With c = d clamped to [-delta, delta], both cases of the definition are c * (d - c / 2).
Tensor huber_loss(const Tensor& input, const Tensor& target, Reduction reduction, double delta, Where where) {
  check_pair("huber_loss", input, target, where);
  if (!(delta > 0.0)) {
    fail(ErrorId::bad_argument, "huber_loss", where, fmt::format("delta is {}", delta), "use a number above 0");
  }
  const CompositeGuard composite("huber_loss", where);
  const Tensor difference = input - target;
  const Tensor cut = clamp(difference, -delta, delta);
  const Tensor losses = cut * (difference - cut / 2.0);
  return reduced(losses, reduction);
}

Tensor kl_div(const Tensor& input, const Tensor& target, Reduction reduction, Flag log_target, Where where) {
  check_pair("kl_div", input, target, where);
  const CompositeGuard composite("kl_div", where);
  if (log_target) return reduced(exp(target) * (target - input), reduction);
  return reduced(xlogx(target) - target * input, reduction);
}

// -log(1 - sigmoid(x)) = x - log(sigmoid(x)), so that only one logarithm is needed.
Tensor binary_cross_entropy_with_logits(const Tensor& input, const Tensor& target,
                                        const BinaryCrossEntropyOptions& options, Where where) {
  constexpr const char* op = "binary_cross_entropy_with_logits";
  check_pair(op, input, target, where);
  const CompositeGuard composite("binary_cross_entropy_with_logits", where);
  const Tensor not_target = 1.0 - target;
  Tensor weight_of_log = target + not_target;  // 1
  if (options.pos_weight.defined()) weight_of_log = target * options.pos_weight + not_target;
  Tensor losses = not_target * input - weight_of_log * logsigmoid(input);
  if (options.weight.defined()) losses = losses * options.weight;
  return reduced(losses, options.reduction);
}

}  // namespace autograd
