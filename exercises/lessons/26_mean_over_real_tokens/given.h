// What is given in exercise 26: the functions to write.
#pragma once

#include <judge/learner.h>

// The mean of -log(probability of the right word) over the tokens of a batch of sentences; padding does not count.
//   logits [batch, time, classes], target [batch, time] ids, mask [batch, time] boolean, true where there is a token
//   -> a number (shape [])
Tensor mean_token_loss(const Tensor& logits, const Tensor& target, const Tensor& mask);

// dlogits [batch, time, classes], given dloss (shape []).
Tensor mean_token_loss_backward(const Tensor& dloss, const Tensor& logits, const Tensor& target, const Tensor& mask);

struct Answer {
  decltype(&::mean_token_loss) mean_token_loss;
  decltype(&::mean_token_loss_backward) mean_token_loss_backward;
};
