// The fast form of Adam's step: one pass over memory instead of the ten of tensor ops.
#include "autograd/ops/updates.cpp"

namespace autograd::fast {
namespace {

// The kernel writes element by element, so that no other tensor may lie in the parameter's memory.
bool may_run_in_one_pass(const AdamParameter& one) {
  const auto is_apart = [&](const Tensor& x) {
    return x.is_contiguous() && x.impl()->storage != one.parameter.impl()->storage;
  };
  return !one.max_exp_avg_sq.defined() && one.parameter.is_contiguous() && is_apart(one.gradient) &&
         is_apart(one.exp_avg) && is_apart(one.exp_avg_sq);
}

template <class T> kernels::AdamRates<T> rates_of(const AdamStep& step) {
  return {.beta1 = static_cast<T>(step.beta1),
          .rest1 = static_cast<T>(1.0 - step.beta1),
          .beta2 = static_cast<T>(step.beta2),
          .rest2 = static_cast<T>(1.0 - step.beta2),
          .eps = static_cast<T>(step.eps),
          .step_size = static_cast<T>(step.step_size),
          .root_scale = static_cast<T>(step.root_scale),
          .weight_decay = static_cast<T>(step.weight_decay),
          .keep = static_cast<T>(step.keep)};
}

bool run_adam_step(const std::vector<AdamParameter>& parameters, Where where) {
  if (!std::all_of(parameters.begin(), parameters.end(), may_run_in_one_pass)) return false;
  for (const AdamParameter& one : parameters) {
    for (const Tensor* written : {&one.parameter, &one.exp_avg, &one.exp_avg_sq}) prepare_write(*written);
  }
  for (const AdamParameter& one : parameters) {
    with_float_type(one.parameter.dtype(), [&]<class T>(T) {
      kernels::adam_step(pointer<T>(one.parameter), pointer<T>(one.gradient), pointer<T>(one.exp_avg),
                         pointer<T>(one.exp_avg_sq), rates_of<T>(one.step), one.parameter.numel());
    });
    for (const Tensor* written : {&one.parameter, &one.exp_avg, &one.exp_avg_sq}) {
      mark_written(*written, "adam_step_", where);
    }
  }
  return true;
}

[[maybe_unused]] const bool known = (adam_step.run = run_adam_step) != nullptr;

}  // namespace
}  // namespace autograd::fast
