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
  if (fast::adam_step && fast::adam_step.run(parameters, where)) return;

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
