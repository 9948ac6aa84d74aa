#include "mine/ops.h"

#include "mine/differentiated.h"

namespace mine::ops {

Tensor add(const Tensor& a, const Tensor& b) {
  const auto unbroadcast = [a, b](const Tensor& dy, const Tensor&) {
    return Tensors{parts.unbroadcast(dy, a.shape()), parts.unbroadcast(dy, b.shape())};
  };
  return differentiated(
      {a, b}, [&] { return a + b; }, parts.unbroadcast ? Backward(unbroadcast) : nullptr);
}

Tensor multiply(const Tensor& a, const Tensor& b) {
  const auto& part = a.shape() == b.shape() ? parts.multiply_backward : parts.product_backward;
  return differentiated(
      {a, b}, [&] { return a * b; }, by(part, a, b));
}

Tensor subtract(const Tensor& a, const Tensor& b) {
  return differentiated(
      {a, b}, [&] { return a - b; }, by(parts.subtract_backward));
}

Tensor sum(const Tensor& x, int dim) {
  return differentiated(
      {x}, [&] { return x.sum({dim}); }, by(parts.sum_backward, x.shape(), dim));
}

Tensor mean(const Tensor& x, int dim) {
  return differentiated(
      {x}, [&] { return x.mean({dim}); }, by(parts.mean_backward, x.shape(), dim));
}

Tensor matmul(const Tensor& a, const Tensor& b) {
  const auto& part = a.dim() == 2 && b.dim() == 2 ? parts.matmul_backward : parts.batched_matmul_backward;
  return differentiated(
      {a, b}, [&] { return autograd::matmul(a, b); }, by(part, a, b));
}

Tensor transpose(const Tensor& x, int dim0, int dim1) {
  return differentiated(
      {x}, [&] { return x.transpose(dim0, dim1); }, by(parts.transpose_backward, dim0, dim1));
}

Tensor flip(const Tensor& x, int dim) {
  return differentiated(
      {x}, [&] { return autograd::flip(x, {dim}); }, by(parts.flip_backward, dim));
}

Tensor cat(const Tensors& tensors, int dim) {
  Lengths sizes;
  for (const Tensor& x : tensors) sizes.push_back(x.size(dim));
  return differentiated(
      tensors, [&] { return autograd::cat(tensors, dim); }, by(parts.cat_backward, sizes, dim));
}

Tensor stack(const Tensors& tensors, int dim) {
  return differentiated(
      tensors, [&] { return autograd::stack(tensors, dim); }, by(parts.stack_backward, dim));
}

Tensor narrow(const Tensor& x, int dim, std::int64_t start, std::int64_t length) {
  return differentiated(
      {x}, [&] { return x.narrow(dim, start, length); }, by(parts.narrow_backward, x.shape(), dim, start));
}

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  const Tensors inputs = bias.defined() ? Tensors{x, weight, bias} : Tensors{x, weight};
  return differentiated(
      inputs, [&] { return autograd::linear(x, weight, bias); }, by(parts.linear_backward, x, weight));
}

Tensor embedding(const Tensor& weight, const Tensor& ids) {
  return differentiated(
      {weight}, [&] { return parts.lookup(weight, ids); }, by(parts.lookup_backward, ids, weight.size(0), padding));
}

Tensor masked_weights(const Tensor& scores, const Tensor& mask) {
  return differentiated(
      {scores}, [&] { return parts.weights(scores, mask); }, by(parts.weights_backward, scores, mask));
}

Tensor word_loss(const Tensor& logits, const Tensor& target) {
  return differentiated(
      {logits}, [&] { return parts.word_loss(logits, target); }, by(parts.word_loss_backward, logits, target));
}

Tensor token_loss(const Tensor& logits, const Tensor& target, const Tensor& mask) {
  return differentiated(
      {logits}, [&] { return parts.token_loss(logits, target, mask); },
      by(parts.token_loss_backward, logits, target, mask));
}

}  // namespace mine::ops
