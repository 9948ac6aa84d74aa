//= title: Why tanh?
//= part: I
//= difficulty: 2
//= minutes: 25
//= after: 32
//= answer: query_influence, with_sigmoid, largest_possible_weight, mean_slope, lookup_loss
//= mistake scores_compared
//=   question: Your influence without an activation is not 0. Do two rows of scores that differ by a constant give
//=     different weights?
//=   because: the scores were compared, not the weights. The query moves all scores alike there, and softmax does
//=     not see that.
//= mistake difference_with_sign
//=   question: If one weight falls by 0.4 and no weight rises by more than 0.2, what is your result?
//=   because: the largest *absolute* difference is asked for; without abs, a large fall goes unseen.
//= mistake difference_summed
//=   question: Can two rows of weights differ by more than 1 in any place? Can your number be more than 1?
//=   because: the differences were summed over the source; the largest one is asked for.
//= mistake v_not_doubled
//=   question: tanh goes from -1 to 1. From where to where does a sigmoid go?
//=   because: tanh(x) = 2 sigmoid(2 x) - 1. The outer 2 is missing: it belongs to v. (The -1 is the same for all
//=     words, and softmax drops it.)
//= mistake keys_not_doubled
//=   question: What is the whole argument of the tanh? Did you double all of it?
//=   because: 2 (W s + U h): both matrices are doubled, not only the query's.
//= mistake halved_inside
//=   question: At 0, tanh has slope 1 and sigmoid slope 1/4. Must the argument grow or shrink for both to be alike?
//=   because: tanh(x) = 2 sigmoid(2 x) - 1: the argument is doubled, not halved. (It is the sigmoid that contains
//=     half of its argument: sigmoid(x) = (1 + tanh(x / 2)) / 2.)
//= mistake doubled_in_place
//=   question: What are the weights that you were given, after your call?
//=   because: the result is right, but the caller's own W, U and v were doubled: a Tensor that is copied with = is the
//=     same memory. 2.0 * W makes another one.
//= mistake euclidean_norm
//=   question: All tanh are 1 at once. What is the score, then?
//=   because: the largest score is the sum of |v_k|, the 1-norm. The root of the sum of squares is smaller.
//= mistake v_with_its_signs
//=   question: A unit with a negative v_k: which value of its tanh raises the score, and by how much?
//=   because: the entries of v were added up with their signs. Where v_k is negative a tanh of -1 adds |v_k|.
//= mistake overflow
//=   question: What is exp(1000) in double precision? And that divided by itself?
//=   because: with a long v, exp of the largest score is infinity, and infinity / infinity is NaN. Divide above and
//=     below the line by it: only the exp of a negative number is left.
//= mistake others_at_zero
//=   question: One word has the largest score that there is. Which score of the *others* helps it most?
//=   because: the others were put at a score of 0. They can be as low as -|v|_1, so the difference is twice |v|_1.
//= mistake counts_itself
//=   question: With one word in the source, what is its weight? What is your bound?
//=   because: the sum below the line has the word itself, and {source} - 1 others; yours has {source} others.
//= mistake tanh_slope_from_input
//=   question: Which value does the formula 1 - ..^2 need: what goes into the tanh, or what comes out?
//=   because: the derivative of tanh is 1 - tanh(x)^2. With x itself squared it is below 0 for every |x| > 1.
//= mistake relu_always_open
//=   question: What passes through a relu whose input is negative?
//=   because: a relu has slope 1 above 0 and slope 0 below; the mean is the share of units that are open.
//= mistake sigmoid_slope_from_input
//=   question: Far out, where a sigmoid is flat, what is your slope of it?
//=   because: the derivative is y (1 - y) of the sigmoid's output y. Yours is x (1 - x), of what goes in.
//= mistake sigmoid_slope_of_tanh
//=   question: What is the slope of a sigmoid at 0? And yours?
//=   because: the derivative is y (1 - y), 1/4 at 0. 1 - y^2 is the slope of tanh, and 1 - y has a factor too few.
//= mistake log_of_zero
//=   question: What is the weight of a word whose score is 1000 below the largest? And its logarithm?
//=   because: the weight is too small for a double, so it is 0, and its logarithm minus infinity. The logarithm of a
//=     softmax is e - logsumexp(e), which never makes that weight; cross_entropy computes it so.
//= mistake keys_detached
//=   question: W, U and v should be learnt. Which of them gets a gradient from your loss?
//=   because: the projected keys were cut off from the tape, so U stays as it was drawn.
//= mistake activation_on_the_score
//=   question: In your formula, is f applied to {attention} hidden units, or to one number per word?
//=   because: the activation stands around the finished score. The score is then a function of v.W s + v.U h: one
//=     number of the query, one of the key, however many units there are.
//= mistake softmax_twice
//=   question: What does cross_entropy expect: scores or probabilities?
//=   because: cross_entropy takes scores and does the log-softmax itself; given weights, it squeezes them once
//=     more, so that no loss can come near 0.
//= equal mutant: case Activation::relu: return (x >= 0.0).to(autograd::float64).mean().item();
//=   because: at 0 there is a kink, and no sum is exactly 0.
//= equal mutant: without: case Activation::none: break;
//=   because: what has no case goes on after the switch, too.

#include "given.h"

double query_influence(const Tensor& query_a, const Tensor& query_b, const Tensor& keys, const ScoreWeights& weights,
                       Activation activation) {
  //[
  //- // TODO: given::attention_weights for both queries, and how far they are apart.
  //- todo("query_influence: the largest difference between the weights for two queries");
  const Tensor a = given::attention_weights(query_a, keys, weights, activation);
  //~ scores_compared | const Tensor hidden_a = given::activate(given::hidden_sums(query_a, keys, weights), activation);
  //~ scores_compared | const Tensor a = matmul(hidden_a, weights.v);
  const Tensor b = given::attention_weights(query_b, keys, weights, activation);
  //~ scores_compared | const Tensor hidden_b = given::activate(given::hidden_sums(query_b, keys, weights), activation);
  //~ scores_compared | const Tensor b = matmul(hidden_b, weights.v);
  return abs(a - b).amax().item();
  //~ difference_with_sign | return (a - b).amax().item();
  //~ difference_summed | return abs(a - b).sum().item();
  //]
}

ScoreWeights with_sigmoid(const ScoreWeights& weights) {
  //[
  //- // TODO: weights for a sigmoid that do what these do with tanh. Express tanh by sigmoid first.
  //- todo("with_sigmoid: weights that make a sigmoid do the work of a tanh");
  return {2.0 * weights.W, 2.0 * weights.U, 2.0 * weights.v};
  //~ doubled_in_place | const autograd::NoGradGuard no_grad;
  //~ doubled_in_place | ScoreWeights doubled = weights;
  //~ doubled_in_place | for (Tensor* one : {&doubled.W, &doubled.U, &doubled.v}) one->mul_(2.0);
  //~ doubled_in_place | return doubled;
  //~ v_not_doubled | return {2.0 * weights.W, 2.0 * weights.U, weights.v};
  //~ keys_not_doubled | return {2.0 * weights.W, weights.U, 2.0 * weights.v};
  //~ halved_inside | return {0.5 * weights.W, 0.5 * weights.U, 2.0 * weights.v};
  //]
}

double largest_possible_weight(const Tensor& v, std::int64_t source) {
  //[
  //- // TODO: the largest score that there can be for one word, and the smallest for the others.
  //- todo("largest_possible_weight: how sharp attention with tanh can be");
  const double most = abs(v).sum().item();
  //~ v_with_its_signs | const double most = v.sum().item();
  //~ euclidean_norm | const double most = (v * v).sum().sqrt().item();
  const double others = static_cast<double>(source - 1);
  //~ counts_itself | const double others = static_cast<double>(source);
  return 1.0 / (1.0 + others * std::exp(-2.0 * most));
  //~ overflow | return std::exp(most) / (std::exp(most) + others * std::exp(-most));
  //~ others_at_zero | return 1.0 / (1.0 + others * std::exp(-most));
  //]
}

double mean_slope(const Tensor& query, const Tensor& keys, const ScoreWeights& weights, Activation activation) {
  //[
  //- // TODO: the mean of f'(x), x being given::hidden_sums(query, keys, weights).
  //- todo("mean_slope: what the activation lets through of a gradient");
  const Tensor x = given::hidden_sums(query, keys, weights);
  const Tensor y = given::activate(x, activation);
  switch (activation) {
    case Activation::tanh: return (1.0 - y * y).mean().item();
    //~ tanh_slope_from_input | case Activation::tanh: return (1.0 - x * x).mean().item();
    case Activation::sigmoid: return (y * (1.0 - y)).mean().item();
    //~ sigmoid_slope_from_input | case Activation::sigmoid: return (x * (1.0 - x)).mean().item();
    //~ sigmoid_slope_of_tanh | case Activation::sigmoid: return (1.0 - y * y).mean().item();
    //~ sigmoid_slope_of_tanh.half | case Activation::sigmoid: return (1.0 - y).mean().item();
    case Activation::relu: return (x > 0.0).to(autograd::float64).mean().item();
    //~ relu_always_open | case Activation::relu: return 1.0;
    case Activation::none: break;
  }
  return 1.0;
  //]
}

Tensor lookup_loss(const Tensor& queries, const Tensor& keys, const Tensor& wanted, const ScoreWeights& weights,
                   Activation activation) {
  //[
  //- // TODO: scores [batch, source] with given::activate, then the library's cross_entropy.
  //- // probe("scores", scores) shows an intermediate value to the checker.
  //- todo("lookup_loss: the loss of a batch of look-ups");
  const Tensor query = linear(queries, weights.W).unsqueeze(1);  // [batch, 1, attention]
  const Tensor hidden = given::activate(query + linear(keys, weights.U), activation);
  //~ keys_detached | const Tensor hidden = given::activate(query + linear(keys, weights.U).detach(), activation);
  const Tensor scores = matmul(hidden, weights.v);
  //~ activation_on_the_score 2 | const Tensor sums = matmul(query + linear(keys, weights.U), weights.v);
  //~ activation_on_the_score | const Tensor scores = given::activate(sums, activation);
  probe("scores", scores);
  return cross_entropy(scores, wanted);
  //~ log_of_zero | return -log(scores.softmax(-1)).gather(1, wanted.unsqueeze(1)).mean();
  //~ softmax_twice | return cross_entropy(scores.softmax(-1), wanted);
  //]
}
