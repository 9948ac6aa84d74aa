#include "autograd/tensor/tensor.h"

#include <fmt/core.h>

#include "autograd/tensor/checks.h"
#include "autograd/tensor/format.h"
#include "autograd/tensor/kernel_arguments.h"

namespace autograd {

std::int64_t Tensor::size(Int dim, Where where) const {
  return shape()[checked_dim_of_list("size", dim, *this, where)];
}

namespace {

template <class T> T element(const Tensor& tensor, std::int64_t position) {
  T value{};
  with_type(tensor.dtype(), [&]<class From>(From) { value = static_cast<T>(pointer<From>(tensor)[position]); });
  return value;
}

void check_one_element(const Tensor& tensor, Where where) {
  check_defined("item", tensor, where);
  if (tensor.numel() == 1) return;
  fail(ErrorId::not_a_scalar, "item", where, fmt::format("this tensor is {}, not a single number", tensor.shape()),
       "reduce it with sum() or mean(), or pick an element with at({...})");
}

}  // namespace

double Tensor::item_as_double(Where where) const {
  check_one_element(*this, where);
  return element<double>(*this, 0);
}

std::int64_t Tensor::item_as_int64(std::int64_t lowest, std::int64_t highest, Where where) const {
  check_one_element(*this, where);
  const double number = element<double>(*this, 0);
  const bool fits = !is_floating(dtype()) || (number >= -0x1p63 && number < 0x1p63);
  const std::int64_t whole = fits ? element<std::int64_t>(*this, 0) : 0;
  if (fits && whole >= lowest && whole <= highest) return whole;
  fail(ErrorId::dtype_mismatch, "item", where,
       fmt::format("{} is outside the range of the type asked for, {} to {}", number, lowest, highest),
       "ask for item<double>()");
}

double Tensor::at(std::initializer_list<std::int64_t> index, Where where) const {
  return element<double>(*this, position_of("at", *this, index, where));
}

template <class T> std::vector<T> Tensor::to_vector(Where where) const {
  check_defined("to_vector", *this, where);
  const Tensor values = copied(*this, dtype_of<T>);
  return std::vector<T>(pointer<T>(values), pointer<T>(values) + numel());
}
template std::vector<float> Tensor::to_vector<float>(Where) const;
template std::vector<double> Tensor::to_vector<double>(Where) const;
template std::vector<std::int64_t> Tensor::to_vector<std::int64_t>(Where) const;
template std::vector<bool> Tensor::to_vector<bool>(Where) const;

template <class T> T* Tensor::data_ptr(Where where) const {
  if (dtype(where) != dtype_of<T>) check_dtype("data_ptr", *this, dtype_of<T>, where);
  return pointer<T>(*this);
}
template float* Tensor::data_ptr<float>(Where) const;
template double* Tensor::data_ptr<double>(Where) const;
template std::int64_t* Tensor::data_ptr<std::int64_t>(Where) const;
template bool* Tensor::data_ptr<bool>(Where) const;

std::string Tensor::name() const {
  const auto& meta = defined_impl("name").meta;
  return meta ? meta->name : "";
}

bool Tensor::is_leaf() const {
  return !defined_impl("is_leaf").grad_fn;
}

void Tensor::set_grad(const Tensor& gradient, Where where) const {
  check_defined("set_grad", *this, where);
  if (gradient.defined()) {
    check_same_dtype("set_grad", *this, gradient, where);
    check_same_shape("set_grad", shape(), gradient.shape(), where, "a gradient has the shape of its tensor",
                     "reshape it first");
  }
  // A copy, because gradients are changed in place, as by clip_grad_norm_(): no other tensor may share their memory.
  const Tensor copy = gradient.defined() ? contiguous_copy(gradient) : Tensor();
  TensorMeta& meta = meta_of(*this);
  meta.gradient = copy;
  meta.had_gradient = true;
}

void Tensor::zero_grad() const {
  if (defined_impl("zero_grad").meta) impl_->meta->gradient = Tensor();
}

void Tensor::remove_hook(int hook) const {
  if (!defined_impl("remove_hook").meta) return;
  std::erase_if(meta_of(*this).hooks, [&](const auto& entry) { return entry.first == hook; });
}

const Tensor& Operand::number_as_tensor(DType dtype) const {
  number_tensor_ = make_tensor({}, dtype);
  with_type(dtype, [&]<class T>(T) { *pointer<T>(number_tensor_) = static_cast<T>(number_); });
  return number_tensor_;
}

}  // namespace autograd
