#include "autograd/ops/updates.h"

#include <fmt/core.h>

#include <algorithm>

#include "autograd/ops/op.h"
#include "autograd/tensor/format.h"

namespace autograd {

// ---- a tensor to change ----------------------------------------------------------------------------------------

namespace {

void check_not_expanded(const char* op, const Tensor& x, Where where) {
  if (!repeats_elements(x)) return;
  fail(ErrorId::in_place_on_view, op, where,
       fmt::format("several elements of this {} tensor are one place in memory", x.shape()),
       "clone() it after expand()");
}

void check_not_recorded(const char* op, const Tensor& x, Where where) {
  if (!grad_enabled() || !x.requires_grad()) return;
  fail(ErrorId::bad_argument, op, where, "this change is not recorded, and the tensor takes part in a graph",
       "use it under NoGradGuard");
}

}  // namespace

TensorToChange::TensorToChange(const char* op, const Tensor& x, Where where) : op_(op), where_(where), tensor_(x) {
  check_floating(op, x, where);
  check_not_expanded(op, x, where);
  check_not_recorded(op, x, where);
  if (!x.is_contiguous()) room_ = make_tensor_like(x);
  expect_write(x);
}

template <class F> void TensorToChange::change(const F& f) const {
  with_float_type(tensor_.dtype(), [&](auto t) {
    using T = decltype(t);
    T* elements = pointer<T>(tensor_);
    if (!room_.defined()) return f(elements);
    const kernels::Walk walk = make_walk(tensor_.shape(), tensor_.strides());
    kernels::copy(pointer<T>(room_), static_cast<const T*>(elements), walk);
    f(pointer<T>(room_));
    kernels::copy_into(elements, pointer<T>(room_), walk);
  });
  mark_written(tensor_, op_, where_);
}

void scale_all_(const std::vector<Tensor>& tensors, double factor, Where where) {
  std::vector<TensorToChange> all;
  for (const Tensor& tensor : tensors) all.emplace_back("scale_all_", tensor, where);
  for (const TensorToChange& one : all) {
    const std::int64_t n = one.tensor().numel();
    one.change([&](auto* x) { kernels::scale(x, static_cast<std::remove_pointer_t<decltype(x)>>(factor), n); });
  }
}

namespace {

bool is_on_memory_of(const std::vector<Copy>& copies, const Tensor& source) {
  return std::any_of(copies.begin(), copies.end(), [&](const Copy& one) {
    return one.target.defined() && one.target.impl()->storage == source.impl()->storage;
  });
}

}  // namespace

void copy_all_(const std::vector<Copy>& copies, Where where) {
  std::vector<Tensor> values;
  for (const auto& [target, source] : copies) {
    check_defined("copy_all_", target, where);
    check_defined("copy_all_", source, where);
    check_not_expanded("copy_all_", target, where);
    check_not_recorded("copy_all_", target, where);
    if (!(source.shape() == target.shape())) {
      fail_shapes("copy_all_", target.shape(), source.shape(), where, "both need the same shape", "reshape() first");
    }
    const Tensor value = source.to(target.dtype(), where);
    values.push_back(is_on_memory_of(copies, value) ? clone(value.detach()) : contiguous_values(value));
    expect_write(target);
  }
  for (std::size_t i = 0; i < copies.size(); ++i) {
    const Tensor& target = copies[i].target;
    with_type(target.dtype(), [&](auto t) {
      using T = decltype(t);
      kernels::copy_into(pointer<T>(target), pointer<T>(values[i]), make_walk(target.shape(), target.strides()));
    });
    mark_written(target, "copy_all_", where);
  }
}

// ---- an update -------------------------------------------------------------------------------------------------

namespace {

void check_like_parameter(const char* op, const Tensor& parameter, const Tensor& other, Where where) {
  check_same_dtype(op, parameter, other, where);
  if (other.shape() == parameter.shape()) return;
  fail_shapes(op, parameter.shape(), other.shape(), where, "all tensors of an update need the same shape",
              "reshape() first");
}

void check_average(const char* op, const Tensor& average, Where where) {
  if (average.is_contiguous()) return;
  fail(ErrorId::bad_argument, op, where, fmt::format("a running average, {}, is not contiguous", average.shape()),
       "make it by zeros_like(parameter)");
}

}  // namespace

ParameterUpdate::ParameterUpdate(const char* op, const Tensor& parameter, const Tensor& gradient,
                                 const Averages& averages, Where where)
    : op_(op), where_(where), parameter_(op, parameter, where), averages_(averages) {
  check_like_parameter(op, parameter, gradient, where);
  // The loop writes one element after the other: the gradient must not lie, shifted, in the same memory.
  const bool shares_memory = gradient.impl()->storage == parameter.impl()->storage;
  gradient_ = shares_memory ? clone(gradient.detach()) : contiguous_values(gradient);
  for (const Tensor& average : averages) {
    check_like_parameter(op, parameter, average, where);
    check_average(op, average, where);
    expect_write(average);
  }
}

template <class T> T* ParameterUpdate::average(std::size_t i) const {
  return i < averages_.size() ? pointer<T>(averages_[i]) : nullptr;
}

// Calls kernel(parameter, gradient).
template <class Kernel> void ParameterUpdate::change(const Kernel& kernel) const {
  parameter_.change([&](auto* parameter) {
    using T = std::remove_pointer_t<decltype(parameter)>;
    kernel(parameter, static_cast<const T*>(pointer<T>(gradient_)));
  });
  for (const Tensor& average : averages_) mark_written(average, op_, where_);
}

void ParameterUpdate::run(const SgdStep& step) const {
  change([&]<class T>(T* parameter, const T* gradient) {
    const kernels::SgdRates<T> rates{
        .lr = static_cast<T>(step.lr),
        .weight_decay = static_cast<T>(step.weight_decay),
        .momentum = static_cast<T>(step.momentum),
        .rest = static_cast<T>(1.0 - step.dampening),
        .nesterov = step.nesterov,
        .is_first = step.is_first,
    };
    kernels::sgd_step(parameter, gradient, average<T>(0), rates, gradient_.numel());
  });
}

void ParameterUpdate::run(const AdamStep& step) const {
  change([&]<class T>(T* parameter, const T* gradient) {
    const kernels::AdamRates<T> rates{
        .beta1 = static_cast<T>(step.beta1),
        .rest1 = static_cast<T>(1.0 - step.beta1),
        .beta2 = static_cast<T>(step.beta2),
        .rest2 = static_cast<T>(1.0 - step.beta2),
        .eps = static_cast<T>(step.eps),
        .step_size = static_cast<T>(step.step_size),
        .root_scale = static_cast<T>(step.root_scale),
        .weight_decay = static_cast<T>(step.weight_decay),
        .keep = static_cast<T>(step.keep),
    };
    const std::int64_t n = gradient_.numel();
    if (averages_.size() == 2) {
      kernels::adam_step(parameter, gradient, average<T>(0), average<T>(1), rates, n);
    } else {
      kernels::amsgrad_step(parameter, gradient, average<T>(0), average<T>(1), average<T>(2), rates, n);
    }
  });
}

void ParameterUpdate::run(const AdadeltaStep& step) const {
  change([&]<class T>(T* parameter, const T* gradient) {
    const kernels::AdadeltaRates<T> rates{
        .lr = static_cast<T>(step.lr),
        .weight_decay = static_cast<T>(step.weight_decay),
        .eps = static_cast<T>(step.eps),
        .rho = static_cast<T>(step.rho),
        .rest = static_cast<T>(1.0 - step.rho),
    };
    kernels::adadelta_step(parameter, gradient, average<T>(0), average<T>(1), rates, gradient_.numel());
  });
}

void ParameterUpdate::run(const RmspropStep& step) const {
  change([&]<class T>(T* parameter, const T* gradient) {
    const kernels::RmspropRates<T> rates{
        .lr = static_cast<T>(step.lr),
        .weight_decay = static_cast<T>(step.weight_decay),
        .eps = static_cast<T>(step.eps),
        .alpha = static_cast<T>(step.alpha),
        .rest = static_cast<T>(1.0 - step.alpha),
        .momentum = static_cast<T>(step.momentum),
    };
    T* grad_avg = step.centered ? average<T>(1) : nullptr;
    T* momentum_buffer = step.momentum != 0.0 ? average<T>(step.centered ? 2 : 1) : nullptr;
    kernels::rmsprop_step(parameter, gradient, average<T>(0), grad_avg, momentum_buffer, rates, gradient_.numel());
  });
}

void adam_step_(const Tensor& parameter, const Tensor& gradient, const Tensor& exp_avg, const Tensor& exp_avg_sq,
                const AdamStep& step, Where where) {
  ParameterUpdate("adam_step_", parameter, gradient, {exp_avg, exp_avg_sq}, where).run(step);
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
