//= title: Theory: a distribution
//= part: F
//= difficulty: 2
//= minutes: 25
//= after: 25
//= answer: attention_weights, non_negative, sums_to_one, shift_invariant, alone_gets_all, equivariant, masked_is_zero
//= mistake over_the_batch
//=   question: In your weights, what adds up to 1: a row of {source} positions, or a column of {batch} sentences?
//=   because: dim 0 is the batch. Summed over it, the {batch} sentences compete with each other for each position.
//= mistake score_times_mask
//=   question: What weight does a score of 0 get, next to scores around 0?
//=   because: e^0 is 1, not 0. A masked score must become minus infinity, or its power 0.
//= mistake masked_afterwards
//=   question: What do your weights add up to in a sentence with padding? Where did the rest go?
//=   because: the padding took its share of the sum before it was set to 0. The share that the padding must not have
//=     belongs to the words: mask first, then divide.
//= mistake maximum_not_subtracted
//=   question: What is exp(800)? Your weights are wrong only where the scores are that large.
//=   because: e^800 is beyond the largest double and becomes infinity, and infinity / infinity is NaN. With the row's
//=     maximum subtracted, the powers are at most 1, and the quotient is the same.
//= mistake maximum_of_the_batch
//=   question: One sentence has scores around 800, another around 0. What does exp() make of the second one's in yours?
//=   because: you subtract the largest score of all {batch} sentences. What is left of one far below it is e^-800,
//=     which is 0, and 0 / 0 is NaN. Each sentence needs its own maximum: amax({1}, true).
//= mistake maximum_of_padding
//=   question: Among which scores do you look for the maximum? What if the largest one stands where there is no word?
//=   because: next to padding at 800 the powers of all words around 0 are e^-800, which is 0, and 0 / 0 is NaN. Hide
//=     the padding first, and look for the maximum among what is left.
//= mistake maximum_at_least_0
//=   question: Can your maximum be negative? Which one do you subtract if all scores of a sentence are around -800?
//=   because: the search begins at 0, so 0 is what is subtracted: e^-800 is 0, and 0 / 0 is NaN. It may begin at
//=     -INFINITY, or at the first word's score.
//= mistake nan_passes
//=   question: Is NaN smaller than 0? Is it at least 0?
//=   because: every comparison with NaN is false. "No weight is below 0" holds for NaN, "every weight is at least 0"
//=     does not. no_maximum at large scores gives NaN, and yours lets it pass.
//= mistake one_is_enough
//=   question: Your non_negative rejects nothing. How many weights have to be at least 0: one of them?
//=   because: any() is true as soon as one weight is. A property of every weight needs all().
//= mistake sums_over_the_batch
//=   question: Which candidates does your sums_to_one reject, and which does it accept? Along which dim does it add
//=     up?
//=   because: yours demands that each position's weights add up to 1 over the {batch} sentences. The right ones do
//=     not, and over_the_batch does.
//= mistake at_most_one
//=   question: Your sums_to_one accepts masked_afterwards, whose rows add up to less than 1. What exactly does it
//=     ask?
//=   because: a probability distribution has sum 1. A one-sided check lets through whatever gives weight away.
//= mistake exactly_one
//=   premise: Your sums_to_one rejects ways that are right.
//=   question: By how much do their sums differ from 1?
//=   because: quotients are rounded, and their sum is 1 up to the last digit or two. Ask for 1 within 1e-9.
//= mistake total_only
//=   question: One sentence's weights add up to 1.1, another's to 0.9. What does your sums_to_one say?
//=   because: yours adds up the weights of all sentences. Each is a distribution of its own: sum({1}), one sum for
//=     each.
//= mistake sum_with_a_wide_margin
//=   question: Your sums_to_one accepts a_little_more, whose weights add up to 1.0001. How large is a rounding error?
//=   because: a double has 16 digits, and the sum of a few quotients is right to about 15. 1e-9 is plenty; a larger
//=     margin lets mistakes pass.
//= mistake small_shift
//=   question: The property should hold for every c. For which c would it be hardest to keep?
//=   because: yours tries a c at which nothing overflows, and so accepts no_maximum. At c = 1000 its powers are
//=     infinite.
//= mistake shift_upwards_only
//=   question: A number was filled in where a score is masked. How must you shift the other scores to make that
//=     number the largest?
//=   because: with all scores at -1000, a -9 (or a 0) on a masked place is the maximum, and takes all the weight.
//=     Shifted upwards only, large scores hide it.
//= mistake shift_downwards_only
//=   question: scores_above_20_alike takes all scores above 20 for 20. Which shift shows that?
//=   because: shifted down, its scores stay below 20, and nothing is seen. Try a property for every c on
//=     both sides.
//= mistake scaled_instead
//=   question: Should twice the scores give the same weights? Is that what adding c to each does?
//=   because: softmax sees differences. Adding c leaves them unchanged, a factor does not: doubling the scores gives
//=     a sharper distribution.
//= mistake order_ignored
//=   question: If the words change places, should the weights stay where they are, or move with the words?
//=   because: unchanged weights would be *in*variance. The property is *equi*variance: the weights are permuted the
//=     same way. Yours rejects every right way.
//= mistake mask_left_behind
//=   question: After you moved the scores, does the mask still say the same about each word?
//=   because: the mask belongs to the words. Left where it was, it hides other words than before, and right ways look
//=     wrong.
//= mistake nearly_zero
//=   question: filled_with_minus_9 gives padding a weight of about e^-9. Is that a weight of zero?
//=   because: a word that is not there must not be seen at all, however long the sentence or low the other scores.
//=     Yours accepts a small weight: that is a measured 0, not a proven one.
//= mistake words_for_padding
//=   question: Whose weight does your masked_is_zero want to be 0: where the mask is true, or where it is false?
//=   because: the mask is true at words, and these are what you look at. masked_fill() fills where its mask is true,
//=     so with the mask itself it leaves the padding.
//= mistake tiny_passes
//=   question: filled_with_minus_60 gives padding a weight of about e^-60. Is that exactly zero?
//=   because: e^-60 is below every margin, and becomes large as soon as the other scores are at -60, too. Exactly 0
//=     stays 0 whatever the scores: compare with == 0.
//= mistake first_sentence_only
//=   question: How many sentences does a sample have? How many does your alone_gets_all look at?
//=   because: only the weight in row 0 is compared, and last_sentence_halved goes wrong in the last one only.
//= mistake alone_by_mask
//=   question: You hid all positions but one. Which candidate goes wrong only if there *is* just one position?
//=   because: squeezed loses the source dim when its length is 1, and then normalises over the batch. A mask leaves
//=     the length as it was; narrow(1, 0, 1) makes it 1.
//= mistake alone_already
//=   question: The sample has {source} positions. On which sentences of one position does your alone_gets_all try it?
//=   because: on none: where the sample is longer you say true without looking, and so reject nothing. Make the short
//=     sentences yourself: narrow(1, 0, 1) of scores and mask.
//= equal mutant: return all((sums - 1.0).abs() < 1e-9);
//= equal mutant: return all((weight - 1.0).abs() < 1e-9);
//=   because: nothing is off by the margin itself.
//= equal mutant: const Tensor up = attend(sample.scores + 2000.5, sample.mask);
//= equal mutant: const Tensor down = attend(sample.scores - 2000.5, sample.mask);
//=   because: a shift that is large enough may be larger.
//= equal mutant: const Tensor score = sample.scores.narrow(1, 1, 1);
//= equal mutant: const Tensor score = sample.scores.narrow(1, -1, 1);
//=   because: any score will do: alone, it gets all.

#include "given.h"

Tensor attention_weights(const Tensor& scores, const Tensor& mask) {
  //[
  //- // TODO: exp(scores), divided by its sum. Where does the mask come in, and what keeps exp from overflowing?
  //- todo("attention_weights: a masked softmax without softmax");
  const Tensor visible = scores.masked_fill(logical_not(mask), -INFINITY);
  //~ score_times_mask | const Tensor visible = scores * mask.to(autograd::float64);
  //~ masked_afterwards | const Tensor visible = scores;
  const Tensor powers = exp(visible - visible.amax({1}, true));
  //~ over_the_batch | const Tensor powers = exp(visible - visible.amax({0}, true));
  //~ maximum_not_subtracted | const Tensor powers = exp(visible);
  //~ maximum_of_the_batch | const Tensor powers = exp(visible - visible.amax());
  //~ maximum_of_padding | const Tensor powers = exp(visible - scores.amax({1}, true));
  //~ maximum_at_least_0 | const Tensor powers = exp(visible - visible.amax({1}, true).clamp(0.0, INFINITY));
  return powers / powers.sum({1}, true);
  //~ over_the_batch | return powers / powers.sum({0}, true);
  //~ masked_afterwards | return (powers / powers.sum({1}, true)).masked_fill(logical_not(mask), 0.0);
  //]
}

bool non_negative(const Attend& attend, const Sample& sample) {
  //[
  //- // TODO: true if every weight is at least 0. Is NaN?
  //- todo("non_negative");
  return all(attend(sample.scores, sample.mask) >= 0.0);
  //~ one_is_enough | return any(attend(sample.scores, sample.mask) >= 0.0);
  //~ nan_passes | return !any(attend(sample.scores, sample.mask) < 0.0);
  //]
}

bool sums_to_one(const Attend& attend, const Sample& sample) {
  //[
  //- // TODO: true if the weights of each sentence add up to 1, within rounding.
  //- todo("sums_to_one");
  const Tensor sums = attend(sample.scores, sample.mask).sum({1});
  //~ sums_over_the_batch | const Tensor sums = attend(sample.scores, sample.mask).sum({0});
  return all((sums - 1.0).abs() <= 1e-9);
  //~ at_most_one | return all(sums <= 1.0 + 1e-9);
  //~ exactly_one | return all(sums == 1.0);
  //~ total_only | return std::abs(sums.sum().item() - static_cast<double>(sums.numel())) <= 1e-9;
  //~ sum_with_a_wide_margin | return all((sums - 1.0).abs() <= 0.01);
  //]
}

bool shift_invariant(const Attend& attend, const Sample& sample) {
  //[
  //- // TODO: true if scores + c give the same weights. You cannot try every c: try those for which it is hardest.
  //- todo("shift_invariant");
  const Tensor weights = attend(sample.scores, sample.mask);
  const Tensor up = attend(sample.scores + 1000.0, sample.mask);
  //~ small_shift | const Tensor up = attend(sample.scores + 1.0, sample.mask);
  //~ shift_downwards_only | const Tensor up = weights;
  //~ scaled_instead | const Tensor up = attend(sample.scores * 2.0, sample.mask);
  const Tensor down = attend(sample.scores - 1000.0, sample.mask);
  //~ small_shift | const Tensor down = attend(sample.scores - 1.0, sample.mask);
  //~ shift_upwards_only | const Tensor down = weights;
  return allclose(up, weights) && allclose(down, weights);
  //]
}

bool alone_gets_all(const Attend& attend, const Sample& sample) {
  //[
  //- // TODO: true if a sentence of one word gives it the weight 1. Make such sentences from the sample.
  //- todo("alone_gets_all");
  const Tensor score = sample.scores.narrow(1, 0, 1);  // [batch, 1]
  //~ alone_already | if (sample.scores.size(1) > 1) return true;
  //~ alone_already | const Tensor score = sample.scores;
  const Tensor mask = sample.mask.narrow(1, 0, 1);
  const Tensor weight = attend(score, mask);
  //~ alone_by_mask | const Tensor first = autograd::arange(sample.scores.size(1)) == 0.0;
  //~ alone_by_mask | const Tensor only_first = logical_and(sample.mask, first);
  //~ alone_by_mask | const Tensor weight = attend(sample.scores, only_first).narrow(1, 0, 1);
  return all((weight - 1.0).abs() <= 1e-9);
  //~ first_sentence_only | return std::abs(weight.at({0, 0}) - 1.0) <= 1e-9;
  //]
}

bool equivariant(const Attend& attend, const Sample& sample) {
  //[
  //- // TODO: true if permuting the words permutes the weights. index_select(1, order) or flip(x, {1}) permutes.
  //- todo("equivariant");
  const Tensor weights = attend(sample.scores, sample.mask);
  const Tensor permuted = attend(flip(sample.scores, {1}), flip(sample.mask, {1}));
  //~ mask_left_behind | const Tensor permuted = attend(flip(sample.scores, {1}), sample.mask);
  return allclose(permuted, flip(weights, {1}));
  //~ order_ignored | return allclose(permuted, weights);
  //]
}

bool masked_is_zero(const Attend& attend, const Sample& sample) {
  //[
  //- // TODO: true if every masked position has the weight 0: exactly 0.
  //- todo("masked_is_zero");
  const Tensor of_words_dropped = attend(sample.scores, sample.mask).masked_fill(sample.mask, 0.0);
  //~ words_for_padding | const Tensor weights = attend(sample.scores, sample.mask);
  //~ words_for_padding | const Tensor of_words_dropped = weights.masked_fill(logical_not(sample.mask), 0.0);
  return all(of_words_dropped == 0.0);
  //~ tiny_passes | return all(of_words_dropped.abs() < 1e-6);
  //~ nearly_zero | return all(of_words_dropped.abs() < 1e-3);
  //]
}
