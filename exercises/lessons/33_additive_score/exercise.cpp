//= title: Additive score
//= part: F
//= difficulty: 2
//= minutes: 20
//= after: 19
//= fast track
//= answer: scores_by_hand, project_keys, additive_score
//= mistake by_hand_without_tanh
//=   question: Your three scores by hand are whole numbers. What happens between the sum s + h_j and the product with
//=     v?
//=   because: 1.5 + 0.5 = 2 is the score without tanh. tanh comes first, number by number: tanh(1.5) + tanh(0.5).
//= mistake by_hand_tanh_of_sum
//=   question: A score by hand came out below 1. Did you take tanh of two numbers each, or of one?
//=   because: v . tanh(z) takes tanh of each number and then adds up. tanh(1.5 + 0.5) = 0.964 adds up first.
//= mistake states_ignored
//=   question: All scores of a sentence are equal. What in your formula tells one source position from another?
//=   because: without U h_j the score is the same for all {source} positions, whatever the sentence says. (PyTorch's
//=     own tutorial had weights that never looked at the encoder, from 2017 to 2023.)
//= mistake query_ignored
//=   question: Give your function two different decoder states. What changes?
//=   because: without W s each position has one score for the whole translation: the decoder looks at the same words
//=     at every step.
//= mistake tanh_forgotten
//=   question: Without tanh, e_j = v.W s + v.U h_j + v.b. What is left of s after the softmax over j?
//=   because: what is added to all {source} scores alike changes no weight. Without tanh the whole query is such a
//=     term, and attention no longer depends on the decoder.
//= mistake tanh_of_each
//=   question: tanh(a) + tanh(b) or tanh(a + b): in which of them do query and key meet before something bends?
//=   because: the hidden unit sees the sum W s + U h_j + b. With a tanh for each part, the query's part is added to
//=     every score alike, and the softmax drops it.
//= mistake tanh_of_score
//=   question: Can one of your scores be larger than 1? Should it?
//=   because: tanh belongs to the {attention} hidden units, before v. Behind v it bounds every score to (-1, 1), and
//=     the largest weight to e^2 times the smallest.
//= mistake product_of_query_and_key
//=   question: Are query and key added or multiplied in your score? And what became of v?
//=   because: (W s) . (U h_j) is a dot product, Luong's kind of score (exercise 45). Bahdanau's adds the two.
//= mistake bias_outside_tanh
//=   question: If b is doubled, which of your attention weights change?
//=   because: after tanh, b adds v.b to every score alike. Softmax sees differences only, so the bias has no effect
//=     and a gradient of exactly 0. Before tanh it moves every hidden unit to another part of the curve.
//= mistake bias_forgotten
//=   question: The formula has four weights. Which of them does your code not use?
//=   because: your scores are those for b = 0. The example by hand cannot show it, since its b is 0.
//= mistake bias_at_every_step
//=   question: b does not depend on s. Where do you add it, and how often in a translation?
//=   because: b does not depend on s. Added to the keys it costs one sum per sentence instead of one per step.
//= mistake bias_behind_v
//=   question: If b is doubled, by how much does each of a sentence's scores change? What does the softmax make of
//=     that?
//=   because: b.sum() is added after v, to every score alike. Softmax sees differences only, so the bias has no effect
//=     and a gradient of exactly 0. Before tanh it moves every hidden unit to another part of the curve.
//= mistake keys_remembered
//=   question: The same states come back after b and U have changed, as they do in training. Which weights are in the
//=     keys that you return?
//=   because: your keys are kept from one call of project_keys() to the next. It is called once per sentence already,
//=     and what it returns is used at every step: nothing needs to be kept.
//= mistake query_of_the_first_sentence
//=   premise: Your first sentence is right and the others are not.
//=   question: Whose decoder state asks in the others?
//=   because: s has a row for each of the {batch} sentences, and you take row 0 for all. unsqueeze(1) keeps the rows,
//=     and lets each meet all positions of its own sentence.
//= mistake squeezed
//=   question: What shape do your scores have if the batch is a single sentence, or the sentence a single word?
//=   because: squeeze() without a dim takes away every dim of length 1: the last, which is meant, and batch and source
//=     as well where they are 1. squeeze(2) takes away that one only.
//= mistake v_inside_tanh
//=   question: e_j = v . tanh(z_j): what comes first, tanh or the product with v?
//=   because: you take tanh of v times z, number by number, and add up. Then no hidden unit can count more than 1,
//=     however large its v. The example by hand cannot show it, since its v is [1, 1].
//= mistake v_forgotten
//=   question: Do all {attention} hidden units count the same in your score, and with the same sign?
//=   because: a plain sum is v with ones. The example by hand cannot show it, since its v is [1, 1].
//= mistake mean_over_attention
//=   question: Your scores are 1/{attention} of the expected ones. What has length {attention}, and what did you do
//=     with it?
//=   because: v . u is a sum over the {attention} hidden units. A mean makes all scores smaller, and so the weights
//=     flatter.
//= mistake weights_not_scores
//=   question: Your numbers are positive and each row adds up to 1. Is that what a score is?
//=   because: the softmax is the next step (exercise 34). Done twice it flattens the weights.
//= mistake keys_changed
//=   question: The keys are projected once, and every step uses them. What is in them after your first step?
//=   because: a Tensor is a handle: `z = keys` copies no numbers, and `z += query` or `add_` writes the query into the
//=     keys. The second step finds them with the first query in them.
//= mistake last_state_for_all
//=   question: If two source positions change places, which of your scores should change places? Which do?
//=   because: every position was scored with the last state, as in a model without attention, where one vector stands
//=     for the sentence.

#include "given.h"

std::vector<double> scores_by_hand() {
  //[
  //- // TODO: three numbers, worked out on paper.
  //- todo("scores_by_hand: e_1, e_2 and e_3 of the example in the text");
  return {1.367, 1.367, 1.810};
  //~ by_hand_without_tanh | return {2.0, 2.0, 3.0};
  //~ by_hand_tanh_of_sum | return {0.964, 0.964, 0.995};
  //]
}

Tensor project_keys(const Tensor& states, const ScoreWeights& weights) {
  //[
  //- // TODO: everything inside tanh that does not depend on s.
  //- todo("project_keys: what is computed once per sentence");
  return linear(states, weights.U, weights.b);
  //~ bias_outside_tanh | return linear(states, weights.U);
  //~ bias_forgotten | return linear(states, weights.U);
  //~ bias_at_every_step | return linear(states, weights.U);
  //~ bias_behind_v | return linear(states, weights.U);
  //~ keys_remembered | static Tensor seen;
  //~ keys_remembered | static Tensor keys;
  //~ keys_remembered | const bool is_new = !seen.defined() || seen.impl() != states.impl();
  //~ keys_remembered | if (is_new) keys = linear(states, weights.U, weights.b);
  //~ keys_remembered | seen = states;
  //~ keys_remembered | return keys;
  //]
}

Tensor additive_score(const Tensor& s, const Tensor& keys, const ScoreWeights& weights) {
  //[
  //- // TODO: the query [batch, attention] must meet every row of the keys [batch, source, attention].
  //- // probe("query", query) and probe("hidden", hidden), the output of tanh, show them to the checker.
  //- todo("additive_score: what is computed at every decoder step");
  const Tensor query = linear(s, weights.W);
  probe("query", query);
  const Tensor hidden = tanh(query.unsqueeze(1) + keys);  // [batch, 1, attention] + [batch, source, attention]
  //~ keys_changed | const Tensor hidden = tanh(Tensor(keys).add_(query.unsqueeze(1)));
  //~ bias_at_every_step | const Tensor hidden = tanh(query.unsqueeze(1) + keys + weights.b);
  //~ query_of_the_first_sentence | const Tensor hidden = tanh(query[0] + keys);
  //~ v_inside_tanh | const Tensor hidden = tanh((query.unsqueeze(1) + keys) * weights.v);
  //~ states_ignored | const Tensor hidden = tanh(query.unsqueeze(1)).expand(keys.shape());
  //~ query_ignored | const Tensor hidden = tanh(keys);
  //~ tanh_forgotten | const Tensor hidden = query.unsqueeze(1) + keys;
  //~ tanh_of_each | const Tensor hidden = tanh(query).unsqueeze(1) + tanh(keys);
  //~ tanh_of_score | const Tensor hidden = query.unsqueeze(1) + keys;
  //~ last_state_for_all | const Tensor last = keys.select(1, -1).unsqueeze(1);
  //~ last_state_for_all | const Tensor hidden = tanh(query.unsqueeze(1) + last).expand(keys.shape());
  probe("hidden", hidden);
  return matmul(hidden, weights.v);  // [batch, source, attention] [attention]
  //~ tanh_of_score | return tanh(matmul(hidden, weights.v));
  //~ product_of_query_and_key | return (query.unsqueeze(1) * keys).sum({-1});
  //~ bias_outside_tanh | return matmul(hidden + weights.b, weights.v);
  //~ bias_behind_v | return matmul(hidden, weights.v) + weights.b.sum();
  //~ squeezed | return matmul(hidden, weights.v.unsqueeze(1)).squeeze();
  //~ v_inside_tanh | return hidden.sum({-1});
  //~ v_forgotten | return hidden.sum({-1});
  //~ mean_over_attention | return (hidden * weights.v).mean({-1});
  //~ weights_not_scores | return matmul(hidden, weights.v).softmax(-1);
  //]
}
