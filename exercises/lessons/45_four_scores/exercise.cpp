//= title: Dot, scaled dot, general, concat
//= part: H
//= difficulty: 2
//= minutes: 45
//= after: 33
//= answer: scores, general_backward, luong_step, additive_like_dot
//= not: backward
//= mistake dot_scaled_too
//=   question: Which of the four forms divides by the root of the number of features? Does yours do it in another one
//=     as well?
//=   because: the plain dot product was divided, too. Only the scaled one is: that is the difference between the two.
//= mistake not_scaled
//=   question: Your scaled scores of random vectors spread as far as the unscaled ones. What is the variance of a sum
//=     of {state} independent products?
//=   because: each product has variance 1, the sum of {state} of them has variance {state}. Without the division
//=     large vectors make one weight nearly 1 and the gradients of the others nearly 0.
//= mistake divided_by_d
//=   question: Your scaled scores hardly spread at all. You divide by {state}: what does dividing by a number do to a
//=     variance?
//=   because: dividing by d divides the variance by d times d, from d to 1 / d. It is the root of d that makes it 1.
//= mistake divided_by_the_source
//=   question: Your scaled scores change if the source has another length. Over which axis does the dot product sum?
//=   because: you divide by the root of {source}, the number of positions. The sum runs over the {state} features.
//= mistake root_cut_off
//=   premise: Your scaled scores are right where the number of features is 4 or 64.
//=   question: What is the root of {state}, and by what do you divide?
//=   because: the root was truncated to a whole number, as happens in a variable of an integer type. It must be a
//=     double.
//= mistake transposed_if_square
//=   question: If state and encoder have the same size, W can be multiplied either way round. How does your code know
//=     which is right?
//=   because: it takes whichever way the shapes allow, and with a square W they allow both. In the forward pass the
//=     query is multiplied by W, so d_query is d_projected times W^T, whatever the sizes.
//= mistake general_scaled
//=   question: With the identity as its weight, is your general score the dot product?
//=   because: there is a 1/sqrt({state}) in it. Luong's general form has none; its weight can learn any scale.
//= mistake concat_order_swapped
//=   question: Your concat scores are wrong and nothing complains. Which of the weight's columns belong to the query?
//=   because: [h_j; q] is as long as [q; h_j]. The first {state} columns are the query's.
//= mistake concat_without_tanh
//=   question: Your concat weights are the same for every query. What is lost when the tanh is?
//=   because: without it the query adds the same to all positions, and a softmax does not see that (exercise 40).
//= mistake concat_without_v
//=   question: Your concat scores add up the {attention} numbers after the tanh as they are. What weighs them?
//=   because: the score is the product of v with that vector; a plain sum is the product with ones.
//= mistake weight_mean
//=   question: Your d_weight is exactly 1/{batch} of the true one. Who divides by {batch} here?
//=   because: all {batch} sentences used the same weight: their gradients are added. Where the loss is a mean, its
//=     1/{batch} is in d_scores already.
//= mistake first_position_only
//=   premise: Your d_query and d_weight are right for a source of one word.
//=   question: How many keys did the query meet?
//=   because: one query is compared with {source} keys, and each of these scores sends a gradient back to it. You
//=     have only that of the first.
//= mistake upstream_left_out
//=   question: Your d_H does not depend on d_scores at all. What does it have to be multiplied by?
//=   because: d(score)/d(h_j) is the query times the weight; the loss changes with it as far as it changes with the
//=     score.
//= mistake old_state_asks
//=   question: Another word as input does not change your weights. Which state asks in Luong's order?
//=   because: you attend with the state before the step, as Bahdanau does. Luong's GRU runs first, and the state that
//=     has read the word asks.
//= mistake softmax_twice
//=   question: Sum your weights where one score is 1000 above all others: which weight does that word get?
//=   because: the softmax of the weights was taken once more. Numbers between 0 and 1 are nearly equal to a softmax:
//=     no word gets more than e times what another gets.
//= mistake combined_in_another_order
//=   premise: Everything up to the context is right.
//=   question: Which columns of `combine` are the context's?
//=   because: [state; context] is as long as [context; state]; the numbers meet the columns of others.
//= mistake combined_without_tanh
//=   question: Some of your attentional numbers are above 1. Can they be?
//=   because: they are tanh of a product, between -1 and 1; the tanh is missing.
//= mistake attentional_handed_on
//=   question: Your next state is the attentional vector. What does the GRU carry from step to step?
//=   because: the attentional vector is made for the readout. The GRU goes on from its own state; feeding the other
//=     one to the next step's *input* is a variant, called input feeding.
//= mistake quarter_forgotten
//=   question: (a + b)^2 - (a - b)^2: how much is that for a = b = 1? And the product?
//=   because: the difference of the two squares is 4 a b. Yours is 4 times the product.
//= mistake half_forgotten
//=   question: In the series of tanh around c, by which number is the second derivative divided? And how many units
//=     make one square?
//=   because: each of two units gives half the second derivative times the square, so a pair gives all of it; yours
//=     counts the half as if there were one unit.
//= mistake root_forgotten
//=   question: What makes the dot product a *scaled* one?
//=   because: the 1 / sqrt(d) is missing: your scores are sqrt({features}) times as large.
//= mistake epsilon_not_squared
//=   question: Make epsilon half as large. Do your scores stay the same?
//=   because: a square of something of size epsilon has size epsilon^2, so v must contain 1 / epsilon^2.
//= mistake curvature_sign
//=   question: To the right of 0, does tanh bend upwards or downwards?
//=   because: the second derivative of tanh is -2 tanh (1 - tanh^2), negative for c > 0. Yours has the opposite sign,
//=     and so have the scores.
//= mistake at_the_centre
//=   question: What is the second derivative of tanh at 0?
//=   because: around 0 tanh is odd and has no curvature, so a pair of units cancels to nothing. The bias moves it
//=     to where it bends.
//= mistake both_squares_alike
//=   question: In which pair of units does the key come with the opposite sign?
//=   because: both pairs make (a + b)^2, and their difference is 0. The second one must make (a - b)^2.
//= mistake no_negatives
//=   question: Write 2 tanh(c + x) as a series in x. Which term does it have that tanh(c + x) + tanh(c - x) does not
//=     have?
//=   because: both units of a pair have the same x, so the terms of x itself add up, and with 1 / epsilon^2 they are
//=     far larger than the square. With x and -x they cancel.
//= equal mutant: const double c = (1.0 / std::sqrt(3.0));
//= equal mutant: const double c = std::atanh(1.0 / (3.0));
//= equal mutant: const double c = std::atanh(1.0 / std::sqrt(6.5));
//=   because: tanh bends there, too, if less: v makes up for it, and every construction that comes near enough is
//=     right.

#include "given.h"

Tensor scores(const Score& score, const Tensor& query, const Tensor& H) {
  //[
  //- // TODO: score.form says which. bmm(H, x.unsqueeze(2)).squeeze(2) is the product of x [batch, encoder]
  //- // with every key of its sentence.
  //- todo("scores: the four forms");
  const auto with_all_keys = [&](const Tensor& x) { return bmm(H, x.unsqueeze(2)).squeeze(2); };
  if (score.form == Form::dot) return with_all_keys(query);
  //~ dot_scaled_too | const double features = std::sqrt(static_cast<double>(query.size(1)));
  //~ dot_scaled_too | if (score.form == Form::dot) return with_all_keys(query) / features;
  const double root = std::sqrt(static_cast<double>(query.size(1)));
  //~ not_scaled | const double root = 1.0;
  //~ divided_by_d | const double root = static_cast<double>(query.size(1));
  //~ root_cut_off | const double root = std::floor(std::sqrt(static_cast<double>(query.size(1))));
  //~ divided_by_the_source | const double root = std::sqrt(static_cast<double>(H.size(1)));
  if (score.form == Form::scaled_dot) return with_all_keys(query) / root;
  if (score.form == Form::general) {
    const Tensor projected = matmul(query, score.weight);  // q . (weight h_j) = (q weight) . h_j
    //~ transposed_if_square | const bool fits = score.weight.size(1) == query.size(1);
    //~ transposed_if_square | const Tensor projected = matmul(query, fits ? score.weight.t() : score.weight);
    //~ general_scaled | const double features = static_cast<double>(query.size(1));
    //~ general_scaled | const Tensor projected = matmul(query, score.weight) / std::sqrt(features);
    return with_all_keys(projected);
  }
  const Tensor queries = query.unsqueeze(1).expand({H.size(0), H.size(1), query.size(1)});
  const Tensor pairs = autograd::cat({queries, H}, 2);  // [batch, source, state + encoder]
  //~ concat_order_swapped | const Tensor pairs = autograd::cat({H, queries}, 2);
  const Tensor hidden = tanh(linear(pairs, score.weight));
  //~ concat_without_tanh | const Tensor hidden = linear(pairs, score.weight);
  return matmul(hidden, score.v);
  //~ concat_without_v | return hidden.sum({2});
  //]
}

GeneralGradients general_backward(const Tensor& d_scores, const Tensor& query, const Tensor& H, const Tensor& weight) {
  //[
  //- // TODO: e[b, j] = sum over s and k of query[b, s] weight[s, k] H[b, j, k]. Which sum is whose?
  //- // probe("d_projected", ..) shows the gradient of query weight [batch, encoder] to the checker.
  //- todo("general_backward: the gradients of query, H and weight");
  const Tensor projected = matmul(query, weight);                       // [batch, encoder]
  const Tensor d_projected = bmm(d_scores.unsqueeze(1), H).squeeze(1);  // every key met the same query
  //~ first_position_only | const Tensor d_projected = d_scores.narrow(1, 0, 1) * H.select(1, 0);
  probe("d_projected", d_projected);
  const Tensor d_query = matmul(d_projected, weight.t());
  //~ transposed_if_square | const bool fits = weight.size(0) == d_projected.size(1);
  //~ transposed_if_square | const Tensor d_query = matmul(d_projected, fits ? weight : weight.t());
  const Tensor d_weight = matmul(query.t(), d_projected);
  //~ weight_mean | const Tensor d_weight = matmul(query.t(), d_projected) / static_cast<double>(query.size(0));
  const Tensor d_H = d_scores.unsqueeze(2) * projected.unsqueeze(1);
  //~ upstream_left_out | const Tensor d_H = projected.unsqueeze(1).expand(H.shape());
  return {d_query, d_H, d_weight};
  //]
}

LuongStep luong_step(const StepInput& in, const LuongDecoder& decoder) {
  //[
  //- // TODO: the GRU first. masked_softmax(scores, mask) are weights; autograd::cat({a, b}, 1) is [a; b].
  //- todo("luong_step: the next state, the weights, the context, the attentional vector");
  const Tensor state = gru_step(in.word, in.state, decoder.gru);
  const Tensor& query = state;
  //~ old_state_asks | const Tensor& query = in.state;
  const Tensor weights = masked_softmax(scores(decoder.score, query, in.H), in.mask);
  //~ softmax_twice | const Tensor once = masked_softmax(scores(decoder.score, query, in.H), in.mask);
  //~ softmax_twice | const Tensor weights = masked_softmax(once, in.mask);
  const Tensor context = bmm(weights.unsqueeze(1), in.H).squeeze(1);
  const Tensor both = autograd::cat({context, state}, 1);
  //~ combined_in_another_order | const Tensor both = autograd::cat({state, context}, 1);
  const Tensor attentional = tanh(linear(both, decoder.combine));
  //~ combined_without_tanh | const Tensor attentional = linear(both, decoder.combine);
  return {state, weights, context, attentional};
  //~ attentional_handed_on | return {attentional, weights, context, attentional};
  //]
}

AdditiveWeights additive_like_dot(const Tensor& W_q, const Tensor& W_k, double epsilon) {
  //[
  //- // TODO: four hidden units for each of the d products: two make (a + b)^2, two make (a - b)^2.
  //- // autograd::cat({..}) puts matrices one below another, autograd::full(shape, value, autograd::float64) fills.
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
