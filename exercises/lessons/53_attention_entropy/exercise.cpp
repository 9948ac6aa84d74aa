//= title: The entropy of attention
//= part: I
//= difficulty: 2
//= minutes: 20
//= after: 22
//= answer: entropy, entropy_backward, entropy_slope, covered_share, entropy_gap
//= mistake softmax_half_way
//=   question: Raise all scores of a row by the same amount: does any weight change? What must the d_scores of a row
//=     sum to?
//=   because: weights * d_weights is one half of softmax's backward. The other one, minus the weights times the sum of
//=     weights * d_weights, is missing: a score also lowers the weights of the others.
//= mistake zero_times_log_zero
//=   question: What is log(0)? And 0 times that?
//=   because: a masked word has weight 0, and 0 times minus infinity is NaN. The limit of a log a for a -> 0 is 0.
//= mistake epsilon_too_large
//=   question: What is the entropy of a row that is completely sure? And yours?
//=   because: something was added inside the log to keep it finite, 1e-6 here, and it shows in the result. A word
//=     without weight can be left out exactly.
//= mistake small_weights_dropped
//=   question: Which weights do you leave out: those that are 0, or small ones, too?
//=   because: only a weight of exactly 0 counts nothing. A small one has a large -log a: 1e-8 of the weight is 2e-7
//=     of entropy.
//= mistake summed_over_dim_1
//=   question: With weights [batch, target, source], over which dim is your sum?
//=   because: dim 1 is the last one only where there are two. The weights of a row lie along the last dim, which is
//=     -1 for any number of dims.
//= mistake bits
//=   question: Two words with weight 1/2 each: which number do you get, and in which unit?
//=   because: the logarithm has base 2, so yours is 1 / log(2) = 1.4427 times the entropy in nats.
//= mistake mean_over_words
//=   question: What is the entropy of {source} equal weights? And yours?
//=   because: the terms a log a were averaged over the {source} words. The entropy is an average already, of -log
//=     a, with the weights as probabilities.
//= mistake minus_forgotten
//=   question: Can an entropy be negative?
//=   because: log a is negative for a < 1; the minus turns it into a sum of positive terms.
//= mistake gradient_of_weights
//=   question: Sum your gradient over the words. Raising all scores alike changes nothing: what must the sum be?
//=   because: -(log a + 1) is the gradient of the *weights*. It still has to go through the softmax.
//= mistake softmax_diagonal
//=   question: Sum your gradient over the words. Raising all scores alike changes nothing: what must the sum be?
//=   because: only the diagonal of the softmax's derivative was used, a (1 - a). Every score moves all the weights.
//= mistake whole_batch_subtracted
//=   question: Which rows does the sum run over that your softmax backward subtracts from one row?
//=   because: sum() of everything adds up the rows of the whole batch. Each row has a softmax, and a sum, of its own.
//= mistake gradient_sign
//=   question: Raise the largest score. Does the entropy rise or fall? What does your gradient say?
//=   because: attention gets sharper and the entropy falls: the gradient of the largest score is negative.
//= mistake beta_forgotten
//=   question: At beta = 0 all weights are equal, whatever the scores: the entropy has its maximum. What is your
//=     slope there?
//=   because: the slope is -beta times the variance. The factor beta is missing, which shows wherever beta is not 1.
//= mistake weights_without_beta
//=   question: A model has the scores beta e. Are its weights softmax(e)?
//=   because: the variance was taken with the weights softmax(e), which are those at beta = 1. They are
//=     softmax(beta e).
//= mistake difference_of_squares
//=   question: All scores are a hundred thousand larger: what are their squares, and how many digits are left of the
//=     difference?
//=   because: the mean of the squares minus the square of the mean is the variance on paper, but both are large where
//=     the scores are, and their difference is made of rounding errors. First subtract the mean, then square.
//= mistake plain_variance
//=   question: The scores of words with weight 0: do they matter to the entropy?
//=   because: the variance was taken with all words counting the same. Each counts with its weight.
//= mistake squares_not_weighted
//=   question: You take one mean of the scores and one of their squared distances from it. Which of the two counts each
//=     word with its weight?
//=   because: the mean of the squares was taken with all words counting the same. It needs the weights as the mean
//=     does.
//= mistake mean_not_subtracted
//=   question: Add 10 to all scores. Does your slope change? Does the entropy?
//=   because: the mean of the squares is not the variance: the square of the mean must be subtracted from it.
//= mistake exactly_enough_is_too_little
//=   question: A word gets 0.75, and at_least is 0.75. Is it covered?
//=   because: "at least" includes the bound itself: >=, not >.
//= mistake mean_over_steps
//=   question: A word that gets all the attention of one step out of {target}: is it covered?
//=   because: the attention was averaged over the steps. Coverage adds up what a word gets, and a word of a long
//=     sentence would never reach the bound otherwise.
//= mistake padding_steps_counted
//=   question: Does your share change when a longer target joins the batch?
//=   because: the steps after the end of the target were counted too.
//= mistake padding_covered
//=   question: With at_least = 0, how many words of a sentence are covered? And what is your share?
//=   because: places after the end of the sentence were counted as covered words. They are not words.
//= mistake padding_words_below
//=   question: How many words does the shorter sentence have, and by how many did you divide?
//=   because: the share was taken of {source}, the width of the batch, and not of the sentence's own words.
//= mistake winners_only
//=   question: A word that gets 0.4 in each of two steps and is the largest in none: is it covered?
//=   because: only words with the largest weight of a step were counted, and not what each gets in all.
//= mistake gap_reversed
//=   question: Is your number positive if wrong answers are less decided?
//=   because: it is the mean of the wrong ones minus the mean of the right ones.
//= mistake sums_compared
//=   question: If 9 of 10 answers are right, which sum is larger, whatever the entropies?
//=   because: sums were compared instead of means; there are more right answers than wrong ones.
//= mistake means_over_all
//=   question: By how many answers do you divide for the mean of the wrong ones?
//=   because: both sums were divided by the number of all answers. Each mean has its own number.
//= equal mutant: const Tensor safe = where(weights > 0.0, weights, 2.5);
//=   because: its logarithm, whichever, is multiplied by 0.
//= equal mutant: const Tensor d_weights = -(log(weights) - 1.0) * d_entropy.unsqueeze(-1);
//= equal mutant: const Tensor d_weights = -(log(weights) ) * d_entropy.unsqueeze(-1);
//= equal mutant: const Tensor d_weights = -(log(weights) + 2.5) * d_entropy.unsqueeze(-1);
//=   because: the same number added to all d_weights of a row changes nothing after the softmax.

#include "given.h"

Tensor entropy(const Tensor& weights) {
  //[
  //- // TODO: -sum of a log a over the last dim. What is a word with weight 0 worth?
  //- todo("entropy: how undecided each row is");
  const Tensor safe = where(weights > 0.0, weights, 1.0);  // log(1) = 0 in place of log(0)
  //~ zero_times_log_zero | const Tensor safe = weights;
  //~ epsilon_too_large | const Tensor safe = weights + 1e-6;
  //~ small_weights_dropped | const Tensor safe = where(weights > 1e-3, weights, 1.0);
  return -(weights * log(safe)).sum({-1});
  //~ summed_over_dim_1 | return -(weights * log(safe)).sum({1});
  //~ bits | return -(weights * log(safe)).sum({-1}) / std::log(2.0);
  //~ mean_over_words | return -(weights * log(safe)).mean({-1});
  //~ minus_forgotten | return (weights * log(safe)).sum({-1});
  //]
}

Tensor entropy_backward(const Tensor& d_entropy, const Tensor& weights) {
  //[
  //- // TODO: the gradient of the scores: of -sum of a log a, and through the softmax.
  //- // probe("d_weights", d_weights) shows an intermediate value to the checker.
  //- todo("entropy_backward: the gradient of the scores");
  const Tensor d_weights = -(log(weights) + 1.0) * d_entropy.unsqueeze(-1);
  //~ gradient_sign | const Tensor d_weights = (log(weights) + 1.0) * d_entropy.unsqueeze(-1);
  probe("d_weights", d_weights);
  return weights * (d_weights - (weights * d_weights).sum({-1}, true));
  //~ gradient_of_weights | return d_weights;
  //~ softmax_half_way | return weights * d_weights;
  //~ whole_batch_subtracted | return weights * (d_weights - (weights * d_weights).sum());
  //~ softmax_diagonal | return weights * (1.0 - weights) * d_weights;
  //]
}

Tensor entropy_slope(const Tensor& scores, double beta) {
  //[
  //- // TODO: minus beta times the variance of the scores, each word counting with its weight.
  //- todo("entropy_slope: how fast the entropy falls with beta");
  const Tensor weights = softmax(beta * scores, -1);
  //~ weights_without_beta | const Tensor weights = softmax(scores, -1);
  const Tensor mean = (weights * scores).sum({-1}, true);
  //~ mean_not_subtracted | const Tensor mean = zeros_like(scores);
  const Tensor variance = (weights * (scores - mean) * (scores - mean)).sum({-1});
  //~ difference_of_squares | const Tensor squares = (weights * (scores * scores)).sum({-1}, true);
  //~ difference_of_squares | const Tensor variance = (squares - mean * mean).squeeze(-1);
  //~ squares_not_weighted | const Tensor variance = square(scores - mean).mean({-1});
  //~ plain_variance | const Tensor variance = var(scores, {-1}, 0);
  return -beta * variance;
  //~ beta_forgotten | return -variance;
  //]
}

Tensor covered_share(const Tensor& weights, const Tensor& real_steps, const Tensor& words, double at_least) {
  //[
  //- // TODO: what each word gets over all real steps, and how many of the sentence's words get enough.
  //- todo("covered_share: the share of the words that are looked at");
  const Tensor real = real_steps.to(autograd::float64).unsqueeze(2);
  //~ padding_steps_counted | const Tensor real = ones_like(real_steps.to(autograd::float64)).unsqueeze(2);
  const Tensor received = (weights * real).sum({1});  // [batch, source]
  //~ mean_over_steps | const Tensor received = (weights * real).sum({1}) / real.sum({1});
  //~ winners_only | const Tensor largest = (weights == weights.amax({2}, true)).to(autograd::float64);
  //~ winners_only | const Tensor received = (largest * real).sum({1});
  const Tensor covered = logical_and(received >= at_least, words).to(autograd::float64);
  //~ padding_covered | const Tensor covered = (received >= at_least).to(autograd::float64);
  //~ exactly_enough_is_too_little | const Tensor covered = logical_and(received > at_least, words).to(autograd::float64);
  return covered.sum({1}) / words.to(autograd::float64).sum({1});
  //~ padding_words_below | return covered.mean({1});
  //]
}

double entropy_gap(const Tensor& entropies, const Tensor& right) {
  //[
  //- // TODO: two means and their difference.
  //- todo("entropy_gap: are wrong answers less decided?");
  const Tensor is_right = right.to(autograd::float64);
  const Tensor is_wrong = 1.0 - is_right;
  const double of_right = ((entropies * is_right).sum() / is_right.sum()).item();
  //~ sums_compared | const double of_right = (entropies * is_right).sum().item();
  //~ means_over_all | const double of_right = (entropies * is_right).mean().item();
  const double of_wrong = ((entropies * is_wrong).sum() / is_wrong.sum()).item();
  //~ sums_compared | const double of_wrong = (entropies * is_wrong).sum().item();
  //~ means_over_all | const double of_wrong = (entropies * is_wrong).mean().item();
  return of_wrong - of_right;
  //~ gap_reversed | return of_right - of_wrong;
  //]
}
