// Every op as a method: x.tanh() is tanh(x). What each computes is said in ops.h.

#include "autograd/ops/ops.h"
#include "autograd/tensor/tensor.h"

namespace autograd {

Tensor Tensor::pow(const Operand& exponent) const {
  return autograd::pow(Operand(*this, exponent.where()), exponent);
}
Tensor Tensor::neg(Where where) const {
  return autograd::neg(*this, where);
}
Tensor Tensor::exp(Where where) const {
  return autograd::exp(*this, where);
}
Tensor Tensor::log(Where where) const {
  return autograd::log(*this, where);
}
Tensor Tensor::sqrt(Where where) const {
  return autograd::sqrt(*this, where);
}
Tensor Tensor::abs(Where where) const {
  return autograd::abs(*this, where);
}
Tensor Tensor::tanh(Where where) const {
  return autograd::tanh(*this, where);
}
Tensor Tensor::sigmoid(Where where) const {
  return autograd::sigmoid(*this, where);
}
Tensor Tensor::relu(Where where) const {
  return autograd::relu(*this, where);
}
Tensor Tensor::clamp(double low, double high, Where where) const {
  return autograd::clamp(*this, low, high, where);
}
Tensor Tensor::masked_fill(const Tensor& mask, double value, Where where) const {
  return autograd::masked_fill(*this, mask, value, where);
}
Tensor Tensor::sum(Where where) const {
  return autograd::sum(*this, {}, false, where);
}
Tensor Tensor::sum(const Dims& dims, bool keepdim, Where where) const {
  return autograd::sum(*this, dims, keepdim, where);
}
Tensor Tensor::mean(Where where) const {
  return autograd::mean(*this, {}, false, where);
}
Tensor Tensor::mean(const Dims& dims, bool keepdim, Where where) const {
  return autograd::mean(*this, dims, keepdim, where);
}
Tensor Tensor::amax(const Dims& dims, bool keepdim, Where where) const {
  return autograd::amax(*this, dims, keepdim, where);
}
ValuesAndIndices Tensor::max(std::int64_t dim, bool keepdim, Where where) const {
  return autograd::max(*this, dim, keepdim, where);
}
Tensor Tensor::argmax(std::int64_t dim, bool keepdim, Where where) const {
  return autograd::argmax(*this, dim, keepdim, where);
}
Tensor Tensor::logsumexp(const Dims& dims, bool keepdim, Where where) const {
  return autograd::logsumexp(*this, dims, keepdim, where);
}
Tensor Tensor::matmul(const Tensor& other, Where where) const {
  return autograd::matmul(*this, other, where);
}
Tensor Tensor::bmm(const Tensor& other, Where where) const {
  return autograd::bmm(*this, other, where);
}
Tensor Tensor::softmax(std::int64_t dim, Where where) const {
  return autograd::softmax(*this, dim, where);
}
Tensor Tensor::log_softmax(std::int64_t dim, Where where) const {
  return autograd::log_softmax(*this, dim, where);
}
Tensor Tensor::t(Where where) const {
  return autograd::t(*this, where);
}
Tensor Tensor::transpose(std::int64_t dim0, std::int64_t dim1, Where where) const {
  return autograd::transpose(*this, dim0, dim1, where);
}
Tensor Tensor::permute(const Dims& dims, Where where) const {
  return autograd::permute(*this, dims, where);
}
Tensor Tensor::reshape(const Shape& new_shape, Where where) const {
  return autograd::reshape(*this, new_shape, where);
}
Tensor Tensor::view(const Shape& new_shape, Where where) const {
  return autograd::view(*this, new_shape, where);
}
Tensor Tensor::flatten(std::int64_t start_dim, std::int64_t end_dim, Where where) const {
  return autograd::flatten(*this, start_dim, end_dim, where);
}
Tensor Tensor::squeeze(std::int64_t dim, Where where) const {
  return autograd::squeeze(*this, dim, where);
}
Tensor Tensor::unsqueeze(std::int64_t dim, Where where) const {
  return autograd::unsqueeze(*this, dim, where);
}
Tensor Tensor::expand(const Shape& new_shape, Where where) const {
  return autograd::expand(*this, new_shape, where);
}
Tensor Tensor::contiguous(Where where) const {
  return autograd::contiguous(*this, where);
}
Tensor Tensor::clone(Where where) const {
  return autograd::clone(*this, where);
}
Tensor Tensor::to(DType new_dtype, Where where) const {
  return autograd::to(*this, new_dtype, where);
}
Tensor Tensor::narrow(std::int64_t dim, std::int64_t start, std::int64_t length, Where where) const {
  return autograd::narrow(*this, dim, start, length, where);
}
Tensor Tensor::select(std::int64_t dim, std::int64_t index, Where where) const {
  return autograd::select(*this, dim, index, where);
}
Tensor Tensor::index(std::initializer_list<Index> indices, Where where) const {
  return autograd::index(*this, std::vector<Index>(indices), where);
}
Tensor Tensor::operator[](Index index) const {
  return autograd::index(*this, {index}, index.where);
}
std::vector<Tensor> Tensor::split(std::int64_t split_size, std::int64_t dim, Where where) const {
  return autograd::split(*this, split_size, dim, where);
}
std::vector<Tensor> Tensor::chunk(std::int64_t chunks, std::int64_t dim, Where where) const {
  return autograd::chunk(*this, chunks, dim, where);
}
Tensor Tensor::gather(std::int64_t dim, const Tensor& index, Where where) const {
  return autograd::gather(*this, dim, index, where);
}
Tensor Tensor::index_select(std::int64_t dim, const Tensor& index, Where where) const {
  return autograd::index_select(*this, dim, index, where);
}
}  // namespace autograd
