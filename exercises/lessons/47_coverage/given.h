// What is given in exercise 47: the functions to write, and the weights of the score.
#pragma once

#include <judge/learner.h>

namespace given {

// e_ti = v . tanh(query_t + key_i + w_cov c_ti)
struct CoverageWeights {
  Tensor w_cov;  // [attention]
  Tensor v;      // [attention]
};

}  // namespace given

using given::CoverageWeights;

// query [batch, target, attention] and keys [batch, source, attention], both projected; mask [batch, source], true
// where there is a word -> the weights of all steps [batch, target, source].
Tensor attend_with_coverage(const Tensor& query, const Tensor& keys, const CoverageWeights& weights,
                            const Tensor& mask);

// attention [batch, target, source]; real_steps [batch, target], true where there is a target word -> one number.
Tensor coverage_loss(const Tensor& attention, const Tensor& real_steps);

// The gradient of that loss -> [batch, target, source].
Tensor coverage_loss_backward(const Tensor& attention, const Tensor& real_steps);

struct Answer {
  decltype(&::attend_with_coverage) attend_with_coverage;
  decltype(&::coverage_loss) coverage_loss;
  decltype(&::coverage_loss_backward) coverage_loss_backward;
};
