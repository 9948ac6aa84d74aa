//= title: What d_a and tanh buy
//= part: F
//= difficulty: 3
//= minutes: 40
//= after: 33
//= answer: weights_without_tanh, with_sigmoid, largest_possible_weight, order_for_one, pointer
//= mistake uniform_weights
//=   question: Your weights are 1/{positions} each. The query is gone from them: is everything else gone as well?
//=   because: what all {positions} scores have in common cancels, v . W s and the bias. v . U h_j differs from
//=     position to position and stays: the weights are fixed, not equal.
//= mistake tanh_left_in
//=   question: Your weights are those of the query s = 0, with the tanh. Which function is taken away in this part?
//=   because: with the tanh inside, the weights do depend on s, and leaving s out picks one query, the zero one.
//=     Without the tanh the score is a sum, and its query part cancels for every s.
//= mistake v_left_out
//=   question: Your scores add up the {attention} entries of U h_j as they are. What weighs them in the score?
//=   because: e_j is the product of v with the vector U h_j; a plain sum is that product for a v of ones.
//= mistake exp_overflows
//=   premise: Your weights are right, but not where the scores are around 800.
//=   question: What is exp(800)?
//=   because: e^800 is beyond the largest double and becomes infinity, and infinity / infinity is NaN; e^-800 becomes
//=     0, and 0 / 0 is NaN as well. softmax(e) subtracts the largest score first, which changes no weight.
//= mistake mean_subtracted
//=   question: How far above the mean of its scores can the largest one be?
//=   because: of scores of 800 and -800 the mean is in between, and the exponential of what is left is infinite still.
//=     From the largest score on, everything else lies below.
//= mistake v_not_doubled
//=   question: tanh goes from -1 to 1. From where to where does a sigmoid go?
//=   because: tanh(x) = 2 sigmoid(2 x) - 1. The outer 2 is missing: it belongs to v. (The -1 adds the same to the
//=     score of every position, and softmax drops it.)
//= mistake argument_not_doubled
//=   question: What is the whole argument of the tanh? Did you double all of it?
//=   because: tanh(x) = 2 sigmoid(2 x) - 1, and x is W s + U h_j: both matrices are doubled.
//= mistake halved_inside
//=   question: At 0, tanh has slope 1 and sigmoid slope 1/4. Must the argument grow or shrink for both to be alike?
//=   because: tanh(x) = 2 sigmoid(2 x) - 1: the argument is doubled, not halved. (It is the sigmoid that contains
//=     half of its argument: sigmoid(x) = (1 + tanh(x / 2)) / 2.)
//= mistake doubled_in_place
//=   question: What are the parameters that you were given, after your call?
//=   because: the result is right, but the caller's own W, U and v were doubled: a Tensor that is copied with = is the
//=     same memory. 2.0 * W makes another one.
//= mistake euclidean_norm
//=   question: Suppose that every tanh is 1. What is the score then?
//=   because: the largest score is the sum of |v_k|, the 1-norm. The root of the sum of squares is smaller.
//= mistake v_with_its_signs
//=   question: A unit with a negative v_k: which value of its tanh raises the score, and by how much?
//=   because: the entries of v were added up with their signs. Where v_k is negative a tanh of -1 adds |v_k|.
//= mistake bound_overflows
//=   question: What is exp(1000) in double precision? And that divided by itself?
//=   because: with a long v, exp of the largest score is infinity, and infinity / infinity is NaN. Divide numerator
//=     and denominator by it: only the exp of a negative number is left.
//= mistake others_at_zero
//=   question: One position has the largest score that there is. Which score of the *others* helps it most?
//=   because: the others were put at a score of 0. They can be as low as minus the sum of |v_k|, so the difference is
//=     twice that sum.
//= mistake counts_itself
//=   question: With one position in all, what is its weight? What is your bound?
//=   because: the sum in the denominator has the position itself and {positions} - 1 others; yours has {positions}
//=     others.
//= mistake sign_of_v_ignored
//=   premise: Your order is right where v is positive and exactly reversed where it is negative.
//=   question: What does a negative v do to a score?
//=   because: v tanh(..) falls where tanh rises when v is negative, so the smallest u . h_j then has the best score.
//= mistake far_from_zero_first
//=   question: You put the positions with the largest |u . h_j| first. What is tanh of a large negative number?
//=   because: tanh keeps the sign: it goes from -1 to 1 and is not symmetric. The order is that of u . h_j itself.
//= mistake ties_far_out
//=   premise: Your order is right, but not where the u . h_j are in the hundreds.
//=   question: What is tanh(200) in a double, and tanh(300)?
//=   because: tanh is below 1 everywhere, but from about 19 on the nearest double is 1: positions with different scores
//=     get equal ones and stay in the order that they came in. tanh keeps an order, so the order is there without it.
//= mistake one_tanh
//=   question: Your score has a single tanh. In which direction along the line does it rise, and does the query
//=     change that?
//=   because: one tanh of x_j rises all the way or falls all the way. The query shifts the step, and the end of the
//=     line stays the best place. A maximum in the middle needs something that rises and something that falls.
//= mistake both_upwards
//=   question: Your two tanh rise together, and the last position always wins. What must the second one do to the
//=     right of x?
//=   because: a sum of two rising steps rises. With v = [1, -1] the second step takes back what the first one gave.
//= mistake valley
//=   question: The position that the query names gets the lowest of your scores. Which of the two steps comes first
//=     along the line?
//=   because: if the falling step lies to the left of the rising one, there is a valley between them in place of a
//=     hill. Swapping the signs of v turns it over.
//= mistake steps_at_x_and_before
//=   question: Two positions share your best score: the one that the query names, and its neighbour. Where do your two
//=     steps stand?
//=   because: one stands at x and the other a whole unit away, so the middle of the hill is half a unit off. Half a
//=     unit before x and half a unit after it, x itself is the middle.
//= mistake steps_at_x_and_behind
//=   question: Two positions share your best score: the one that the query names, and the one after it. Where do your
//=     two steps stand?
//=   because: one stands at x and the other a whole unit after it, so the middle of the hill is half a unit off. Half a
//=     unit before x and half a unit after it, x itself is the middle.
//= mistake nearly_flat
//=   premise: Your best position is the right one, and hardly better than its neighbour.
//=   question: What makes a hill of two tanh steeper?
//=   because: with small weights both tanh are nearly straight lines, whose difference is nearly the same everywhere.
//= mistake mirrored
//=   question: Query 2 makes your scores look at -2. Where does a tanh change its sign, if x_j and x are added?
//=   because: tanh(x_j + x) has its step at x_j = -x. It must be the difference of x_j and x that goes in.
//= equal mutant: return softmax(key_scores, -1);
//=   because: key_scores has one dim.

#include "given.h"

Tensor weights_without_tanh(const Tensor& H, const Tensor& U, const Tensor& v) {
  //[
  //- todo("weights_without_tanh: the weights, from the keys alone");
  const Tensor key_scores = matmul(matmul(H, U.t()), v);
  //~ tanh_left_in | const Tensor key_scores = matmul(tanh(matmul(H, U.t())), v);
  //~ v_left_out | const Tensor key_scores = matmul(H, U.t()).sum({1});
  return softmax(key_scores, 0);  // v . W s + bias is the same at all positions
  //~ exp_overflows | return exp(key_scores) / exp(key_scores).sum();
  //~ mean_subtracted | const Tensor e = exp(key_scores - key_scores.mean());
  //~ mean_subtracted | return e / e.sum();
  //~ uniform_weights | return softmax(0.0 * key_scores, 0);
  //]
}

Score with_sigmoid(const Score& score) {
  //[
  //- // TODO: first express tanh in terms of sigmoid.
  //- todo("with_sigmoid: parameters that make a sigmoid do the work of a tanh");
  return {2.0 * score.W, 2.0 * score.U, 2.0 * score.v};
  //~ doubled_in_place | const autograd::NoGradGuard no_grad;
  //~ doubled_in_place | Score doubled = score;
  //~ doubled_in_place | for (Tensor* one : {&doubled.W, &doubled.U, &doubled.v}) one->mul_(2.0);
  //~ doubled_in_place | return doubled;
  //~ v_not_doubled | return {2.0 * score.W, 2.0 * score.U, score.v};
  //~ argument_not_doubled | return {2.0 * score.W, score.U, 2.0 * score.v};
  //~ argument_not_doubled.of_the_query | return {score.W, 2.0 * score.U, 2.0 * score.v};
  //~ argument_not_doubled.at_all | return {score.W, score.U, 2.0 * score.v};
  //~ halved_inside | return {0.5 * score.W, 0.5 * score.U, 2.0 * score.v};
  //]
}

double largest_possible_weight(const Tensor& v, std::int64_t positions) {
  //[
  //- // TODO: the largest score that there can be for one position, and the smallest for the others.
  //- todo("largest_possible_weight: how sharp attention with tanh can be");
  const double most = abs(v).sum().item();
  //~ v_with_its_signs | const double most = v.sum().item();
  //~ euclidean_norm | const double most = (v * v).sum().sqrt().item();
  const double others = static_cast<double>(positions - 1);
  //~ counts_itself | const double others = static_cast<double>(positions);
  return 1.0 / (1.0 + others * std::exp(-2.0 * most));
  //~ bound_overflows | return std::exp(most) / (std::exp(most) + others * std::exp(-most));
  //~ others_at_zero | return 1.0 / (1.0 + others * std::exp(-most));
  //]
}

std::vector<std::int64_t> order_for_one(const Tensor& H, const Tensor& u, double v) {
  //[
  //- todo("order_for_one: the order of the positions, from the keys alone");
  return best_first(v * matmul(H, u));  // w . s shifts all of them alike, and tanh keeps an order
  //~ sign_of_v_ignored | return best_first(matmul(H, u));
  //~ ties_far_out | return best_first(v * tanh(matmul(H, u)));
  //~ far_from_zero_first | return best_first(v * matmul(H, u).abs());
  //]
}

Score pointer() {
  //[
  //- // autograd::from_vector({1, 2, 3, 4}, {2, 2}, autograd::float64) is a matrix of two rows.
  //- todo("pointer: W, U and v of a score that looks where the query says");
  // A step up half a unit before x and a step down half a unit after it: a hill at x_j = x.
  const Tensor W = autograd::from_vector({-1, -1}, {2, 1}, autograd::float64);
  //~ mirrored | const Tensor W = autograd::from_vector({1, 1}, {2, 1}, autograd::float64);
  const Tensor U = autograd::from_vector({1, 0.5, 1, -0.5}, {2, 2}, autograd::float64);
  //~ steps_at_x_and_behind | const Tensor U = autograd::from_vector({1, 0, 1, -1}, {2, 2}, autograd::float64);
  //~ steps_at_x_and_before | const Tensor U = autograd::from_vector({1, 1, 1, 0}, {2, 2}, autograd::float64);
  const Tensor v = autograd::from_vector({1, -1}, {2}, autograd::float64);
  //~ both_upwards | const Tensor v = autograd::from_vector({1, 1}, {2}, autograd::float64);
  //~ valley | const Tensor v = autograd::from_vector({-1, 1}, {2}, autograd::float64);
  return {W, U, v};
  //~ nearly_flat | return {0.1 * W, 0.1 * U, v};
  //~ one_tanh | return {W.narrow(0, 0, 1), U.narrow(0, 0, 1), v.narrow(0, 0, 1)};
  //]
}
