//= title: Theory: the gradient of a state in closed form
//= part: F
//= difficulty: 3
//= minutes: 45
//= after: 28, 36
//= answer: state_gradients, silent_states, without_attention, with_attention
//= mistake value_path_missing
//=   question: In how many of the four lines of the forward pass does h_j appear? How many terms do you have?
//=   because: h_j is mixed into c with the weight alpha_j. That path alone gives alpha_j dc, however the weights came
//=     about.
//= mistake value_path_unweighted
//=   question: What does a word get as a value if its weight is 0? What does yours get?
//=   because: h_j enters c times alpha_j. Yours hands every position the whole dc.
//= mistake sure_word_gets_nothing
//=   question: Which of the two terms is 0 where one word has all the weight? What does c consist of there?
//=   because: c is that word's state, so all of dc goes to it as a value: alpha_j dc with alpha_j = 1. Only the second
//=     term is 0.
//= mistake key_path_missing
//=   question: If h_j changes, does only what is mixed change, or the mixture too?
//=   because: h_j also stands in its own score, and so moves all weights. Without that term training still works,
//=     only worse, so this mistake can go unnoticed for a long time.
//= mistake softmax_diagonal
//=   question: If all states are alike, does it matter which of them is looked at? What is your second term then?
//=   because: alpha_j (1 - alpha_j) dc.h_j counts what e_j does to its own weight and leaves out that all the others
//=     shrink. The whole is alpha_j dc.(h_j - c).
//= mistake softmax_skipped
//=   question: Where alpha is 0, can the score do anything? What is your second term at the padding?
//=   because: you passed dc.h_j on to the score as it was. Between weight and score lies the softmax: a factor
//=     alpha_j, and c subtracted from h_j.
//= mistake context_forgotten
//=   question: If all states are alike, c is that state and nothing can be gained by looking elsewhere. Does your
//=     second term know?
//=   because: what counts is how h_j differs from the mix c that was handed out: dc.(h_j - c). Yours has dc.h_j.
//= mistake alpha_forgotten
//=   question: If one word has all the weight, do the scores of the others still matter? What does your second term
//=     say?
//=   because: the softmax's derivative has the factor alpha_j. A word without weight learns nothing, however good it
//=     is.
//= mistake plain_mean_for_context
//=   question: Which mean of the states was handed to the decoder: the plain one, or the weighted one?
//=   because: the softmax subtracts the mean under alpha, which is c. In a plain mean padding counts as well.
//= mistake difference_reversed
//=   question: If word j takes a little weight from all words alike, what goes into c, and what goes out of it?
//=   because: h_j goes in and the mix c goes out: the loss moves by dc.(h_j - c). Yours is c - h_j.
//= mistake tanh_slope_forgotten
//=   question: What does your second term become where a hidden unit is saturated, u = 1?
//=   because: between z and u lies tanh, with the slope 1 - u^2: 0 there.
//= mistake tanh_slope_not_squared
//=   question: Is the slope of tanh the same at u = 0.5 and at u = -0.5? Is yours?
//=   because: 1 - u^2 is; 1 - u is 0.5 and 1.5.
//= mistake v_forgotten
//=   question: Do all {attention} hidden units push the score in the same direction?
//=   because: unit k enters the score with the factor v_k, and passes on v_k times as much. Yours passes on 1 from
//=     each.
//= mistake silent_states_with_a_batch
//=   question: What shape must the silent states have, and what shape do yours have?
//=   because: a batch dim was put in front. They are the states of one sentence: [source, encoder].
//= mistake silent_states_alike
//=   question: Your states give nothing to learn, but are they different from each other?
//=   because: equal states are the case that the text names. The second term is 0 in others too: look at what it uses
//=     of h_j - c.
//= mistake silent_states_seen
//=   question: What is dc.h_j for each of your states? May those numbers differ?
//=   because: the second term has the factor dc.(h_j - c). It is 0 for every alpha only if all dc.h_j are the same
//=     number; yours are not.
//= mistake silent_states_of_two_numbers
//=   question: Which of dc's {encoder} numbers do your states use? What are your states if exactly these are 0?
//=   because: they are multiples of [-dc_2, dc_1, 0, ..], which is at right angles to dc. Where dc_1 and dc_2 are
//=     both 0, so are all of them, and then they are alike. What is left of any vector without its part along dc
//=     always works.
//= mistake silent_states_divided_by_one
//=   question: By which number of dc do you divide, and what if just that one is 0?
//=   because: dc.h = 0 was solved for one number of h, which divides by that number of dc. What is left of any vector
//=     without its part along dc divides by dc.dc, which is 0 only where all of dc is.
//= mistake silent_states_repeat
//=   question: How many different states does your method give? And if there are more words than that?
//=   because: they begin with the {encoder} unit vectors in turn, so word {encoder} + 1 gets the state of the first one
//=     again. Multiples of them, or random vectors, do not repeat.
//= mistake last_gradient_everywhere
//=   question: How many states does a decoder without attention see?
//=   because: d_last was handed to every state. Only the last one is seen by the decoder.
//= mistake first_state_seen
//=   question: Your gradient is 0 everywhere but at one state. Which state does a decoder without attention see?
//=   because: d_last was handed to the first state, which has none before it. It belongs to the last one, and goes
//=     back from there.
//= mistake keys_forgotten
//=   question: In how many ways does a state take part in attention?
//=   because: only the path as a value was taken, alpha_j dc. The state is a key, too: it decides about the weights.
//= mistake last_state_alone
//=   question: Who made the last state? What does the state before it get?
//=   because: only the last state is seen by the decoder, but it was made from the one before it, and so on: what it
//=     gets goes back through all of them.
//= mistake attention_is_all
//=   question: With attention every state has a direct connection to the loss. Is that its only one?
//=   because: the states still depend on each other: what attention sends to state j also goes on to the states
//=     before it.
//= equal mutant: const Tensor any = autograd::randn({source, dc.size(-1)}, autograd::float64);
//=   because: dc has one dim.

#include "given.h"

StateGradients state_gradients(const Tensor& dc, const AttentionStep& step, const AttentionWeights& weights) {
  //[
  //- // TODO: the two terms, each [batch, source, encoder].
  //- // const auto& [states, hidden, alpha, c] = step;
  //- // probe("d_e", d_e), the factor of the second term that belongs to softmax, shows it to the checker.
  //- todo("state_gradients: what h_j gets as a value, and what it gets as a key");
  const auto& [states, hidden, alpha, c] = step;
  StateGradients gradients;
  gradients.as_value = alpha.unsqueeze(2) * dc.unsqueeze(1);  // [batch, source, 1] * [batch, 1, encoder]
  //~ value_path_missing | gradients.as_value = zeros_like(states);
  //~ sure_word_gets_nothing | const Tensor open = alpha.masked_fill(alpha == 1.0, 0.0);
  //~ sure_word_gets_nothing | gradients.as_value = open.unsqueeze(2) * dc.unsqueeze(1);
  //~ value_path_unweighted | gradients.as_value = dc.unsqueeze(1).expand(states.shape());

  const Tensor difference = states - c.unsqueeze(1);  // [batch, source, encoder]
  //~ softmax_diagonal | const Tensor difference = states;
  //~ softmax_skipped | const Tensor difference = states;
  //~ context_forgotten | const Tensor difference = states;
  //~ plain_mean_for_context | const Tensor difference = states - states.mean({1}, true);
  //~ difference_reversed | const Tensor difference = c.unsqueeze(1) - states;
  const Tensor d_e = alpha * (dc.unsqueeze(1) * difference).sum({2});  // [batch, source]
  //~ softmax_diagonal | const Tensor d_e = alpha * (1.0 - alpha) * (dc.unsqueeze(1) * difference).sum({2});
  //~ softmax_skipped | const Tensor d_e = (dc.unsqueeze(1) * difference).sum({2});
  //~ alpha_forgotten | const Tensor d_e = (dc.unsqueeze(1) * difference).sum({2});
  probe("d_e", d_e);

  const Tensor slope = weights.v * (1.0 - hidden * hidden);  // [batch, source, attention]
  //~ tanh_slope_forgotten | const Tensor slope = weights.v.expand(hidden.shape());
  //~ tanh_slope_not_squared | const Tensor slope = weights.v * (1.0 - hidden);
  //~ v_forgotten | const Tensor slope = 1.0 - hidden * hidden;
  gradients.as_key = d_e.unsqueeze(2) * matmul(slope, weights.U);
  //~ key_path_missing | gradients.as_key = zeros_like(states);
  return gradients;
  //]
}

Tensor silent_states(const Tensor& dc, std::int64_t source) {
  //[
  //- // TODO: what does your second term use of h_j? When is that 0, for every alpha?
  //- todo("silent_states: different states that teach the scores nothing");
  const Tensor any = autograd::randn({source, dc.size(0)}, autograd::float64);
  //~ silent_states_repeat | std::vector<Tensor> units;
  //~ silent_states_repeat | const Tensor unit = autograd::eye(dc.size(0), autograd::float64);
  //~ silent_states_repeat | for (std::int64_t j = 0; j < source; ++j) units.push_back(unit[j % dc.size(0)]);
  //~ silent_states_repeat | const Tensor any = autograd::stack(units, 0);
  const Tensor along = matmul(any, dc) / (dc * dc).sum();  // [source]
  return any - along.unsqueeze(1) * dc;                    // nothing along dc is left
  //~ silent_states_with_a_batch | return (any - along.unsqueeze(1) * dc).unsqueeze(0);
  //~ silent_states_of_two_numbers | const Tensor number = autograd::arange(source, autograd::float64) + 1.0;
  //~ silent_states_of_two_numbers | const Tensor zeros = autograd::zeros({source, dc.size(0) - 2}, autograd::float64);
  //~ silent_states_of_two_numbers | const Tensor across = autograd::stack({-number * dc[1], number * dc[0]}, 1);
  //~ silent_states_of_two_numbers | return autograd::cat({across, zeros}, 1);
  //~ silent_states_divided_by_one | const Tensor first = (any * dc).narrow(1, 1, dc.size(0) - 1).sum({1}, true);
  //~ silent_states_divided_by_one | return autograd::cat({-first / dc[0], any.narrow(1, 1, dc.size(0) - 1)}, 1);
  //~ silent_states_alike | return dc.unsqueeze(0).expand(any.shape());
  //~ silent_states_seen | return along.unsqueeze(1) * dc;
  //]
}

Tensor without_attention(const Tensor& d_last, const Tensor& states, const Tensor& weight_hh) {
  //[
  //- // TODO: what does each state get directly? through_time does the rest.
  //- todo("without_attention: the gradients of all states");
  std::vector<Tensor> direct(static_cast<std::size_t>(states.size(1)), zeros_like(d_last));
  //~ last_gradient_everywhere | std::vector<Tensor> direct(static_cast<std::size_t>(states.size(1)), d_last);
  direct.back() = d_last;
  //~ first_state_seen | direct.front() = d_last;
  return through_time(autograd::stack(direct, 1), states, weight_hh);
  //~ last_state_alone | return autograd::stack(direct, 1);
  //]
}

Tensor with_attention(const Tensor& dc, const AttentionStep& step, const AttentionWeights& weights,
                      const Tensor& weight_hh) {
  //[
  //- // TODO: the same, with what attention sends to each state.
  //- todo("with_attention: the gradients of all states");
  const auto [as_value, as_key] = state_gradients(dc, step, weights);
  return through_time(as_value + as_key, step.states, weight_hh);
  //~ keys_forgotten | return through_time(as_value, step.states, weight_hh);
  //~ attention_is_all | return as_value + as_key;
  //]
}
