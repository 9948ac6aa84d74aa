// What is given in exercise 25: the functions to write.
#pragma once

#include <judge/learner.h>

// A softmax over the last dim among the places where mask is true, exactly 0 at the others. A row without tokens
// has weights 0. What is stored at the other places has no influence, not even a NaN.
//   scores [batch, source], mask [batch, source] boolean -> weights [batch, source]
Tensor masked_weights(const Tensor& scores, const Tensor& mask);

// dscores [batch, source], given dy (the gradient of the weights), scores and mask, all [batch, source].
Tensor masked_weights_vjp(const Tensor& dy, const Tensor& scores, const Tensor& mask);

struct Answer {
  decltype(&::masked_weights) masked_weights;
  decltype(&::masked_weights_vjp) masked_weights_vjp;
};
