#include "autograd/tensor/tensor.h"

#include <fmt/core.h>

#include "autograd/tensor/checks.h"
#include "autograd/tensor/format.h"
#include "autograd/tensor/kernel_arguments.h"

namespace autograd {

std::int64_t Tensor::size(std::int64_t dim, Where where) const {
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

std::int64_t Tensor::item_as_int64(Where where) const {
  check_one_element(*this, where);
  return element<std::int64_t>(*this, 0);
}

double Tensor::at(std::initializer_list<std::int64_t> index, Where where) const {
  return element<double>(*this, position_of("at", *this, index, where));
}

template <class T> std::vector<T> Tensor::to_vector() const {
  const Tensor values = contiguous_values(*this);
  std::vector<T> result(static_cast<std::size_t>(numel()));
  with_type(dtype(), [&]<class From>(From) {
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = static_cast<T>(pointer<From>(values)[i]);
  });
  return result;
}
template std::vector<float> Tensor::to_vector<float>() const;
template std::vector<double> Tensor::to_vector<double>() const;
template std::vector<std::int64_t> Tensor::to_vector<std::int64_t>() const;
template std::vector<bool> Tensor::to_vector<bool>() const;

template <class T> T* Tensor::data_ptr() const {
  if (dtype() != dtype_of<T>) check_dtype("data_ptr", *this, dtype_of<T>, Where{});
  return pointer<T>(*this);
}
template float* Tensor::data_ptr<float>() const;
template double* Tensor::data_ptr<double>() const;
template std::int64_t* Tensor::data_ptr<std::int64_t>() const;
template bool* Tensor::data_ptr<bool>() const;

const Tensor& Operand::number_as_tensor(DType dtype) const {
  number_tensor_ = make_tensor({}, dtype);
  with_type(dtype, [&]<class T>(T) { *pointer<T>(number_tensor_) = static_cast<T>(number_); });
  return number_tensor_;
}

}  // namespace autograd
