// What is given in exercise 52: the diagnoses, and the functions to write.
#pragma once

#include <judge/learner.h>

namespace given {

enum class Diagnosis {
  healthy,    // none of the others
  collapsed,  // an entropy share below 0.1: each row has chosen, whether it is right or not
  undecided,  // an entropy share above 0.9, but the parameters still get a gradient: at the start of training, as a
              // rule
  stuck       // an entropy share above 0.9, and the norm of the parameters' gradient is below 1e-12
};

}  // namespace given

using given::Diagnosis;

// Entropy as a share of what is possible: weights and mask [query, source] -> one number from 0 to 1, the mean over all
// rows with more than one word of H / log(number of words).
double entropy_share(const Tensor& weights, const Tensor& mask);

// How much of a gradient the softmax lets through: |d_scores| / |d_weights|, the norms over all entries.
double softmax_gain(const Tensor& weights, const Tensor& d_weights);

// gradient_norm: of all parameters of the score.
Diagnosis diagnose(const Tensor& weights, const Tensor& mask, double gradient_norm);

// Attention dropout in training: keep [query, source] is true for what stays; each weight was dropped with probability
// p.
Tensor attention_dropout(const Tensor& weights, const Tensor& keep, double p);
Tensor attention_dropout_backward(const Tensor& d_output, const Tensor& keep, double p);

// A weight matrix [out, in] after Glorot, from numbers [out, in] that are uniform on [0, 1).
Tensor glorot_uniform(const Tensor& uniform);

struct Answer {
  decltype(&::entropy_share) entropy_share;
  decltype(&::softmax_gain) softmax_gain;
  decltype(&::diagnose) diagnose;
  decltype(&::attention_dropout) attention_dropout;
  decltype(&::attention_dropout_backward) attention_dropout_backward;
  decltype(&::glorot_uniform) glorot_uniform;
};
