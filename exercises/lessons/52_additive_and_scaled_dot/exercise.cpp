//= title: Additive and scaled dot
//= part: I
//= difficulty: 2
//= minutes: 30
//= after: 42
//= answer: linear_scores, linear_error, additive_like_dot, additive_cost, dot_cost, self_attention
//= mistake bias_forgotten
//=   question: What stands inside the tanh besides query and key?
//=   because: the bias is part of the argument; with tanh(x) replaced by x it stays.
//= mistake query_left_out
//=   question: Softmax does not see the query's term here, but do the scores?
//=   because: the term of the query is missing. It is the same for all words, so the weights are right and the
//=     scores are not.
//= mistake mean_error
//=   question: Is one badly wrong score out of {source} a small error?
//=   because: the differences were averaged; the largest one is asked for.
//= mistake largest_with_its_sign
//=   question: A score that is too small by 0.3 and one that is too large by 0.1: which is the larger error?
//=   because: the largest of the differences was taken, and a negative one is never that. It is the largest of their
//=     absolute values.
//= mistake v_scaled_too
//=   question: What decides whether a tanh is in its linear range: what goes in or what is made of it afterwards?
//=   because: v was scaled as well. It only multiplies the result, so the error gets one more factor of the scale.
//= mistake bias_not_scaled
//=   question: As the scale goes to 0, does the argument of every tanh go to 0 with yours?
//=   because: the bias stayed as it was, so the tanh is not near 0 but near the bias, and the error does not
//=     vanish.
//= mistake scaled_in_place
//=   question: What are the weights that you were given, after your call?
//=   because: the caller's own W, U and bias were multiplied: a Tensor that is copied with = is the same memory. The
//=     next call starts from smaller ones. scale * W makes another tensor.
//= mistake quarter_forgotten
//=   question: (a + b)^2 - (a - b)^2: how much is that for a = b = 1? And the product?
//=   because: the difference of the two squares is 4 a b. Yours is 4 times the product.
//= mistake half_forgotten
//=   question: In the series of tanh around c, with which number is the second derivative divided? And how many
//=     units make one square?
//=   because: each of two units gives half the second derivative times the square, so a pair gives all of it; yours
//=     counts the half as if there were one unit.
//= mistake root_forgotten
//=   question: What makes the dot product a *scaled* one?
//=   because: the 1 / sqrt(d) is missing: your scores are sqrt({features}) times as large.
//= mistake epsilon_not_squared
//=   question: Make epsilon half as large. Do your scores stay the same?
//=   because: a square of something of size epsilon has size epsilon^2, so that v must have 1 / epsilon^2.
//= mistake curvature_sign
//=   question: To the right of 0, does tanh bend upwards or downwards?
//=   because: the second derivative of tanh is -2 tanh (1 - tanh^2), negative for c > 0. Yours has the sign turned,
//=     and so have the scores.
//= mistake at_the_centre
//=   question: What is the second derivative of tanh at 0?
//=   because: around 0 tanh is odd and has no curvature, so a pair of units cancels to nothing. The bias moves it
//=     to where it bends.
//= mistake both_squares_alike
//=   question: In which pair of units does the key come with the opposite sign?
//=   because: both pairs make (a + b)^2, and their difference is 0. The second one is to make (a - b)^2.
//= mistake no_negatives
//=   question: Write 2 tanh(c + x) as a series in x. Which term does it have that tanh(c + x) + tanh(c - x) has not?
//=   because: both units of a pair have the same x, so the terms of x itself add up, and with 1 / epsilon^2 they are
//=     far larger than the square. With x and -x they cancel.
//= mistake counted_in_32_bits
//=   question: What is the largest number that an int holds? And the number of multiply-adds for 100000 words?
//=   because: an int ends at 2147483647; 10000 words with 64 features need more. std::int64_t has room.
//= mistake tanh_per_word
//=   question: Can the tanh of W s + U h be split into one of s and one of h?
//=   because: there is a tanh of every *sum*, so for every pair of query and key, {words} times {words}, and not
//=     for every word.
//= mistake dot_keeps_products
//=   question: Which tensor does a matrix product of [n, d] and [d, n] leave in memory?
//=   because: the products are added up at once; what is stored is one number per pair, n times n, and not d of
//=     them.
//= mistake scale_forgotten
//=   question: How large are the scores of two random vectors with {features} entries? How large should they be?
//=   because: the variance of a dot product of d random numbers is d; divided by sqrt(d), it is 1.
//= mistake scaled_by_d
//=   question: The variance of a dot product is d. By what must the product be divided to have variance 1?
//=   because: dividing by d makes the variance 1 / d, and the attention nearly even. It is the standard deviation
//=     that one divides by, sqrt(d).
//= mistake scaled_by_the_model
//=   question: How many terms are in the sum in one dot product of a projected query and a projected key?
//=   because: you divide by the root of the size of x. The d of the formula is that of what is multiplied, of Q and K.
//= mistake maximum_not_subtracted
//=   question: What is exp(1000) in double precision? And that divided by itself?
//=   because: without subtracting a maximum, large scores overflow to infinity, and infinity / infinity is NaN.
//= mistake softmax_over_queries
//=   question: Do the weights of one word's look at the others sum to 1?
//=   because: the softmax ran over the queries. It belongs over the keys, the last dim.
//= mistake values_not_projected
//=   question: What is summed with the weights: x or something made of it?
//=   because: the values are W_v x. Here the words themselves were summed.
//= equal mutant: const double c = (1.0 / std::sqrt(3.0));
//= equal mutant: const double c = std::atanh(1.0 / (3.0));
//= equal mutant: const double c = std::atanh(1.0 / std::sqrt(6.5));
//=   because: tanh bends there, too, if less: v makes up for it, and every construction that comes near enough is
//=     right.

#include "given.h"

Tensor linear_scores(const Tensor& query, const Tensor& keys, const AdditiveWeights& weights) {
  //[
  //- // TODO: given::additive_scores without the tanh.
  //- todo("linear_scores: the scores with tanh(x) replaced by x");
  const Tensor sums = linear(query, weights.W) + linear(keys, weights.U) + weights.bias;
  //~ bias_forgotten | const Tensor sums = linear(query, weights.W) + linear(keys, weights.U);
  //~ query_left_out | const Tensor sums = linear(keys, weights.U) + weights.bias;
  return matmul(sums, weights.v);
  //]
}

double linear_error(const Tensor& query, const Tensor& keys, const AdditiveWeights& weights, double scale) {
  //[
  //- // TODO: how far the two are apart at this scale.
  //- todo("linear_error: how good the linear range is");
  const AdditiveWeights small{scale * weights.W, scale * weights.U, scale * weights.bias, weights.v};
  //~ scaled_in_place | const autograd::NoGradGuard no_grad;
  //~ scaled_in_place | AdditiveWeights small = weights;
  //~ scaled_in_place | for (Tensor* one : {&small.W, &small.U, &small.bias}) one->mul_(scale);
  //~ v_scaled_too | const Tensor v = scale * weights.v;
  //~ v_scaled_too | const AdditiveWeights small{scale * weights.W, scale * weights.U, scale * weights.bias, v};
  //~ bias_not_scaled | const auto& [W, U, bias, v] = weights;
  //~ bias_not_scaled | const AdditiveWeights small{scale * W, scale * U, bias, v};
  const Tensor difference = given::additive_scores(query, keys, small) - linear_scores(query, keys, small);
  return abs(difference).amax().item();
  //~ mean_error | return abs(difference).mean().item();
  //~ largest_with_its_sign | return difference.amax().item();
  //]
}

AdditiveWeights additive_like_dot(const Tensor& W_q, const Tensor& W_k, double epsilon) {
  //[
  //- // TODO: four hidden units for each of the d products: two make (a + b)^2, two make (a - b)^2.
  //- // autograd::cat({..}) puts matrices one below the other, autograd::full(shape, value, autograd::float64) fills.
  //- todo("additive_like_dot: weights that make products of tanh");
  const std::int64_t d = W_q.size(0);
  const double c = std::atanh(1.0 / std::sqrt(3.0));  // where tanh bends the most
  const double slope = 1.0 - std::tanh(c) * std::tanh(c);
  const double curvature = -2.0 * std::tanh(c) * slope;
  //~ curvature_sign | const double curvature = 2.0 * std::tanh(c) * slope;
  const double root = std::sqrt(static_cast<double>(d));
  //~ root_forgotten | const double root = 1.0;
  const double factor = 1.0 / (4.0 * curvature * epsilon * epsilon * root);
  //~ quarter_forgotten | const double factor = 1.0 / (curvature * epsilon * epsilon * root);
  //~ half_forgotten | const double factor = 1.0 / (2.0 * curvature * epsilon * epsilon * root);
  //~ epsilon_not_squared | const double factor = 1.0 / (4.0 * curvature * epsilon * root);
  const Tensor plus = autograd::full({2 * d}, factor, autograd::float64);
  const Tensor bias = autograd::full({4 * d}, c, autograd::float64);
  //~ at_the_centre | const Tensor bias = autograd::zeros({4 * d}, autograd::float64);
  const Tensor keys = autograd::cat({W_k, -W_k, -W_k, W_k});
  //~ both_squares_alike | const Tensor keys = autograd::cat({W_k, -W_k, W_k, -W_k});
  //~ no_negatives | const Tensor keys = autograd::cat({W_k, W_k, -W_k, -W_k});
  return {epsilon * autograd::cat({W_q, -W_q, W_q, -W_q}), epsilon * keys, bias, autograd::cat({plus, -plus})};
  //~ no_negatives | const Tensor queries = autograd::cat({W_q, W_q, W_q, W_q});
  //~ no_negatives | return {epsilon * queries, epsilon * keys, bias, autograd::cat({plus, -plus})};
  //]
}

ScoreCost additive_cost(std::int64_t words, std::int64_t features) {
  //[
  //- // TODO: v . tanh(query_t + key_i) for all t and i, query and key being projected.
  //- todo("additive_cost: what all additive scores cost");
  const std::int64_t all = words * words * features;
  //~ counted_in_32_bits | const std::int64_t all = static_cast<std::int32_t>(words * words * features);
  return {.multiply_adds = all, .tanhs = all, .numbers = all};
  //~ tanh_per_word | return {.multiply_adds = all, .tanhs = words * features, .numbers = all};
  //]
}

ScoreCost dot_cost(std::int64_t words, std::int64_t features) {
  //[
  //- // TODO: query_t . key_i for all t and i.
  //- todo("dot_cost: what all dot products cost");
  return {.multiply_adds = words * words * features, .tanhs = 0, .numbers = words * words};
  //~ counted_in_32_bits | const std::int64_t all = static_cast<std::int32_t>(words * words * features);
  //~ counted_in_32_bits | const std::int64_t numbers = static_cast<std::int32_t>(words * words);
  //~ counted_in_32_bits | return {.multiply_adds = all, .tanhs = 0, .numbers = numbers};
  //~ dot_keeps_products | const std::int64_t all = words * words * features;
  //~ dot_keeps_products | return {.multiply_adds = all, .tanhs = 0, .numbers = all};
  //]
}

Tensor self_attention(const Tensor& x, const SelfAttentionWeights& weights) {
  //[
  //- // TODO: softmax(Q K^T / sqrt(d)) V with Q = x W_q^T and so on.
  //- // probe("scores", scores) shows an intermediate value to the checker.
  //- todo("self_attention: one head of a Transformer");
  const Tensor query = linear(x, weights.W_q);  // [batch, word, features]
  const Tensor keys = linear(x, weights.W_k);
  const Tensor values = linear(x, weights.W_v);
  //~ values_not_projected | const Tensor values = x;
  const double d = static_cast<double>(weights.W_q.size(0));
  const Tensor scores = matmul(query, keys.transpose(-1, -2)) / std::sqrt(d);  // [batch, query, key]
  //~ scale_forgotten | const Tensor scores = matmul(query, keys.transpose(-1, -2));
  //~ scaled_by_the_model | const double root = std::sqrt(static_cast<double>(x.size(-1)));
  //~ scaled_by_the_model | const Tensor scores = matmul(query, keys.transpose(-1, -2)) / root;
  //~ scaled_by_d | const Tensor scores = matmul(query, keys.transpose(-1, -2)) / d;
  probe("scores", scores);
  return matmul(softmax(scores, -1), values);
  //~ maximum_not_subtracted | return matmul(exp(scores) / exp(scores).sum({-1}, true), values);
  //~ softmax_over_queries | return matmul(softmax(scores, -2), values);
  //]
}
