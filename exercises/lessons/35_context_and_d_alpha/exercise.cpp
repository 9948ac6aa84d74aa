//= title: Context and d_alpha
//= part: F
//= difficulty: 2
//= minutes: 20
//= after: 33
//= fast track
//= answer: context_by_hand, context_vector, context_backward
//= mistake by_hand_best_word
//=   question: Your context by hand is h_3 itself. Did the other two words get no weight?
//=   because: taking the word with the largest weight is hard attention, which has no derivative. Here all three
//=     states are mixed: 0.281 + 0.438 in each entry.
//= mistake by_hand_divided_by_three
//=   question: Your context by hand is a third of the expected one. What do the three weights add up to already?
//=   because: a weighted mean divides by the sum of the weights, and that is 1.
//= mistake by_hand_d_alpha_weighted
//=   question: On paper: if alpha_1 grows by 0.01, by how much does c_1 grow, and does that depend on how large alpha_1
//=     is already?
//=   because: your three numbers have alpha_j as a factor. c is linear in alpha, so its derivative with respect to
//=     alpha_j has none.
//= mistake by_hand_through_softmax
//=   question: On paper: alpha_1 alone grows by 0.01. What becomes of the two other weights?
//=   because: you took them to shrink, as they do behind a softmax. d_alpha asks what alpha_j does by itself: dc.h_j.
//= mistake by_hand_all_of_dc
//=   question: On paper: h_3 enters c with the factor alpha_3. What does it get back of dc = [1, 2]?
//=   because: you gave it all of dc. With the factor alpha_3 it is [0.438, 0.876].
//= mistake context_of_keys
//=   question: The source has states and keys. Which of them are the weights computed from, and which is c the mean
//=     of?
//=   because: the keys U h_j serve the scores. The context is a mean of the states h_j themselves: it has {encoder}
//=     numbers, and yours has {attention}.
//= mistake unweighted_mean
//=   question: How does your context change when alpha does?
//=   because: every position counts the same in yours, padding too. That is the average of the states, not attention.
//= mistake context_divided
//=   question: Your context is 1/{source} of the expected one. What must a sum be divided by if its weights add up to
//=     1?
//=   because: alpha is normalised, so sum_j alpha_j h_j is a mean already. mean() over the {source} positions divides
//=     once more.
//= mistake context_renormalised
//=   question: Let alpha_1 alone grow by 0.01. How much of h_1 comes into c, and what does your c do to the
//=     other words?
//=   because: you divide by the sum of the weights. That sum is 1 after a softmax, so it shows only where one
//=     weight is moved alone: then c = sum_j alpha_j h_j has 0.01 h_1 more, and all else in it stays as it was.
//= mistake squeezed
//=   question: What shape does your c have if the batch is a single sentence?
//=   because: squeeze() without a dim drops every axis of length 1, the batch's too. An axis of length 1 is an axis
//=     all the same: [1, encoder]. Say which dim to drop.
//= mistake d_alpha_same_everywhere
//=   question: Your d_alpha is the same at all {source} positions. If alpha_1 grows by 0.01, what exactly is added to
//=     c?
//=   because: 0.01 h_1 is added to c, and the loss changes by 0.01 dc.h_1. Yours sums up dc alone, without asking
//=     which state came in.
//= mistake d_alpha_with_context
//=   question: What does raising alpha_j alone, by a little, add to c: more of c, or more of one state?
//=   because: dc.c is the same number at every position. The part of position j is h_j, so d_alpha_j = dc.h_j.
//= mistake d_alpha_centred
//=   question: Does this exercise ask what happens to the *other* weights when alpha_j grows?
//=   because: dc.(h_j - c), times alpha_j, is what you get once you are through the softmax, where one weight grows
//=     at the cost of the others (exercise 36). Here alpha_j is moved alone: dc.h_j.
//= mistake d_alpha_mean
//=   question: Your d_alpha is 1/{encoder} of the expected one. What did you do with the {encoder} products dc_k
//=     h_jk?
//=   because: a dot product is their sum.
//= mistake d_alpha_weighted
//=   question: At the padding alpha is 0. If it were raised there by 0.01, would c stay as it is? How much would c
//=     change where alpha is large already?
//=   because: c is linear in alpha, so the derivative with respect to alpha_j has no alpha_j in it. At the padding,
//=     where alpha is 0, d_alpha is dc.h_j like everywhere; it is the softmax that stops it.
//= mistake d_alpha_not_at_padding
//=   question: Your d_alpha is 0 at the padding. If alpha were raised there by 0.01, would c stay as it is?
//=   because: d_alpha_j = dc.h_j has no alpha_j in it, and there is a state at the padding, too. That it has no weight
//=     is the softmax's business: it stops the gradient one step further back.
//= mistake value_path_missing
//=   question: If alpha is held fixed, does c still depend on h_j?
//=   because: h_j stands in c = sum_j alpha_j h_j, so it gets alpha_j dc. The other path, through the scores, comes
//=     in exercise 36 and is added to this one.
//= mistake value_path_unweighted
//=   question: What is the gradient of a state whose weight is 0? What does yours say at the padding?
//=   because: h_j enters c with the factor alpha_j, and gets alpha_j dc back. Yours gives every position all of dc.
//= mistake value_path_divided
//=   question: Your d_states has 1/{source} everywhere that alpha should stand. Were the states averaged, or
//=     weighted?
//=   because: 1/{source} would be right for a plain mean. h_j came in with the factor alpha_j.
//= mistake value_path_last_only
//=   question: Only one of the {source} positions has a gradient in your d_states. Is something overwritten where
//=     each position has a place of its own?
//=   because: each state has its own row in d_states. A loop that builds a new tensor at each turn keeps the last.
//= mistake value_path_from_d_alpha
//=   question: In c = sum_j alpha_j h_j, which factor does h_j have: alpha_j, or d_alpha_j?
//=   because: a product hands each factor the gradient times the *other factor's value*. d_alpha_j is a gradient, not
//=     the value that h_j was multiplied by.

#include "given.h"

ByHand context_by_hand() {
  //[
  //- // TODO: seven numbers, worked out on paper: {.c = {0.0, 0.0}, .d_alpha = ...}
  //- todo("context_by_hand: c, d_alpha and the gradient of h_3 for the example in the text");
  ByHand by_hand;
  by_hand.c = {0.719, 0.719};
  //~ by_hand_best_word | by_hand.c = {1.0, 1.0};
  //~ by_hand_divided_by_three | by_hand.c = {0.240, 0.240};
  by_hand.d_alpha = {1.0, 2.0, 3.0};
  //~ by_hand_d_alpha_weighted | by_hand.d_alpha = {0.281, 0.562, 1.314};
  //~ by_hand_d_alpha_weighted.unrounded | by_hand.d_alpha = {0.281, 0.562, 1.313};
  //~ by_hand_through_softmax | by_hand.d_alpha = {-0.325, -0.044, 0.369};
  //~ by_hand_through_softmax.without_alpha | by_hand.d_alpha = {-1.157, -0.157, 0.843};
  by_hand.d_h3 = {0.438, 0.876};
  //~ by_hand_all_of_dc | by_hand.d_h3 = {1.0, 2.0};
  return by_hand;
  //]
}

Tensor context_vector(const Tensor& alpha, const Source& source) {
  //[
  //- // TODO: alpha [batch, source] has no encoder dim, and the sum runs over source.
  //- todo("context_vector: the weighted mean");
  const Tensor weighted = alpha.unsqueeze(2) * source.states;  // [batch, source, 1] * [batch, source, encoder]
  //~ context_of_keys | const Tensor weighted = alpha.unsqueeze(2) * source.keys;
  return weighted.sum({1});
  //~ unweighted_mean | return source.states.mean({1});
  //~ context_divided | return weighted.mean({1});
  //~ squeezed | return weighted.sum({1}).squeeze();
  //~ context_renormalised | return weighted.sum({1}) / alpha.sum({1}, true);
  //]
}

ContextGradients context_backward(const Tensor& dc, const Tensor& alpha, const Source& source) {
  //[
  //- // TODO: d_alpha and d_states.
  //- todo("context_backward: what alpha gets, and what the states get as values");
  ContextGradients gradients;
  const Tensor dc_everywhere = dc.unsqueeze(1);  // [batch, 1, encoder]
  gradients.d_alpha = (dc_everywhere * source.states).sum({2});
  //~ d_alpha_same_everywhere | gradients.d_alpha = dc.sum({1}, true).expand(alpha.shape());
  //~ d_alpha_with_context | const Tensor c = (alpha.unsqueeze(2) * source.states).sum({1});
  //~ d_alpha_with_context | gradients.d_alpha = (dc * c).sum({1}, true).expand(alpha.shape());
  //~ d_alpha_centred | const Tensor c = (alpha.unsqueeze(2) * source.states).sum({1}, true);
  //~ d_alpha_centred | gradients.d_alpha = (dc_everywhere * (source.states - c)).sum({2});
  //~ d_alpha_centred.times_alpha | const Tensor c = (alpha.unsqueeze(2) * source.states).sum({1}, true);
  //~ d_alpha_centred.times_alpha | gradients.d_alpha = alpha * (dc_everywhere * (source.states - c)).sum({2});
  //~ d_alpha_mean | gradients.d_alpha = (dc_everywhere * source.states).mean({2});
  //~ d_alpha_not_at_padding | const Tensor everywhere = (dc_everywhere * source.states).sum({2});
  //~ d_alpha_not_at_padding | gradients.d_alpha = everywhere.masked_fill(alpha == 0.0, 0.0);
  //~ d_alpha_weighted | gradients.d_alpha = alpha * (dc_everywhere * source.states).sum({2});
  gradients.d_states = alpha.unsqueeze(2) * dc_everywhere;  // [batch, source, 1] * [batch, 1, encoder]
  //~ value_path_missing | gradients.d_states = zeros_like(source.states);
  //~ value_path_unweighted | gradients.d_states = dc_everywhere.expand(source.states.shape());
  //~ value_path_divided | gradients.d_states = (dc_everywhere / source.states.size(1)).expand(source.states.shape());
  //~ value_path_last_only | const Tensor last = autograd::arange(alpha.size(1)) == double(alpha.size(1) - 1);
  //~ value_path_last_only | gradients.d_states = (alpha * last.to(autograd::float64)).unsqueeze(2) * dc_everywhere;
  //~ value_path_from_d_alpha | gradients.d_states = gradients.d_alpha.unsqueeze(2) * dc_everywhere;
  return gradients;
  //]
}
