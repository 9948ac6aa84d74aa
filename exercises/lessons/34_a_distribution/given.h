// What is given in exercise 34: ways to make weights from scores, three right, eight not, and seven nearly; and the
// functions to write.
#pragma once

#include <judge/learner.h>

#include <functional>

namespace given {

// Makes weights [batch, source] from scores [batch, source]; mask [batch, source] is true where there is a word. Every
// row has at least one.
using Attend = std::function<Tensor(const Tensor& scores, const Tensor& mask)>;

struct Candidate {
  std::string name;
  Attend attend;
};

// What a property is tried on. scores and mask are [batch, source]; position 0 has a word in every row.
struct Sample {
  Tensor scores;
  Tensor mask;
};

// ---- right ----------------------------------------------------------------------------------------------------------

inline Tensor filled(const Tensor& scores, const Tensor& mask) {
  return scores.masked_fill(logical_not(mask), -INFINITY).softmax(1);
}

// The engine's own.
inline Tensor masked(const Tensor& scores, const Tensor& mask) {
  return masked_softmax(scores, mask);
}

inline Tensor through_logs(const Tensor& scores, const Tensor& mask) {
  const Tensor visible = scores.masked_fill(logical_not(mask), -INFINITY);
  return exp(visible - visible.logsumexp({1}, true));
}

// ---- broken: which property does each lack? ------------------------------------------------------------------------

inline Tensor no_exp(const Tensor& scores, const Tensor& mask) {
  const Tensor visible = scores.masked_fill(logical_not(mask), 0.0);
  return visible / visible.sum({1}, true);
}

inline Tensor over_the_batch(const Tensor& scores, const Tensor& mask) {
  return scores.masked_fill(logical_not(mask), -INFINITY).softmax(0);
}

inline Tensor masked_afterwards(const Tensor& scores, const Tensor& mask) {
  return scores.softmax(1).masked_fill(logical_not(mask), 0.0);
}

inline Tensor no_maximum(const Tensor& scores, const Tensor& mask) {
  const Tensor powers = exp(scores).masked_fill(logical_not(mask), 0.0);
  return powers / powers.sum({1}, true);
}

// squeeze() without a dim, as it exists elsewhere: all dims of length 1 go.
inline Tensor squeezed(const Tensor& scores, const Tensor& mask) {
  const Tensor visible = scores.masked_fill(logical_not(mask), -INFINITY);
  const Tensor few_dims = visible.size(1) == 1 ? visible.squeeze(1) : visible;
  return few_dims.softmax(-1).reshape(scores.shape());
}

inline Tensor favours_the_end(const Tensor& scores, const Tensor& mask) {
  const Tensor position = autograd::arange(scores.size(1), autograd::float64);
  return masked_softmax(scores + 0.5 * position, mask);
}

inline Tensor times_mask(const Tensor& scores, const Tensor& mask) {
  return (scores * mask.to(autograd::float64)).softmax(1);
}

inline Tensor filled_with_minus_9(const Tensor& scores, const Tensor& mask) {
  return scores.masked_fill(logical_not(mask), -9.0).softmax(1);
}

// ---- right but for a little: a test that looks at too little lets them pass ----------------------------------------

// `weights`, with the last sentence replaced by that of `other`.
inline Tensor with_last_sentence(const Tensor& weights, const Tensor& other) {
  const std::int64_t last = weights.size(0) - 1;
  return autograd::cat({weights.narrow(0, 0, last), other.narrow(0, last, 1)}, 0);
}

inline Tensor last_sentence_halved(const Tensor& scores, const Tensor& mask) {
  const Tensor weights = filled(scores, mask);
  return with_last_sentence(weights, 0.5 * weights);
}

inline Tensor last_sentence_without_exp(const Tensor& scores, const Tensor& mask) {
  return with_last_sentence(filled(scores, mask), no_exp(scores, mask));
}

inline Tensor last_sentence_favours_the_end(const Tensor& scores, const Tensor& mask) {
  return with_last_sentence(filled(scores, mask), favours_the_end(scores, mask));
}

// All sentences together have what they should have.
inline Tensor first_takes_from_the_last(const Tensor& scores, const Tensor& mask) {
  const Tensor weights = filled(scores, mask);
  const Tensor first_has_more = with_last_sentence(weights, 0.9 * weights);
  return flip(with_last_sentence(flip(first_has_more, {0}), flip(1.1 * first_has_more, {0})), {0});
}

inline Tensor a_little_more(const Tensor& scores, const Tensor& mask) {
  return 1.0001 * filled(scores, mask);
}

inline Tensor filled_with_minus_60(const Tensor& scores, const Tensor& mask) {
  return scores.masked_fill(logical_not(mask), -60.0).softmax(1);
}

inline Tensor scores_above_20_alike(const Tensor& scores, const Tensor& mask) {
  return filled(scores.clamp(-INFINITY, 20.0), mask);
}

inline std::vector<Candidate> nearly_right() {
  return {{"last_sentence_halved", last_sentence_halved},
          {"last_sentence_without_exp", last_sentence_without_exp},
          {"last_sentence_favours_the_end", last_sentence_favours_the_end},
          {"first_takes_from_the_last", first_takes_from_the_last},
          {"a_little_more", a_little_more},
          {"filled_with_minus_60", filled_with_minus_60},
          {"scores_above_20_alike", scores_above_20_alike}};
}

inline std::vector<Candidate> candidates() {
  return {{"filled", filled},
          {"masked", masked},
          {"through_logs", through_logs},
          {"no_exp", no_exp},
          {"over_the_batch", over_the_batch},
          {"masked_afterwards", masked_afterwards},
          {"no_maximum", no_maximum},
          {"squeezed", squeezed},
          {"favours_the_end", favours_the_end},
          {"times_mask", times_mask},
          {"filled_with_minus_9", filled_with_minus_9}};
}

}  // namespace given

using given::Attend;
using given::Sample;

// The weights, from exp, sums and maxima: without softmax.
Tensor attention_weights(const Tensor& scores, const Tensor& mask);

// Does `attend` have the property, as far as this sample can tell?
bool non_negative(const Attend& attend, const Sample& sample);
bool sums_to_one(const Attend& attend, const Sample& sample);
bool shift_invariant(const Attend& attend, const Sample& sample);
bool alone_gets_all(const Attend& attend, const Sample& sample);
bool equivariant(const Attend& attend, const Sample& sample);
bool masked_is_zero(const Attend& attend, const Sample& sample);

struct Answer {
  decltype(&::attention_weights) attention_weights;
  decltype(&::non_negative) non_negative;
  decltype(&::sums_to_one) sums_to_one;
  decltype(&::shift_invariant) shift_invariant;
  decltype(&::alone_gets_all) alone_gets_all;
  decltype(&::equivariant) equivariant;
  decltype(&::masked_is_zero) masked_is_zero;
};
