#include "autograd/ops/updates.h"

#include <algorithm>

#include "autograd/ops/op.h"

namespace autograd {
namespace {

void check_unrecorded_change(const char* op, const Tensor& x, Where where) {
  check_writable(op, x, where);
  if (grad_enabled() && x.requires_grad()) {
    fail(ErrorId::bad_argument, op, where, "this change is not recorded, and the tensor takes part in a graph",
         "use it under NoGradGuard");
  }
}

bool is_on_memory_of(const std::vector<Copy>& copies, const Tensor& source) {
  return std::any_of(copies.begin(), copies.end(), [&](const Copy& one) {
    return one.target.defined() && one.target.impl()->storage == source.impl()->storage;
  });
}

void check_adam(const AdamParameter& one, Where where) {
  check_floating("adam_step_", one.parameter, where);
  check_unrecorded_change("adam_step_", one.parameter, where);
  for (const Tensor* other : {&one.gradient, &one.exp_avg, &one.exp_avg_sq, &one.max_exp_avg_sq}) {
    if (other == &one.max_exp_avg_sq && !other->defined()) continue;
    check_same_dtype("adam_step_", one.parameter, *other, where);
    check_same_shape("adam_step_", one.parameter.shape(), other->shape(), where,
                     "all tensors of an update need the same shape", "reshape() first");
  }
}

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

// One pass over memory instead of the ten of tensor ops.
void run_in_one_pass(const std::vector<AdamParameter>& parameters, Where where) {
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
}

}  // namespace

void copy_all_(const std::vector<Copy>& copies, Where where, const char* op) {
  std::vector<Tensor> values;
  for (const auto& [target, source] : copies) {
    check_unrecorded_change(op, target, where);
    check_defined(op, source, where);
    check_same_shape(op, target.shape(), source.shape(), where, "both need the same shape", "reshape() first");
    const Tensor value = source.to(target.dtype(), where);
    values.push_back(is_on_memory_of(copies, value) ? clone(value.detach()) : contiguous_values(value));
    prepare_write(target);
  }
  // Nothing fails from here on.
  for (std::size_t i = 0; i < copies.size(); ++i) {
    write_into(copies[i].target, values[i]);
    mark_written(copies[i].target, op, where);
  }
}

void scale_all_(const std::vector<Tensor>& tensors, double factor, Where where) {
  std::vector<Copy> copies;
  for (const Tensor& x : tensors) {
    check_floating("scale_all_", x, where);
    check_unrecorded_change("scale_all_", x, where);
    copies.push_back({x, x * factor});
  }
  copy_all_(copies, where, "scale_all_");
}

void adam_step_(const std::vector<AdamParameter>& parameters, Where where) {
  for (const AdamParameter& one : parameters) check_adam(one, where);
  if (std::all_of(parameters.begin(), parameters.end(), may_run_in_one_pass)) return run_in_one_pass(parameters, where);

  const NoGradGuard no_grad;
  std::vector<Copy> copies;
  for (const auto& [parameter, gradient, exp_avg, exp_avg_sq, step, max_exp_avg_sq] : parameters) {
    // The decay is left out where it is 0, because 0 times an infinite parameter would be NaN.
    const Tensor g = step.weight_decay == 0.0 ? gradient : gradient + step.weight_decay * parameter;
    const Tensor m = step.beta1 * exp_avg + (1.0 - step.beta1) * g;
    const Tensor v = step.beta2 * exp_avg_sq + (1.0 - step.beta2) * g * g;
    const Tensor largest = max_exp_avg_sq.defined() ? maximum(max_exp_avg_sq, v) : v;
    const Tensor root = step.root_scale * sqrt(largest);
    copies.push_back({parameter, step.keep * parameter - step.step_size * m / (root + step.eps)});
    copies.push_back({exp_avg, m});
    copies.push_back({exp_avg_sq, v});
    if (max_exp_avg_sq.defined()) copies.push_back({max_exp_avg_sq, largest});
  }
  copy_all_(copies, where, "adam_step_");
}

double sum_of_squares(const Tensor& x, Where where) {
  check_floating("sum_of_squares", x, where);
  const Tensor x_ = contiguous_values(x);
  double total = 0.0;
  with_float_type(x.dtype(), [&]<class T>(T) { total = kernels::sum_of_squares(pointer<T>(x_), x_.numel()); });
  return total;
}

}  // namespace autograd
