//= title: What d_a and tanh buy
//= part: G
//= difficulty: 3
//= minutes: 35
//= after: 32
//= answer: weights_without_tanh, order_for_one, share_with_two_orders, pointer
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
//= mistake sign_of_v_ignored
//=   premise: Your order is right where v is positive and exactly reversed where it is negative.
//=   question: What does a negative v do to a score?
//=   because: v tanh(..) falls where tanh rises when v is negative, so the smallest u . h_j then has the best score.
//= mistake far_from_zero_first
//=   question: You put the positions with the largest |u . h_j| first. What is tanh of a large negative number?
//=   because: tanh keeps the sign: it goes from -1 to 1 and is not symmetric. The order is that of u . h_j itself.
//= mistake ties_far_out
//=   premise: Your order is right, but not where the u .
//=   question: h_j are in the hundreds. What is tanh(200) in a double, and tanh(300)?
//=   because: tanh is below 1 everywhere, but from about 19 on the nearest double is 1: positions with different scores
//=     get equal ones and stay in the order that they came in. tanh keeps an order, so the order is there without it.
//= mistake tanh_forgotten
//=   question: Your shares are 0 for every attention_dim, as in the first part. Do W s and U h_j meet inside one
//=     tanh?
//=   because: without it, v . W s is the same for all {positions} positions, and the order is that of v . U h_j for
//=     every query and every attention_dim.
//= mistake weights_compared
//=   question: Your share is 1 even at attention_dim 1, where no order can change. Is it the orders that you compare?
//=   because: the scores themselves change with every query, whatever attention_dim is. What attention_dim 1 cannot
//=     do is to make another position the better one.
//= mistake best_only
//=   question: Your shares are too small, and those of more models than yours have two orders. How many of the
//=     {positions} positions do you compare?
//=   because: an order can differ after its first place. You count the models whose best position changes.
//= mistake integer_division
//=   question: Your shares are all 0 or 1. What is 3 / 4 in C++?
//=   because: both counts are integers, and so is their quotient; at least one of them has to be a double.
//= mistake same_order_counted
//=   question: At attention_dim 1 your share is 1 and it falls from there. Which models do you count?
//=   because: you count the models that keep their order; asked for are those that change it, 1 minus yours.
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

//- // TODO: four functions. The first two are short: what is the same for every query needs no query.
//-
//[
namespace {

// [positions]
Tensor scores(const Score& score, const Tensor& s, const Tensor& H) {
  const Tensor key_part = matmul(H, score.U.t());  // [positions, attention]
  const Tensor query_part = matmul(score.W, s);    // [attention]
  return matmul(tanh(key_part + query_part), score.v);
  //~ tanh_forgotten | return matmul(key_part + query_part, score.v);
}

}  // namespace

//]
Tensor weights_without_tanh(const Tensor& H, const Tensor& U, const Tensor& v) {
  //[
  //- todo("weights_without_tanh: the weights, from the keys alone");
  const Tensor key_scores = matmul(matmul(H, U.t()), v);
  //~ tanh_left_in | const Tensor key_scores = matmul(tanh(matmul(H, U.t())), v);
  //~ v_left_out | const Tensor key_scores = matmul(H, U.t()).sum({1});
  return softmax(key_scores, 0);  // v . W s + bias is the same at all positions
  //~ exp_overflows | return exp(key_scores) / exp(key_scores).sum();
  //~ uniform_weights | return softmax(0.0 * key_scores, 0);
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

double share_with_two_orders(const std::vector<Score>& models, const Tensor& H, const Tensor& s_1, const Tensor& s_2) {
  //[
  //- // best_first(scores) gives the order of the positions. Orders can be compared with ==.
  //- todo("share_with_two_orders: how many of the models change their order");
  std::int64_t changed = 0;
  for (const Score& model : models) {
    const Tensor scores_1 = scores(model, s_1, H);
    const Tensor scores_2 = scores(model, s_2, H);
    if (best_first(scores_1) != best_first(scores_2)) ++changed;
    //~ weights_compared | if (!allclose(scores_1, scores_2)) ++changed;
    //~ best_only | if (best_first(scores_1)[0] != best_first(scores_2)[0]) ++changed;
    //~ same_order_counted | if (best_first(scores_1) == best_first(scores_2)) ++changed;
  }
  return static_cast<double>(changed) / static_cast<double>(models.size());
  //~ integer_division | return static_cast<double>(changed / static_cast<std::int64_t>(models.size()));
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
