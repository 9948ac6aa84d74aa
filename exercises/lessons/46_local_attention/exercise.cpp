//= title: Local attention
//= part: H
//= difficulty: 2
//= minutes: 25
//= after: 45
//= answer: predict_position, local_weights, position_backward
//= mistake length_forgotten
//=   question: Your p is between 0 and 1 for every sentence. At which words of a sentence of 8 can it then point?
//=   because: the sigmoid gives a fraction of the sentence; p is that fraction times the sentence's length.
//= mistake padded_length
//=   premise: Your p is right for the longest sentence only.
//=   question: How long is the sentence, and how wide is the tensor?
//=   because: S is the number of words of *this* sentence. The width of the batch is the length of its longest one,
//=     so a short sentence changes its p when a longer one joins the batch.
//= mistake to_the_last_word
//=   question: A sigmoid of nearly 1: where is p, at S or at S - 1?
//=   because: the fraction was multiplied by S - 1, the last word's position. The text's p goes from 0 to S.
//= mistake tanh_forgotten
//=   question: Your p is what v_p . (W_p s) gives. How many layers does the network that predicts p have?
//=   because: without the tanh, v_p and W_p are one vector, and W_p adds nothing to it.
//= mistake gaussian_missing
//=   question: Your weights are those of a softmax inside the window. How does p get a gradient from them?
//=   because: the window only moves in jumps, so only the Gaussian makes the weights depend on p smoothly. Here it
//=     is missing, and every row still sums to 1.
//= mistake sigma_is_window
//=   question: At the edge of the window, a distance of D, the Gaussian should be exp(-2). What is yours there?
//=   because: sigma is D / 2. With sigma = D the Gaussian at the edge is exp(-1/2) = 0.61: hardly local.
//= mistake two_forgotten
//=   question: At a distance of one sigma the Gaussian is exp(-1/2) = 0.61. What is yours there?
//=   because: the exponent is -(i - p)^2 / (2 sigma^2); the 2 is missing, which is a Gaussian narrower by sqrt(2).
//= mistake sigma_not_squared
//=   question: If D is doubled, is a word at twice the distance damped as much as before? What does your exponent
//=     give?
//=   because: the exponent is -(i - p)^2 / (2 sigma^2), where distance and sigma are both squared, so that only their
//=     ratio counts. Here sigma is not squared. (With D = 2 sigma is 1, and nobody sees it.)
//= mistake window_missing
//=   question: How many of your weights in the first sentence are exactly 0? How many words lie further than D from
//=     p?
//=   because: the Gaussian makes far words small but not 0, and all of them still share in the softmax's sum. The
//=     point of the window is that their scores are not needed at all.
//= mistake window_around_a_word
//=   question: With p = 3.3 and D = 2, is word 1 in the window? How far is it from p?
//=   because: p was rounded to a word before the window was laid around it. p is a place, possibly between two words,
//=     and the distance of a word is measured from there.
//= mistake edge_left_out
//=   question: In the text's example five words share the softmax. How many do in yours, and which are missing?
//=   because: the window is |i - p| <= D. A word at a distance of exactly D belongs to it, and < leaves it out.
//= mistake window_after_softmax
//=   question: Between which words does your softmax share out its 1: those of the window, or all of the sentence?
//=   because: the weights outside were set to 0 after the softmax, which had given them a share. The softmax is
//=     over the words in the window.
//= mistake padding_after_softmax
//=   question: What do the shares of a short sentence's own words sum to, before the Gaussian?
//=   because: padding inside the window took part in the softmax and was set to 0 afterwards. What it had got is
//=     missing elsewhere: it must be left out of the softmax.
//= mistake padding_in_window
//=   question: Is every position of the window a word? Look at a sentence whose p is near its end.
//=   because: where the window reaches over the end of the sentence, padding took part in the softmax.
//= mistake renormalised
//=   question: Your rows sum to 1. What does the formula do to the sum that the softmax has made 1?
//=   because: in Luong et al. the Gaussian comes after the softmax and nothing divides by the new sum, so a row
//=     sums to less than 1. (Written with a "proportional to", as in many summaries, it would be what you have.)
//= mistake position_sign
//=   question: Raise p a little. Does a word to the right of p gain or lose weight?
//=   because: d/dp of -(i - p)^2 is +2 (i - p): a word with i > p comes nearer and gains.
//= mistake softmax_again
//=   question: Which of the two factors of a weight contains p: the softmax or the Gaussian?
//=   because: p is in the Gaussian, after the softmax. The softmax's derivative, which subtracts a weighted mean,
//=     is for what went into it: the scores.
//= mistake weights_forgotten
//=   question: A word outside the window has weight 0. Which gradient does p get from it in your sum?
//=   because: d a_i / dp is a_i (i - p) / sigma^2. Without the factor a_i, words outside the window and padding
//=     pull at p as well.
//= mistake sigma_not_squared_backward
//=   question: Your d_position is sigma times the expected one. What is the derivative of (i - p)^2 / (2 sigma^2)?
//=   because: 2 (i - p) / (2 sigma^2): the 2 goes, the square of sigma stays. Here sigma stands there without it.
//= mistake variance_forgotten
//=   question: A wide Gaussian and a narrow one: for which does a little step of p change the weights more? Where is
//=     that in your d_position?
//=   because: d a_i / dp is a_i (i - p) / sigma^2; the division by sigma^2 is missing. (With D = 2 sigma is 1, and
//=     nobody sees it.)

#include "given.h"

Tensor predict_position(const Tensor& query, const PositionWeights& weights, const Tensor& lengths) {
  //[
  //- // TODO: p = S sigmoid(v_p . tanh(W_p s)), a number per sentence.
  //- todo("predict_position: where to look, a number from 0 to the sentence's length");
  const Tensor hidden = tanh(linear(query, weights.W_p));  // [batch, attention]
  //~ tanh_forgotten | const Tensor hidden = linear(query, weights.W_p);
  const Tensor fraction = sigmoid(matmul(hidden, weights.v_p));  // [batch]
  return lengths * fraction;
  //~ to_the_last_word | return (lengths - 1.0) * fraction;
  //~ length_forgotten | return fraction;
  //~ padded_length | return lengths.amax() * fraction;
  //]
}

Tensor local_weights(const Tensor& scores, const Tensor& position, const Tensor& mask, double window) {
  //[
  //- // TODO: softmax over the words within `window` of the position, times the Gaussian.
  //- // probe("gaussian", gaussian) shows an intermediate value to the checker.
  //- todo("local_weights: softmax inside the window, times the Gaussian");
  const double sigma = window / 2.0;
  //~ sigma_is_window | const double sigma = window;
  const Tensor places = autograd::arange(scores.size(1), autograd::float64);  // [source]
  const Tensor distance = places - position.unsqueeze(1);                     // [batch, source]
  const Tensor gaussian = exp(-(distance * distance) / (2.0 * sigma * sigma));
  //~ sigma_not_squared | const Tensor gaussian = exp(-(distance * distance) / (2.0 * sigma));
  //~ two_forgotten | const Tensor gaussian = exp(-(distance * distance) / (sigma * sigma));
  probe("gaussian", gaussian);
  const Tensor inside = logical_and(mask, abs(distance) <= window);
  //~ window_around_a_word | const Tensor word = (position + 0.5).to(autograd::int64).to(autograd::float64);
  //~ window_around_a_word | const Tensor inside = logical_and(mask, abs(places - word.unsqueeze(1)) <= window);
  //~ window_missing | const Tensor inside = mask;
  //~ edge_left_out | const Tensor inside = logical_and(mask, abs(distance) < window);
  //~ padding_in_window | const Tensor inside = abs(distance) <= window;
  const Tensor shares = masked_softmax(scores, inside);
  //~ padding_after_softmax | const Tensor near = abs(distance) <= window;
  //~ padding_after_softmax | const Tensor shares = masked_softmax(scores, near) * mask.to(scores.dtype());
  //~ window_after_softmax | const Tensor shares = masked_softmax(scores, mask) * inside.to(scores.dtype());
  return shares * gaussian;
  //~ gaussian_missing | return shares;
  //~ renormalised | return shares * gaussian / (shares * gaussian).sum({1}, true);
  //]
}

Tensor position_backward(const Tensor& d_weights, const Tensor& weights, const Tensor& position, double window) {
  //[
  //- // TODO: the gradient of the position. Only the Gaussian depends on it.
  //- todo("position_backward: the gradient of the position");
  const double variance = window * window / 4.0;
  //~ sigma_not_squared_backward | const double variance = window / 2.0;
  //~ variance_forgotten | const double variance = 1.0;
  const Tensor places = autograd::arange(weights.size(1), autograd::float64);
  const Tensor distance = places - position.unsqueeze(1);
  //~ position_sign | const Tensor distance = position.unsqueeze(1) - places;
  const Tensor d_gain = d_weights * weights;  // weights = shares * gaussian, and d(gaussian)/dp has it as a factor
  //~ softmax_again | const Tensor d_gain = weights * (d_weights - (d_weights * weights).sum({1}, true));
  //~ weights_forgotten | const Tensor d_gain = d_weights;
  return (d_gain * distance / variance).sum({1});
  //]
}
