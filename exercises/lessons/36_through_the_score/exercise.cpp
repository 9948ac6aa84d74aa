//= title: Through the score network
//= part: F
//= difficulty: 3
//= minutes: 30
//= after: 22, 33, 35
//= fast track
//= answer: score_backward
//= mistake softmax_skipped
//=   question: What do your d_e of one sentence add up to? And what happens to the weights if all its scores grow by
//=     1?
//=   because: scores that grow together change nothing, so each row of d_e adds up to 0. Yours is d_alpha itself, as
//=     if a weight could grow without the others shrinking.
//= mistake softmax_diagonal
//=   question: If e_1 grows, alpha_1 does. What do the other {source} - 1 weights do, and where is that in your d_e?
//=   because: alpha_j (1 - alpha_j) d_alpha_j is the part by which e_j changes its own weight. It changes all others
//=     too: by -alpha_k alpha_j each. Your rows do not add up to 0.
//= mistake softmax_mean_forgotten
//=   question: What do your d_e of one sentence add up to? And what happens to the weights if all its scores grow by 1?
//=   because: scores that grow together change nothing, so each row of d_e adds up to 0. Yours is alpha_j d_alpha_j;
//=     the mean of all d_alpha, weighted by alpha, must first be subtracted from d_alpha_j.
//= mistake softmax_plain_mean
//=   question: What do you subtract from d_alpha_j: a mean in which every position counts the same?
//=   because: the mean that the softmax takes is weighted by alpha. A position with no weight, such as padding, has
//=     no part in it.
//= mistake softmax_over_batch
//=   question: You subtract a mean from every d_alpha_j. Over which positions is it taken: those of the sentence, or
//=     position j of all {batch} sentences?
//=   because: the sum runs over dim 0. Each sentence has a softmax of its own: its mean is over its {source} positions,
//=     dim 1, and has the shape [batch, 1].
//= mistake softmax_mean_of_products
//=   question: Which mean is subtracted? If alpha is 0.5, 0.5 and d_alpha 2, 2, what is it?
//=   because: it is 2. The weights alpha add up to 1, so the weighted mean is the *sum* of alpha_j d_alpha_j. Yours
//=     divides by {source} once more.
//= mistake softmax_outer_factor_missing
//=   question: Can a score move the weight of a position that has none? What is your d_e at the padding?
//=   because: alpha_j stands in front of the bracket: d_e_j = alpha_j (d_alpha_j - ..). Yours has the bracket alone.
//= mistake one_position_left_out
//=   question: With one source position, how much does its weight change if its score grows? What is your d_e then?
//=   because: alpha is 1 whatever the score, so d_e is 0. The rule knows that without a case of its own: the mean is
//=     d_alpha itself.
//= mistake tanh_slope_forgotten
//=   question: Where a hidden unit is 0.999, how much does it move if its argument grows by 0.1?
//=   because: tanh' = 1 - u^2, nearly 0 there. Yours passes the gradient on as if tanh were not there; dv, which lies
//=     before it, is right.
//= mistake tanh_slope_not_squared
//=   question: What is the slope of tanh at u = -1, and what is your factor there?
//=   because: 1 - u^2 is 0 at both ends. 1 - u is 2 at u = -1.
//= mistake tanh_slope_on_one_side
//=   premise: Your dW and d_s are right, dU and d_states are not.
//=   question: W s and U h_j are added inside the tanh: what does each of the two get?
//=   because: both get d_z, which has gone through tanh's slope. You took it on the query's side only, and made dU and
//=     d_states of what arrives in front of it.
//= mistake d_alpha_changed
//=   question: After your function has run, what is in d_alpha? Which of your lines writes into its memory?
//=   because: a Tensor is a handle, and a new name for it still means d_alpha itself: it is changed in place, for
//=     everything that still needs it. d_alpha - mean makes a new tensor; so does d_alpha.clone().
//= mistake v_not_passed_on
//=   question: Through which weights does d_e reach the {attention} hidden units? Do all of them get the same?
//=   because: e_j = sum_k v_k u_jk, so unit k gets d_e_j v_k. Yours gets d_e_j.
//= mistake dv_last_position
//=   question: At how many of the {source} positions was v used?
//=   because: one v serves all positions and sentences, so its gradient is the sum over all. Yours is what the last
//=     position gives: a loop with `=` in place of `+=`.
//= mistake dv_unweighted
//=   question: Does a hidden unit pull at v wherever it is active, or only where the score matters?
//=   because: dv = sum_j d_e_j u_j. Yours has alpha_j in place of d_e_j: how much a position was looked at, not how
//=     much more it should be.
//= mistake query_first_position
//=   question: W s was computed once and broadcast. At how many positions did it count, and from how many does your
//=     gradient come?
//=   because: broadcasting is a repetition, and its gradient the sum over all {source} copies. Yours is the one of
//=     the first position.
//= mistake query_mean
//=   question: Your dW and d_s are 1/{source} of the expected ones. What has length {source}?
//=   because: the query was added to {source} keys, and every one of them sends its gradient back: a sum, not a mean.
//= mistake query_dropped
//=   question: Your d_s is 0. Does the score not depend on the decoder's state?
//=   because: s acts through W s on every score. Without d_s the decoder cannot learn to ask well, and only W learns.
//= mistake key_path_missing
//=   question: The states got a gradient in exercise 35 already. By which other path does h_j act on the loss?
//=   because: h_j is a key as well: U h_j is in z_j. That path gives U^T dz_j, and both are added up.
//= mistake key_from_query
//=   question: Does h_1 stand in z_2? Which of the {source} rows of dz may reach the gradient of h_1?
//=   because: the query is the same at all positions, so its gradient is summed over them. A key belongs to one
//=     position: d_states_j comes from dz_j alone.
//= mistake U_sum_of_products_split
//=   question: Is a_1 b_1 + a_2 b_2 the same as (a_1 + a_2)(b_1 + b_2)?
//=   because: dU is the sum over positions of dz_j h_j^T. If you sum first and then multiply, the dz of each position
//=     meets the states of all.
//= mistake dU_of_the_last_sentence
//=   question: How many of the {batch} sentences were projected with U? From how many does your dU come?
//=   because: one U serves all, so dU is a sum over the sentences as well. Yours is what the last one gives: a loop
//=     with `=` in place of `+=`.

#include "given.h"

ScoreGradients score_backward(const Tensor& d_alpha, const ScoreStep& step, const ScoreWeights& weights) {
  //[
  //- // TODO: from alpha back through softmax, v and tanh; then the query's side, and the keys' side.
  //- // const auto& [s, states, hidden, alpha] = step;
  //- // probe("mean", mean) [batch, 1], probe("d_e", d_e), probe("d_hidden", d_hidden) and probe("d_z", d_z) show the
  //- // checker where the first error is.
  //- todo("score_backward: d_e, and the gradients of s, the states, W, U and v");
  const auto& [s, states, hidden, alpha] = step;
  ScoreGradients gradients;

  // alpha = softmax(e)
  const Tensor mean = (alpha * d_alpha).sum({1}, true);  // [batch, 1]
  //~ softmax_over_batch | const Tensor mean = (alpha * d_alpha).sum({0}, true);
  //~ softmax_mean_of_products | const Tensor mean = (alpha * d_alpha).mean({1}, true);
  //~ softmax_plain_mean | const Tensor mean = d_alpha.mean({1}, true);
  //~ one_position_left_out | const Tensor weighted_mean = (alpha * d_alpha).sum({1}, true);
  //~ one_position_left_out | const Tensor mean = alpha.size(1) > 1 ? weighted_mean : zeros_like(weighted_mean);
  probe("mean", mean);
  const Tensor d_e = alpha * (d_alpha - mean);  // [batch, source]
  //~ softmax_mean_forgotten | const Tensor d_e = alpha * d_alpha;
  //~ d_alpha_changed | Tensor centred = d_alpha;
  //~ d_alpha_changed | centred -= mean;
  //~ d_alpha_changed | const Tensor d_e = alpha * centred;
  //~ softmax_skipped | const Tensor d_e = d_alpha;
  //~ softmax_diagonal | const Tensor d_e = alpha * (1.0 - alpha) * d_alpha;
  //~ softmax_outer_factor_missing | const Tensor d_e = d_alpha - mean;
  gradients.d_e = probe("d_e", d_e);

  // e_j = v . u_j
  gradients.dv = (d_e.unsqueeze(2) * hidden).sum({0, 1});
  //~ dv_last_position | gradients.dv = (d_e.unsqueeze(2) * hidden).select(1, -1).sum({0});
  //~ dv_unweighted | gradients.dv = (alpha.unsqueeze(2) * hidden).sum({0, 1});
  const Tensor d_hidden = d_e.unsqueeze(2) * weights.v;  // [batch, source, attention]
  //~ v_not_passed_on | const Tensor d_hidden = d_e.unsqueeze(2).expand(hidden.shape());
  probe("d_hidden", d_hidden);

  // u_j = tanh(z_j)
  const Tensor d_z = d_hidden * (1.0 - hidden * hidden);
  //~ tanh_slope_forgotten | const Tensor d_z = d_hidden;
  //~ tanh_slope_not_squared | const Tensor d_z = d_hidden * (1.0 - hidden);
  probe("d_z", d_z);

  // z_j = W s + U h_j: the query is the same at all positions, each key has its own.
  const Tensor d_query = d_z.sum({1});  // [batch, attention]
  //~ query_first_position | const Tensor d_query = d_z.select(1, 0);
  //~ query_mean | const Tensor d_query = d_z.mean({1});
  gradients.dW = matmul(d_query.t(), s);
  gradients.d_s = matmul(d_query, weights.W);
  //~ query_dropped | gradients.d_s = zeros_like(s);
  gradients.dU = bmm(d_z.transpose(1, 2), states).sum({0});
  //~ tanh_slope_on_one_side | gradients.dU = bmm(d_hidden.transpose(1, 2), states).sum({0});
  //~ U_sum_of_products_split | gradients.dU = matmul(d_z.sum({1}).t(), states.sum({1}));
  //~ dU_of_the_last_sentence | gradients.dU = matmul(d_z.select(0, -1).t(), states.select(0, -1));
  gradients.d_states = matmul(d_z, weights.U);
  //~ tanh_slope_on_one_side | gradients.d_states = matmul(d_hidden, weights.U);
  //~ key_path_missing | gradients.d_states = zeros_like(states);
  //~ key_from_query | gradients.d_states = matmul(d_z.sum({1}, true), weights.U).expand(states.shape());
  return gradients;
  //]
}
