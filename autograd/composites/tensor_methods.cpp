// Ops as methods, in one table: x.tanh() is tanh(x). ops.h says what each computes.
#include "autograd/composites/composites.h"
#include "autograd/ops/ops.h"
#include "autograd/tensor/tensor.h"

namespace autograd {

// clang-format off
Tensor Tensor::add(const Operand& other) const { return autograd::add(Operand(*this, other.where()), other); }
Tensor Tensor::sub(const Operand& other) const { return autograd::sub(Operand(*this, other.where()), other); }
Tensor Tensor::mul(const Operand& other) const { return autograd::mul(Operand(*this, other.where()), other); }
Tensor Tensor::div(const Operand& other) const { return autograd::div(Operand(*this, other.where()), other); }
Tensor Tensor::pow(const Operand& exponent) const { return autograd::pow(Operand(*this, exponent.where()), exponent); }
Tensor Tensor::square(Where where) const { return autograd::square(*this, where); }
Tensor Tensor::neg(Where where) const { return autograd::neg(*this, where); }
Tensor Tensor::exp(Where where) const { return autograd::exp(*this, where); }
Tensor Tensor::log(Where where) const { return autograd::log(*this, where); }
Tensor Tensor::log1p(Where where) const { return autograd::log1p(*this, where); }
Tensor Tensor::sqrt(Where where) const { return autograd::sqrt(*this, where); }
Tensor Tensor::abs(Where where) const { return autograd::abs(*this, where); }
Tensor Tensor::sin(Where where) const { return autograd::sin(*this, where); }
Tensor Tensor::cos(Where where) const { return autograd::cos(*this, where); }
Tensor Tensor::erf(Where where) const { return autograd::erf(*this, where); }
Tensor Tensor::tanh(Where where) const { return autograd::tanh(*this, where); }
Tensor Tensor::sigmoid(Where where) const { return autograd::sigmoid(*this, where); }
Tensor Tensor::relu(Where where) const { return autograd::relu(*this, where); }
Tensor Tensor::clamp(double low, double high, Where where) const { return autograd::clamp(*this, low, high, where); }
Tensor Tensor::isnan(Where where) const { return autograd::isnan(*this, where); }
bool Tensor::any(Where where) const { return autograd::any(*this, where); }
bool Tensor::all(Where where) const { return autograd::all(*this, where); }
Tensor Tensor::any(Int dim, Flag keepdim, Where where) const {
  return autograd::any(*this, dim, keepdim, where);
}
Tensor Tensor::all(Int dim, Flag keepdim, Where where) const {
  return autograd::all(*this, dim, keepdim, where);
}
Tensor Tensor::masked_fill(const Tensor& mask, const Operand& value) const {
  return autograd::masked_fill(*this, mask, value);
}
Tensor Tensor::sum(const Dims& dims, Flag keepdim, Where where) const {
  return autograd::sum(*this, dims, keepdim, where);
}
Tensor Tensor::mean(const Dims& dims, Flag keepdim, Where where) const {
  return autograd::mean(*this, dims, keepdim, where);
}
Tensor Tensor::var(const Dims& dims, Correction correction, Flag keepdim, Where where) const {
  return autograd::var(*this, dims, correction, keepdim, where);
}
Tensor Tensor::norm(double p, const Dims& dims, Flag keepdim, Where where) const {
  return autograd::norm(*this, p, dims, keepdim, where);
}
Tensor Tensor::prod(Where where) const { return autograd::prod(*this, where); }
Tensor Tensor::prod(Int dim, Flag keepdim, Where where) const {
  return autograd::prod(*this, dim, keepdim, where);
}
Tensor Tensor::cumsum(Int dim, Where where) const { return autograd::cumsum(*this, dim, where); }
Tensor Tensor::amin(const Dims& dims, Flag keepdim, Where where) const {
  return autograd::amin(*this, dims, keepdim, where);
}
Tensor Tensor::max(Where where) const { return autograd::max(*this, where); }
Tensor Tensor::min(Where where) const { return autograd::min(*this, where); }
ValuesAndIndices Tensor::min(Int dim, Flag keepdim, Where where) const {
  return autograd::min(*this, dim, keepdim, where);
}
Tensor Tensor::argmax(Where where) const { return autograd::argmax(*this, where); }
Tensor Tensor::argmin(Where where) const { return autograd::argmin(*this, where); }
Tensor Tensor::argmin(Int dim, Flag keepdim, Where where) const {
  return autograd::argmin(*this, dim, keepdim, where);
}
ValuesAndIndices Tensor::sort(Int dim, Flag descending, Where where) const {
  return autograd::sort(*this, dim, descending, where);
}
Tensor Tensor::argsort(Int dim, Flag descending, Where where) const {
  return autograd::argsort(*this, dim, descending, where);
}
ValuesAndIndices Tensor::topk(Int k, Int dim, Flag largest, Where where) const {
  return autograd::topk(*this, k, dim, largest, where);
}
Tensor Tensor::amax(const Dims& dims, Flag keepdim, Where where) const {
  return autograd::amax(*this, dims, keepdim, where);
}
ValuesAndIndices Tensor::max(Int dim, Flag keepdim, Where where) const {
  return autograd::max(*this, dim, keepdim, where);
}
Tensor Tensor::argmax(Int dim, Flag keepdim, Where where) const {
  return autograd::argmax(*this, dim, keepdim, where);
}
Tensor Tensor::logsumexp(const Dims& dims, Flag keepdim, Where where) const {
  return autograd::logsumexp(*this, dims, keepdim, where);
}
Tensor Tensor::matmul(const Tensor& other, Where where) const { return autograd::matmul(*this, other, where); }
Tensor Tensor::bmm(const Tensor& other, Where where) const { return autograd::bmm(*this, other, where); }
Tensor Tensor::softmax(Int dim, Where where) const { return autograd::softmax(*this, dim, where); }
Tensor Tensor::log_softmax(Int dim, Where where) const { return autograd::log_softmax(*this, dim, where); }
Tensor Tensor::t(Where where) const { return autograd::t(*this, where); }
Tensor Tensor::transpose(Int dim0, Int dim1, Where where) const {
  return autograd::transpose(*this, dim0, dim1, where);
}
Tensor Tensor::permute(const Dims& dims, Where where) const { return autograd::permute(*this, dims, where); }
Tensor Tensor::reshape(const Shape& new_shape, Where where) const { return autograd::reshape(*this, new_shape, where); }
Tensor Tensor::view(const Shape& new_shape, Where where) const { return autograd::view(*this, new_shape, where); }
Tensor Tensor::flatten(Int start_dim, Int end_dim, Where where) const {
  return autograd::flatten(*this, start_dim, end_dim, where);
}
Tensor Tensor::squeeze(Where where) const { return autograd::squeeze(*this, where); }
Tensor Tensor::squeeze(Int dim, Where where) const { return autograd::squeeze(*this, dim, where); }
Tensor Tensor::unsqueeze(Int dim, Where where) const { return autograd::unsqueeze(*this, dim, where); }
Tensor Tensor::expand(const Shape& new_shape, Where where) const { return autograd::expand(*this, new_shape, where); }
Tensor Tensor::repeat(const Shape& repeats, Where where) const { return autograd::repeat(*this, repeats, where); }
Tensor Tensor::flip(const Dims& dims, Where where) const { return autograd::flip(*this, dims, where); }
Tensor Tensor::tril(Int diagonal, Where where) const { return autograd::tril(*this, diagonal, where); }
Tensor Tensor::triu(Int diagonal, Where where) const { return autograd::triu(*this, diagonal, where); }
Tensor Tensor::contiguous(Where where) const { return autograd::contiguous(*this, where); }
Tensor Tensor::clone(Where where) const { return autograd::clone(*this, where); }
Tensor Tensor::to(DType new_dtype, Where where) const { return autograd::to(*this, new_dtype, where); }
Tensor Tensor::narrow(Int dim, Int start, Int length, Where where) const {
  return autograd::narrow(*this, dim, start, length, where);
}
Tensor Tensor::select(Int dim, Int index, Where where) const {
  return autograd::select(*this, dim, index, where);
}
Tensor Tensor::index(std::initializer_list<Index> indices, Where where) const {
  return autograd::index(*this, std::vector<Index>(indices), where);
}
Tensor Tensor::operator[](Index index) const { return autograd::index(*this, {index}, index.where); }
std::vector<Tensor> Tensor::split(Int split_size, Int dim, Where where) const {
  return autograd::split(*this, split_size, dim, where);
}
std::vector<Tensor> Tensor::chunk(Int chunks, Int dim, Where where) const {
  return autograd::chunk(*this, chunks, dim, where);
}
Tensor Tensor::gather(Int dim, const Tensor& index, Where where) const {
  return autograd::gather(*this, dim, index, where);
}
Tensor Tensor::index_select(Int dim, const Tensor& index, Where where) const {
  return autograd::index_select(*this, dim, index, where);
}
// clang-format on

}  // namespace autograd
