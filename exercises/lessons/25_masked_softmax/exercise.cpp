//= title: Masked softmax
//= part: D
//= difficulty: 2
//= minutes: 20
//= after: 22
//= answer: masked_weights, masked_weights_vjp
//= not: masked_softmax, backward
//= mistake mask_times_scores
//=   question: Your padding has weights above 0. What is exp(0), and is a score of 0 a small score?
//=   because: a score times 0 is 0, and exp(0) = 1: a masked place counts as a place with score 0, so it gets more
//=     weight than a place with a negative score. And NaN times 0 is NaN. To get weight 0, a score must be far
//=     below all the others.
//= mistake mask_times_scores_and_weights
//=   question: Your padding has weight 0, but the weights of a row with padding do not sum to 1. Which score does a
//=     masked place have in your softmax, and what is its exp?
//=   because: a score times 0 is 0, and exp(0) = 1: the masked places take their share of the softmax, which is set to
//=     0 afterwards. And NaN times 0 is NaN. To get weight 0 a score must be far below all others.
//= mistake filled_with_zero
//=   question: Your padding has weights above 0. Which weight does a place with the score 0 get beside one with the
//=     score -1?
//=   because: exp(0) = 1 is not a small number. A masked place must get a score so far below the others that its
//=     exponential is exactly 0.
//= mistake masked_after_softmax
//=   question: Your padding has weight 0, but the weights of a row with padding do not sum to 1. What did the
//=     padding take away before you set it to 0?
//=   because: the softmax ran over all {source} places, so the masked ones are in its denominator. Setting them to
//=     0 afterwards does not give their share back to the others.
//= mistake zero_by_zero
//=   premise: Your weights are right except in a row without tokens.
//=   question: What do you divide there, and by what?
//=   because: in that row all weights are 0, and so is their sum: 0/0 is NaN. From that row the NaN reaches every
//=     shared parameter's gradient. (And a NaN in the padding gets into your first softmax.)
//= mistake renormalised
//=   premise: Your weights are right, but not where a masked score is far above all others, or NaN.
//=   question: Which scores does your softmax see?
//=   because: it runs over all {source} places, and what the masked ones got is divided out again afterwards. Where
//=     they got everything there is nothing left to divide, and a NaN among them is in all weights of its row.
//= mistake nan_row
//=   question: Your weights are NaN in a row without tokens. What does softmax return for a row of nothing but
//=     -inf?
//=   because: it subtracts the largest entry first, and -inf - (-inf) is NaN. A sentence without words must have
//=     weights 0.
//= mistake no_shift
//=   premise: Your weights are right for moderate scores, and NaN where the scores are near 1000 or -1000.
//=   question: What is exp(1000), and exp(-1000)?
//=   because: exp(1000) is inf and exp(-1000) is 0, so the quotient is inf/inf or 0/0. The largest score of a row's
//=     *words* must be subtracted first; softmax() does that by itself.
//= mistake largest_of_the_padding_too
//=   premise: Your weights are right as long as the padding's scores are small.
//=   question: Which scores does your largest one come from?
//=   because: the largest score was taken before the mask was applied. A score at a masked place, however large, or
//=     NaN, must have no influence: here it takes all the others down to exp(-1000) = 0, and a NaN reaches its
//=     whole row.
//= mistake one_maximum
//=   premise: Your weights are right, but not where one row's scores lie 2000 above another's.
//=   question: Whose largest score do you subtract?
//=   because: one largest score was taken for all {batch} rows. In a row far below it every exponential is 0. Each row
//=     needs its own.
//= mistake not_far_enough_below
//=   premise: Your weights are right for moderate scores, and too small in a row with padding whose scores are near
//=     -1000.
//=   question: What do you put at the padding there, and is it below them?
//=   because: a masked score was replaced by a number such as -9, -100 or -1000, which is far below some scores and
//=     level with others, or far above them. Then the padding gets a share of the weight, or all of it, which is set to
//=     0. It must be below any score: -1e300 will do.
//= mistake denominator_detached
//=   premise: Your weights are right, and the gradient that the engine finds for them is not.
//=   question: What does the engine take for a constant that is not one?
//=   because: the sum that you divide by was detached. It depends on every score of the row, and through it a score
//=     lowers the weights of the others. (The largest score may be detached: it cancels.)
//= mistake exp_of_the_padding
//=   premise: Your weights are right, and the gradient that the engine finds for them is NaN if there is a NaN in the
//=     padding.
//=   question: Which op is given that NaN, though its result is not used?
//=   because: exp() runs over the padding too, and its result there is set to 0 afterwards. On the way back, the
//=     gradient 0 arrives there, and exp multiplies it by the NaN that it saved. Replace the masked scores before
//=     the exp.
//= mistake minus_inf_added
//=   premise: Your weights are right, but the gradient that the engine finds for them is NaN in a row without
//=     tokens.
//=   question: Which NaN is on the way there, and what does an addition pass back?
//=   because: -inf is added to every score of that row, softmax turns it into NaN, and filling it with 0 afterwards
//=     hides the NaN only on the way forward. On the way back, 0 times the saved NaN is NaN, and an addition passes
//=     it on to the scores. (masked_fill would pass nothing back from the places that it fills. And NaN plus -inf
//=     is NaN.)
//= mistake uniform_row
//=   premise: Your weights are right except in a row without tokens, where all {source} places have 1/{source}.
//=   question: Where should a sentence without words look?
//=   because: all scores of that row are the same large negative number, and equal scores give equal weights. The
//=     average of padding would be taken for a context. Set masked places to 0 after the softmax as well.
//= mistake additive_mask
//=   question: In a row without tokens your weights are the same as without a mask. What happens in softmax to a
//=     number that is added to every score?
//=   because: a large negative number, added to all scores of a row, cancels: softmax sees differences only. (And
//=     NaN plus anything is NaN.) Replace the masked scores, and set their weights to 0 after the softmax as well.
//= mistake nan_stays_in_the_row
//=   question: Your weights are NaN in a row that has a NaN in its padding. Before the masked scores are taken out,
//=     what is computed with them?
//=   because: a masked score still takes part in something: a large negative number is added to it, or the largest
//=     of the row is taken, or a sum. That keeps finite numbers from having an influence, but anything computed
//=     with NaN is NaN. Replace the masked scores first, with masked_fill.
//= mistake inverted_mask
//=   question: Your weights are 0 exactly where they should not be. What does true mean in this mask?
//=   because: here true says that there is a token. Elsewhere, as in PyTorch's key_padding_mask, true says "ignore
//=     this".
//= mistake wrong_axis
//=   question: Your weights sum to 1 along one dim. Which one: should the {batch} sentences share the weight, or
//=     the {source} places of a sentence?
//=   because: each sentence distributes its own weight of 1 over its {source} places, along the last dim.
//= mistake numbers_copied
//=   premise: Your weights are right, but the engine finds no gradient for them.
//=   question: Where do they stop being the result of tensor ops?
//=   because: numbers were taken out of a tensor, and a new tensor was made from them. To the engine, that tensor
//=     is a constant: the tape ends there. softmax and masked_fill keep it.
//= mistake mask_forgotten_backwards
//=   premise: Your weights are right, and dscores is not 0 at the padding.
//=   question: Which weights does your backward pass use?
//=   because: they come from a softmax without the mask. A masked score has no influence on any weight, so its
//=     gradient is 0; with the masked weights it is 0 without further work.
//= mistake outer_factor_forgotten
//=   question: Your dscores is not 0 at the padding. Which factor of softmax's backward would make it so?
//=   because: dscores = weights (dy - sum(weights dy)). The factor in front is 0 at every masked place; without it
//=     dy itself leaks into the padding.
//= mistake diagonal_only
//=   question: Your dscores is weights (1 - weights) dy. If one score grows, what happens to the other weights of
//=     its row?
//=   because: they fall. That part of the Jacobian, off the diagonal, is missing; exercise 22 has it.
//= mistake plain_mean
//=   question: You subtract a mean of dy over all {source} places. Does dy at the padding have any influence on the
//=     loss?
//=   because: the mean is taken with the weights, which are 0 at the padding. A plain mean counts what arrives
//=     at the padding as well.
//= mistake mean_over_words
//=   question: You subtract the mean of dy over the words. Does each word have the same share in it?
//=   because: the mean is taken with the weights: a word that gets more of the weight counts more. A plain mean is
//=     right only where all words of a row have equal weights.
//= mistake mean_divided
//=   question: The weights of a row sum to 1. By what must the sum of weights * dy be divided to be a mean?
//=   because: the sum was divided by the number of places, {source}. A sum with weights that sum to 1 is a mean
//=     already.
//= mistake calls_the_engine
//=   premise: The numbers are right.
//=   question: What does the engine's masked_softmax do with a row that has no tokens at all, and what would you
//=     do?
//=   because: that op is what this exercise is about. softmax and masked_fill are enough to write it.

#include "given.h"

Tensor masked_weights(const Tensor& scores, const Tensor& mask) {
  //[
  //- // TODO: with tensor ops; softmax, logical_not and masked_fill are yours to use.
  //- todo("masked_weights: a softmax among the places where mask is true");
  const Tensor padding = logical_not(mask);
  //~ inverted_mask | const Tensor padding = mask;
  // Far below every score, but finite: the difference of two of them is 0, that of two -inf is NaN.
  const Tensor filled = scores.masked_fill(padding, -1e300);
  //~ not_far_enough_below.nine | const Tensor filled = scores.masked_fill(padding, -9.0);
  //~ not_far_enough_below.ten | const Tensor filled = scores.masked_fill(padding, -10.0);
  //~ not_far_enough_below.one | const Tensor filled = scores.masked_fill(padding, -1.0);
  //~ mask_times_scores | const Tensor filled = scores * mask.to(scores.dtype());
  //~ mask_times_scores_and_weights | const Tensor filled = scores * mask.to(scores.dtype());
  //~ not_far_enough_below | const Tensor filled = scores.masked_fill(padding, -100.0);
  //~ not_far_enough_below.thousand | const Tensor filled = scores.masked_fill(padding, -1000.0);
  //~ filled_with_zero | const Tensor filled = scores.masked_fill(padding, 0.0);
  //~ filled_with_zero.dy_cleaned | const Tensor filled = scores.masked_fill(padding, 0.0);
  //~ minus_inf_added | const Tensor filled = scores + zeros_like(scores).masked_fill(padding, -HUGE_VAL);
  //~ nan_row | const Tensor filled = scores.masked_fill(padding, -HUGE_VAL);
  //~ additive_mask | const Tensor filled = scores + padding.to(scores.dtype()) * -1e4;
  //~ nan_stays_in_the_row | const Tensor filled = scores + padding.to(scores.dtype()) * -1e9;
  const Tensor weights = softmax(filled, -1);
  //~ wrong_axis | const Tensor weights = softmax(filled, 0);
  return weights.masked_fill(padding, 0.0);  // and a row without any place becomes 0
  //~ numbers_copied | const std::vector<double> numbers = weights.masked_fill(padding, 0.0).to_vector();
  //~ numbers_copied | return autograd::from_vector(numbers, scores.shape(), scores.dtype());
  //~ mask_times_scores | return weights;
  //~ filled_with_zero | return weights;
  //~ filled_with_zero.dy_cleaned | return weights;
  //~ nan_row | return weights;
  //~ additive_mask | return weights;
  //~ uniform_row | return weights;
  //~ masked_after_softmax 5 | return softmax(scores, -1) * mask.to(scores.dtype());
  //~ masked_after_softmax.by_filling 5 | return softmax(scores, -1).masked_fill(logical_not(mask), 0.0);
  //~ masked_after_softmax.without_nan 5 | const Tensor numbers = scores.masked_fill(isnan(scores), 0.0);
  //~ masked_after_softmax.without_nan | return softmax(numbers, -1).masked_fill(logical_not(mask), 0.0);
  //~ masked_after_softmax.nan_far_below 5 | const Tensor numbers = scores.masked_fill(isnan(scores), -1e30);
  //~ masked_after_softmax.nan_far_below | return softmax(numbers, -1).masked_fill(logical_not(mask), 0.0);
  //~ zero_by_zero 5 | const Tensor kept = softmax(scores, -1) * mask.to(scores.dtype());
  //~ zero_by_zero | return kept / kept.sum({-1}, true);
  //~ renormalised 5 | const Tensor kept = softmax(scores, -1).masked_fill(logical_not(mask), 0.0);
  //~ renormalised | const Tensor words = mask.to(scores.dtype()).sum({-1}, true);
  //~ renormalised | return kept / kept.sum({-1}, true).masked_fill(words == 0.0, 1.0);
  //~ one_maximum 5 | const Tensor padding = logical_not(mask);
  //~ one_maximum | const Tensor filled = scores.masked_fill(padding, -1e300);
  //~ one_maximum | const Tensor kept = exp(filled - filled.detach().amax()).masked_fill(padding, 0.0);
  //~ one_maximum | const Tensor sums = kept.sum({-1}, true);
  //~ one_maximum | return kept / sums.masked_fill(sums == 0.0, 1.0);
  //~ exp_of_the_padding 5 | const Tensor padding = logical_not(mask);
  //~ exp_of_the_padding | const Tensor largest = scores.detach().masked_fill(padding, -1e300).amax({-1}, true);
  //~ exp_of_the_padding | const Tensor kept = exp(scores - largest).masked_fill(padding, 0.0);
  //~ exp_of_the_padding | const Tensor sums = kept.sum({-1}, true);
  //~ exp_of_the_padding | return kept / sums.masked_fill(sums == 0.0, 1.0);
  //~ denominator_detached 5 | const Tensor padding = logical_not(mask);
  //~ denominator_detached | const Tensor filled = scores.masked_fill(padding, -1e300);
  //~ denominator_detached | const Tensor largest = filled.detach().amax({-1}, true);
  //~ denominator_detached | const Tensor kept = exp(filled - largest).masked_fill(padding, 0.0);
  //~ denominator_detached | const Tensor sums = kept.detach().sum({-1}, true);
  //~ denominator_detached | return kept / sums.masked_fill(sums == 0.0, 1.0);
  //~ no_shift 5 | const Tensor padding = logical_not(mask);
  //~ no_shift | const Tensor kept = exp(scores.masked_fill(padding, 0.0)).masked_fill(padding, 0.0);
  //~ no_shift | const Tensor sums = kept.sum({-1}, true);
  //~ no_shift | return kept / sums.masked_fill(sums == 0.0, 1.0);
  //~ largest_of_the_padding_too 5 | const Tensor padding = logical_not(mask);
  //~ largest_of_the_padding_too | const Tensor largest = scores.amax({-1}, true);
  //~ largest_of_the_padding_too | const Tensor kept = exp(scores - largest).masked_fill(padding, 0.0);
  //~ largest_of_the_padding_too | const Tensor sums = kept.sum({-1}, true);
  //~ largest_of_the_padding_too | return kept / sums.masked_fill(sums == 0.0, 1.0);
  //~ calls_the_engine 5 | return masked_softmax(scores, mask);
  //]
}

Tensor masked_weights_vjp(const Tensor& dy, const Tensor& scores, const Tensor& mask) {
  //[
  //- // TODO: masked_weights() is yours to call here. Must the mask appear once more?
  //- //   probe("weighted_mean", weighted_mean)   [batch, 1]
  //- todo("masked_weights_vjp: the gradient dscores");
  const Tensor weights = masked_weights(scores, mask);
  //~ mask_forgotten_backwards | const Tensor weights = softmax(scores, -1);
  const Tensor weighted_mean = (weights * dy).sum({-1}, true);
  //~ mean_divided | const Tensor weighted_mean = (weights * dy).mean({-1}, true);
  //~ mean_over_words | const Tensor words = mask.to(dy.dtype()).sum({-1}, true);
  //~ mean_over_words | const Tensor of_words = dy.masked_fill(logical_not(mask), 0.0).sum({-1}, true);
  //~ mean_over_words | const Tensor weighted_mean = of_words / words.masked_fill(words == 0.0, 1.0);
  //~ plain_mean | const Tensor weighted_mean = dy.mean({-1}, true);
  probe("weighted_mean", weighted_mean);
  return weights * (dy - weighted_mean);
  //~ filled_with_zero.dy_cleaned 3 | const Tensor cleaned = dy.masked_fill(logical_not(mask), 0.0);
  //~ filled_with_zero.dy_cleaned | return weights * (cleaned - (weights * cleaned).sum({-1}, true));
  //~ outer_factor_forgotten | return dy - weighted_mean;
  //~ diagonal_only 3 | return weights * (1.0 - weights) * dy;
  //]
}
