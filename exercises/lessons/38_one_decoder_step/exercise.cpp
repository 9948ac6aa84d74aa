//= title: One decoder step
//= part: F
//= difficulty: 3
//= minutes: 40
//= after: 29, 37
//= answer: decoder_step, decoder_step_backward
//= not: backward
//= mistake asked_once_per_source
//=   premise: Your first step is right, and the next one over the same source is not.
//=   question: Whose question does its attention answer?
//=   because: what attention found is kept (static), and given again as long as H is the same tensor. Every state asks
//=     anew.
//= mistake new_state_asks
//=   question: Change the word, and your weights change. Which of the two states has already heard of the word?
//=   because: you run the GRU first and attend with the state that comes out of it. That is Luong's order; here the
//=     state before the step asks, and the GRU then reads what it found.
//= mistake context_of_a_second_look
//=   premise: Your weights and your state are right, your logits are not.
//=   question: How often do you attend in one step?
//=   because: the readout gets the context that the GRU got, from the state before the step. You attend again with
//=     the next state and read that context out.
//= mistake context_before_word
//=   premise: Your weights are right and your next state is not.
//=   question: Which of the GRU's {word} + {encoder} input columns belong to the word?
//=   because: [context; word] has the size of [word; context], so nothing complains. Each number meets another one's
//=     weights.
//= mistake readout_in_another_order
//=   premise: Everything is right up to the state.
//=   question: In which order do the readout's columns expect the three parts?
//=   because: [context; next state; word] is as long as [next state; context; word]; only the columns tell them
//=     apart.
//= mistake readout_of_old_state
//=   premise: Your logits are wrong and the state you return is right.
//=   question: Is it that state which is read out?
//=   because: the logits come from the state before the step: a step late, and the GRU's work of this step is not in
//=     them.
//= mistake zero_context
//=   question: Your next state is what the GRU gives for a context of zeros. When should the first context be known?
//=   because: attention comes before the GRU, so that there is a context from the first step on; zeros are what
//=     remains if it is kept for the next step.
//= mistake mask_forgotten
//=   question: Your weights are above 0 at positions after the end of a sentence. Who tells attend() where it ends?
//=   because: without the mask the padding takes part in the softmax, and takes weight from the words.
//= mistake query_path_dropped
//=   question: Your d_state is what the GRU sends back, and no more. In how many places does the step use in.state?
//=   because: the state before the step goes into the GRU and it is the query of attention. What comes back from
//=     attention is missing.
//= mistake gru_path_dropped
//=   question: Your d_state is what attention sends back, and no more. In how many places does the step use in.state?
//=   because: the state before the step is the query of attention, and the GRU goes on from it. What comes back through
//=     the GRU is missing.
//= mistake word_from_gru_only
//=   question: Your d_word is what comes back through the GRU. Where else does the word go?
//=   because: the word is also one of the three parts that are read out; the readout's columns of the word send a
//=     gradient of their own.
//= mistake word_from_readout_only
//=   question: Your d_word is what comes back through the readout. Where else does the word go?
//=   because: the word is also the first part of what the GRU reads; the first {word} columns of its d_x are the
//=     word's.
//= mistake context_from_gru_only
//=   premise: d_H and d_state are wrong, d_word is right.
//=   question: Is every use of the context in your d_context?
//=   because: the context goes into the GRU and into the readout. You send the GRU's part through attention only.
//= mistake context_from_readout_only
//=   premise: d_H and d_state are wrong, d_word is right.
//=   question: Which part of the GRU's d_x belongs to the context?
//=   because: the context goes into the readout and into the GRU. You send the readout's part through attention only.
//= mistake later_steps_dropped
//=   premise: With d_next_state = 0 all your gradients would be right.
//=   question: Where does the next state go apart from the readout?
//=   because: the steps after this one start from the next state; what they send back must be added to what the
//=     readout sends.
//= mistake later_steps_behind_the_gru
//=   question: d_next_state is the gradient of which state: the one that this step made, or the one that it started
//=     from? Has it been through the GRU?
//=   because: it was added to d_state after the way back through the GRU. It is the gradient of the state that the GRU
//=     made, so it belongs in d_new: on its way to d_state it passes the GRU, and its weights and the context get
//=     their parts of it.
//= mistake readout_dropped
//=   premise: With d_logits = 0 your d_gru would be right.
//=   question: What do the logits depend on besides the readout's weights?
//=   because: the next state is read out, so the first part of d_features belongs to it, beside d_next_state.
//= mistake columns_of_d_readout
//=   question: In which order did the forward step put state, context and word side by side? And in which order are
//=     they in your features on the way back?
//=   because: the gradient of the readout has the columns of the features; here those of the context come first, so
//=     each column learns from another one.
//= mistake values_counted_twice
//=   question: H comes into attend() in two ways, as keys and as values. Which of the two is in the d_H that
//=     attend_backward() returns?
//=   because: both are. You add what the states get as values, the weights times d_context, a second time.
//= mistake old_state_in_d_readout
//=   question: Which state did the readout multiply? And which state is in your features on the way back?
//=   because: the readout reads the state that the GRU has made, step.state. Yours has the one before the step in its
//=     place.
//= mistake d_bias_mean
//=   question: How many rows of the batch use the same bias?
//=   because: each of them adds its gradient: the sum over the batch. A mean divides it by {batch}.
//= mistake word_cut_at_the_context
//=   question: Your d_word is wrong. Which columns of d_features does it take: those after the state, or those
//=     after state and context?
//=   because: the features are [next state; context; word], so the first columns after the state are the context's.
//=     The word's are the last {word}.
//= mistake next_state_asked_back
//=   question: Which state was the query when the step was made? And which one is it in your backward pass?
//=   because: the state before the step asked. You hand attend_backward() the state after it, so all its derivatives
//=     are taken at the wrong point.
//= mistake next_state_in_the_gru
//=   question: From which state did the GRU make this step? And which one do you hand gru_step_backward()?
//=   because: the GRU started from in.state. You hand gru_step_backward() the state that came out of it, so all its
//=     derivatives are taken at the wrong point.
//= mistake mask_forgotten_back
//=   question: How do the gradients of your short sentences come to depend on what stands in their padding?
//=   because: attend_backward() computes the weights again, and without the mask they are different: the padding
//=     takes part in the softmax.
//= mistake slices_swapped
//=   premise: The readout's gradients are right.
//=   question: In which order did you put word and context together for the GRU?
//=   because: the first {word} columns of d_x are the word's, the other {encoder} the context's. You cut the pieces
//=     in the opposite order.

#include "given.h"

Step decoder_step(const StepInput& in, const Decoder& decoder) {
  //[
  //- // TODO: attend, then the GRU, then the readout. autograd::cat({a, b}, 1) puts columns side by side.
  //- todo("decoder_step: the weights, the context, the next state and the logits");
  const auto [context, weights] = attend(in.state, in.H, in.mask, decoder.attention);
  //~ asked_once_per_source | static Tensor source;
  //~ asked_once_per_source | static Attended found;
  //~ asked_once_per_source | if (!source.defined() || source.impl() != in.H.impl()) {
  //~ asked_once_per_source |   found = attend(in.state, in.H, in.mask, decoder.attention);
  //~ asked_once_per_source |   source = in.H;
  //~ asked_once_per_source | }
  //~ asked_once_per_source | const auto [context, weights] = found;
  //~ mask_forgotten | const auto [context, weights] = attend(in.state, in.H, Tensor(), decoder.attention);
  const Tensor x = autograd::cat({in.word, context}, 1);
  //~ context_before_word | const Tensor x = autograd::cat({context, in.word}, 1);
  //~ zero_context | const Tensor x = autograd::cat({in.word, zeros_like(context)}, 1);
  //~ new_state_asks 2 | const Tensor no_context = autograd::zeros({in.word.size(0), in.H.size(2)}, in.H.dtype());
  //~ new_state_asks | const Tensor x = autograd::cat({in.word, no_context}, 1);
  //~ new_state_asks | const Tensor query = gru_step(x, in.state, decoder.gru);
  //~ new_state_asks | const auto [context, weights] = attend(query, in.H, in.mask, decoder.attention);
  const Tensor state = gru_step(x, in.state, decoder.gru);
  const Tensor features = autograd::cat({state, context, in.word}, 1);
  //~ context_of_a_second_look | const Tensor second = attend(state, in.H, in.mask, decoder.attention).context;
  //~ context_of_a_second_look | const Tensor features = autograd::cat({state, second, in.word}, 1);
  //~ readout_in_another_order | const Tensor features = autograd::cat({context, state, in.word}, 1);
  //~ readout_of_old_state | const Tensor features = autograd::cat({in.state, context, in.word}, 1);
  const Tensor logits = linear(features, decoder.readout, decoder.bias);
  return {weights, context, state, logits};
  //]
}

StepGradients decoder_step_backward(const Tensor& d_logits, const Tensor& d_next_state, const StepInput& in,
                                    const Step& step, const Decoder& decoder) {
  //[
  //- // TODO: the same three parts from the end: the readout, the GRU, attention. A value that was used twice gets the
  //- // sum of two gradients. autograd::split(x, {a, b}, 1) cuts columns into pieces of these widths.
  //- // probe("d_context", d_context) shows an intermediate value to the checker; so do "d_features" and "d_new".
  //- todo("decoder_step_backward: the gradients of everything that the step used");
  const std::int64_t word = in.word.size(1);
  const std::int64_t encoder = in.H.size(2);
  const Tensor features = autograd::cat({step.state, step.context, in.word}, 1);
  const Tensor d_features = matmul(d_logits, decoder.readout);  // [batch, state + encoder + word]
  probe("d_features", d_features);
  const std::vector<Tensor> read = autograd::split(d_features, {in.state.size(1), encoder, word}, 1);

  const Tensor d_new = d_next_state + read[0];  // the next state is used by the steps to come, and read out
  //~ later_steps_dropped | const Tensor d_new = read[0];
  //~ later_steps_behind_the_gru | const Tensor d_new = read[0];
  //~ readout_dropped | const Tensor d_new = d_next_state;
  probe("d_new", d_new);
  const Tensor x = autograd::cat({in.word, step.context}, 1);
  const GruGradients gru = gru_step_backward(d_new, x, in.state, decoder.gru);
  //~ next_state_in_the_gru | const GruGradients gru = gru_step_backward(d_new, x, step.state, decoder.gru);
  const Tensor from_gru_to_word = gru.d_x.narrow(1, 0, word);
  const Tensor from_gru_to_context = gru.d_x.narrow(1, word, encoder);
  //~ slices_swapped 2 | const Tensor from_gru_to_word = gru.d_x.narrow(1, encoder, word);
  //~ slices_swapped | const Tensor from_gru_to_context = gru.d_x.narrow(1, 0, encoder);

  const Tensor d_context = from_gru_to_context + read[1];
  //~ context_from_gru_only | const Tensor d_context = from_gru_to_context;
  //~ context_from_readout_only | const Tensor d_context = read[1];
  probe("d_context", d_context);
  const AttendGradients attention = attend_backward(d_context, in.state, in.H, in.mask, decoder.attention);
  //~ next_state_asked_back | const Tensor& query = step.state;
  //~ next_state_asked_back | const AttendGradients attention =
  //~ next_state_asked_back |     attend_backward(d_context, query, in.H, in.mask, decoder.attention);
  //~ mask_forgotten_back | const AttendGradients attention =
  //~ mask_forgotten_back |     attend_backward(d_context, in.state, in.H, Tensor(), decoder.attention);

  StepGradients gradients;
  gradients.d_word = from_gru_to_word + read[2];
  //~ word_from_readout_only | gradients.d_word = read[2];
  //~ word_cut_at_the_context | const Tensor from_readout = d_features.narrow(1, in.state.size(1), word);
  //~ word_cut_at_the_context | gradients.d_word = from_gru_to_word + from_readout;
  //~ word_from_gru_only | gradients.d_word = from_gru_to_word;
  gradients.d_state = gru.d_state + attention.d_query;
  //~ gru_path_dropped | gradients.d_state = attention.d_query;
  //~ later_steps_behind_the_gru | gradients.d_state = gru.d_state + attention.d_query + d_next_state;
  //~ query_path_dropped | gradients.d_state = gru.d_state;
  gradients.d_H = attention.d_H;
  //~ values_counted_twice | gradients.d_H = attention.d_H + step.weights.unsqueeze(2) * d_context.unsqueeze(1);
  gradients.d_attention = attention.d_weights;
  gradients.d_gru = gru.d_weights;
  gradients.d_readout = matmul(d_logits.t(), features);
  //~ old_state_in_d_readout | const Tensor old = autograd::cat({in.state, step.context, in.word}, 1);
  //~ old_state_in_d_readout | gradients.d_readout = matmul(d_logits.t(), old);
  //~ columns_of_d_readout | const Tensor exchanged = autograd::cat({step.context, step.state, in.word}, 1);
  //~ columns_of_d_readout | gradients.d_readout = matmul(d_logits.t(), exchanged);
  gradients.d_bias = d_logits.sum({0});
  //~ d_bias_mean | gradients.d_bias = d_logits.mean({0});
  return gradients;
  //]
}
