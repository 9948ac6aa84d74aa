// What is given in exercise 18: the functions to write.
#pragma once

#include <judge/learner.h>

// weight [vocabulary, features], ids int64 [batch, time] -> [batch, time, features]: row ids[b, t] of weight at [b, t].
Tensor lookup(const Tensor& weight, const Tensor& ids);
// dy = dL/dy [batch, time, features] -> dL/dweight [vocabulary, features]. The row padding_idx must get no gradient.
Tensor lookup_backward(const Tensor& dy, const Tensor& ids, std::int64_t vocabulary, std::int64_t padding_idx);

struct Answer {
  decltype(&::lookup) lookup;
  decltype(&::lookup_backward) lookup_backward;
};
