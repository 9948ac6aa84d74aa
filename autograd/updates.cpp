#include "autograd/updates.h"

#include "autograd/format.h"
#include "autograd/ops_common.h"

namespace autograd {
namespace {

void check_like_parameter(const Tensor& parameter, const Tensor& other, Where where) {
  check_same_dtype("adam_step_", parameter, other, where);
  if (other.shape() == parameter.shape()) return;
  fail_shapes("adam_step_", parameter.shape(), other.shape(), where, "all four tensors need the same shape",
              "reshape() first");
}

// A tensor that is changed.
void check_may_update(const Tensor& x, Where where) {
  const bool recorded = grad_enabled() && x.requires_grad();
  if (x.is_contiguous() && !recorded) return;
  fail(ErrorId::bad_argument, "adam_step_", where, "this update is not recorded, and needs contiguous memory",
       "use it under NoGradGuard on whole tensors");
}

}  // namespace

void adam_step_(const Tensor& parameter, const Tensor& gradient, const Tensor& exp_avg, const Tensor& exp_avg_sq,
                const AdamStep& step, Where where) {
  check_floating("adam_step_", parameter, where);
  for (const Tensor* other : {&gradient, &exp_avg, &exp_avg_sq}) check_like_parameter(parameter, *other, where);
  for (const Tensor* changed : {&parameter, &exp_avg, &exp_avg_sq}) check_may_update(*changed, where);
  const Tensor gradient_ = contiguous_values(gradient);
  with_float_type(parameter.dtype(), [&](auto t) {
    using T = decltype(t);
    const kernels::AdamRates<T> rates{
        .beta1 = static_cast<T>(step.beta1),
        .rest1 = static_cast<T>(1.0 - step.beta1),
        .beta2 = static_cast<T>(step.beta2),
        .rest2 = static_cast<T>(1.0 - step.beta2),
        .eps = static_cast<T>(step.eps),
        .step_size = static_cast<T>(step.step_size),
        .root_scale = static_cast<T>(step.root_scale),
        .weight_decay = static_cast<T>(step.weight_decay),
    };
    kernels::adam_step(pointer<T>(parameter), pointer<T>(gradient_), pointer<T>(exp_avg), pointer<T>(exp_avg_sq), rates,
                       parameter.numel());
  });
  for (const Tensor* changed : {&parameter, &exp_avg, &exp_avg_sq}) mark_written(*changed, "adam_step_", where);
}

double sum_of_squares(const Tensor& x, Where where) {
  check_floating("sum_of_squares", x, where);
  const Tensor x_ = contiguous_values(x);
  double total = 0.0;
  with_float_type(x.dtype(), [&](auto t) {
    using T = decltype(t);
    total = kernels::sum_of_squares(pointer<T>(x_), x_.numel());
  });
  return total;
}

}  // namespace autograd
