// The ops that the translator is written with. Each computes with the library's kernels; its derivative is yours
// where the exercise is plugged in (parts.h), and the library's elsewhere.
#pragma once

#include "mine/parts.h"

namespace mine::ops {

Tensor add(const Tensor& a, const Tensor& b);  // these two broadcast
Tensor multiply(const Tensor& a, const Tensor& b);
Tensor subtract(const Tensor& a, const Tensor& b);  // of one shape
Tensor sum(const Tensor& x, int dim);
Tensor mean(const Tensor& x, int dim);
Tensor matmul(const Tensor& a, const Tensor& b);  // of two matrices, or of batches of them
Tensor transpose(const Tensor& x, int dim0, int dim1);
Tensor flip(const Tensor& x, int dim);
Tensor cat(const Tensors& tensors, int dim);
Tensor stack(const Tensors& tensors, int dim);
Tensor narrow(const Tensor& x, int dim, std::int64_t start, std::int64_t length);
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias = Tensor());  // x [batch, in]
Tensor embedding(const Tensor& weight, const Tensor& ids);                            // ids [batch, time]
// The softmax over the places where mask is true: both [batch, source].
Tensor masked_weights(const Tensor& scores, const Tensor& mask);
// The mean of -log(probability of the right word): logits [batch, classes], target [batch].
Tensor word_loss(const Tensor& logits, const Tensor& target);
// The same over the tokens of sentences: logits [batch, time, classes], target and mask [batch, time].
Tensor token_loss(const Tensor& logits, const Tensor& target, const Tensor& mask);

}  // namespace mine::ops
