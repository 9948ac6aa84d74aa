//= title: Many steps, one memory
//= part: F
//= difficulty: 3
//= minutes: 40
//= after: 38
//= answer: decode, decode_backward
//= not: backward
//= mistake projected_at_every_step
//=   premise: Your numbers are right, but U is used more than once.
//=   question: What does U h_j have to do with the step?
//=   because: neither U nor h_j changes from step to step, so U h_j is the same {steps} times. It is nearly all of
//=     the work that attention does, and needs doing once.
//= mistake memory_of_an_old_U
//=   question: The same H comes back after U has changed, as it does in training. Which U made the keys that you use?
//=   because: your memory outlives the call to decode(). It is made once per sentence and used at all its steps; the
//=     next call makes its own, since U is different after every update.
//= mistake memory_of_an_old_H
//=   question: Another sentence comes, and U is still the same. Whose keys do its steps read?
//=   because: your memory outlives the call to decode(), and belongs to an earlier sentence. It is made once per
//=     sentence and used at all its steps; the next call makes its own.
//= mistake tanh_of_the_keys
//=   question: What is inside the tanh of a score: the key alone, or the key and the query?
//=   because: the tanh was taken of the keys when they were made. A score is v . tanh(W s + U h): the keys go into
//=     the sum as they are.
//= mistake state_not_carried
//=   premise: Your first state is right and the others are not.
//=   question: From which state does the second step start?
//=   because: each of your steps starts from the state before the first one, so no step knows about any other.
//= mistake values_overwritten
//=   question: The direct part of your d_H is what the first step alone sends back. How many steps read the values?
//=   because: all {steps} steps read the same memory; going backwards with `=`, only the step that comes last is
//=     left.
//= mistake keys_overwritten
//=   question: Your d_U is what the first step alone would give. How many steps read the keys?
//=   because: all {steps} steps read the same memory; going backwards with `=`, only the step that comes last is
//=     left.
//= mistake weights_overwritten
//=   question: The gradients of the step's weights are those of the first step. Which steps used these weights?
//=   because: all {steps} steps share one set of weights. Their gradients are sums over the steps; with `=` the step
//=     that you visit last remains.
//= mistake state_gradient_added_up
//=   question: All {steps} steps read the same memory. How many of them start from the same state?
//=   because: d_state was added up over the steps, as d_keys is. Each step starts from a state of its own, so what it
//=     sends back goes to the step before and no further; it holds all that came from later ones already.
//= mistake nothing_from_the_next_step
//=   premise: Only your last word's gradient is right.
//=   question: What else does a state do, besides being read out?
//=   because: each state but the last one is also the start of the next step, whose d_state belongs to it. It is not
//=     added here.
//= mistake walked_forwards
//=   question: Before you go back through a step, what must have arrived at the state that it made?
//=   because: your loop goes from the first step to the last. What the next step sends back is known only after that
//=     step: the last one comes first.
//= mistake only_the_last_readout
//=   question: All your gradients come from the last of the {steps} rows of d_states. Which states are read out?
//=   because: a word is written at every step, so each of the {steps} states gets a gradient of its own on the way.
//= mistake state_after_the_step
//=   question: Your way back takes the state that step t made for the one that it started from. Which one did it use?
//=   because: step t starts from states[t - 1], the first one from in.state. With states[t] all its derivatives are
//=     taken at the wrong point.
//= mistake key_path_missing
//=   question: Your d_H is d_values alone. How else does H come into the scores?
//=   because: H is the values and, times U, the keys. The keys' gradient goes on to H through U.
//= mistake value_path_missing
//=   question: Your d_H is what comes back through U alone. What is averaged with the weights?
//=   because: H is also the values, of which the context is the mean. Their gradient reaches H directly.
//= mistake U_mean
//=   question: Your d_U is 1/{steps} of the true one. How often was what U made read?
//=   because: the keys were made once and read {steps} times; what comes back is added up, not averaged.
//= mistake first_state_left_out
//=   question: Your d_state is zero. Which step used in.state?
//=   because: the first step started from in.state. In a translator it comes from the encoder, which would learn
//=     nothing through this path.
//= mistake first_step_from_another_state
//=   question: All of your steps but one go back from the state that they started from. From which state did the first
//=     one start?
//=   because: it started from in.state: in a translator that comes from the encoder. Yours takes the derivatives of the
//=     first step at another state, such as zeros, the one that this step made, or the last one, which index -1 means.
//= mistake words_in_walking_order
//=   premise: Your d_words has the right numbers at the wrong steps.
//=   question: In which order do you visit the steps?
//=   because: if you append to a list while going back, the last word's gradient comes first.

#include "given.h"

Decoded decode(const DecodeInput& in, const Decoder& decoder) {
  //[
  //- // TODO: the memory {keys, values} once, then a loop over the steps. autograd::stack(states, 1) puts a list of
  //- // [batch, state] together as [batch, steps, state].
  //- todo("decode: the memory, and the state after every step");
  const Memory memory = {linear(in.H, decoder.U), in.H};
  //~ memory_of_an_old_U | static Memory memory;
  //~ memory_of_an_old_U | const bool is_of_H = memory.values.defined() && memory.values.impl() == in.H.impl();
  //~ memory_of_an_old_U | if (!is_of_H) memory = {linear(in.H, decoder.U), in.H};
  //~ memory_of_an_old_H | static Memory memory;
  //~ memory_of_an_old_H | static Tensor made_with;
  //~ memory_of_an_old_H | const bool is_of_U = made_with.defined() && made_with.impl() == decoder.U.impl();
  //~ memory_of_an_old_H | if (!is_of_U) memory = {linear(in.H, decoder.U), in.H};
  //~ memory_of_an_old_H | made_with = decoder.U;
  //~ tanh_of_the_keys | const Memory memory = {tanh(linear(in.H, decoder.U)), in.H};
  std::vector<Tensor> states;
  Tensor state = in.state;
  for (std::int64_t t = 0; t < in.words.size(1); ++t) {
    const Memory& read = memory;
    //~ projected_at_every_step | const Memory read = {linear(in.H, decoder.U), in.H};
    state = decoder_step(in.words.select(1, t), state, read, in.mask, decoder.step);
    //~ state_not_carried | state = decoder_step(in.words.select(1, t), in.state, read, in.mask, decoder.step);
    states.push_back(state);
  }
  return {autograd::stack(states, 1), memory};
  //]
}

DecodeGradients decode_backward(const Tensor& d_states, const Decoded& decoded, const DecodeInput& in,
                                const Decoder& decoder) {
  //[
  //- // TODO: start with zeros, walk back from the last step to the first, and add. Only then go from the memory to U
  //- // and H. Do not let a counter of an unsigned type go below 0.
  //- // probe("d_keys", d_keys) and probe("d_values", d_values) after the loop show these to the checker.
  //- todo("decode_backward: the gradients of the words, the first state, H, U and the step's weights");
  const std::int64_t steps = in.words.size(1);
  Tensor d_state = zeros_like(in.state);
  Tensor d_keys = zeros_like(decoded.memory.keys);
  Tensor d_values = zeros_like(decoded.memory.values);
  StepWeights d_step = zeros_like(decoder.step);
  std::vector<Tensor> d_words(static_cast<std::size_t>(steps));
  std::size_t place = d_words.size();
  //~ words_in_walking_order | std::size_t place = 0;
  for (std::int64_t t = steps - 1; t >= 0; --t) {
    //~ walked_forwards | for (std::int64_t t = 0; t < steps; ++t) {
    const Tensor before = t == 0 ? in.state : decoded.states.select(1, t - 1);
    //~ first_step_from_another_state | const Tensor start = zeros_like(in.state);
    //~ first_step_from_another_state | const Tensor before = t == 0 ? start : decoded.states.select(1, t - 1);
    //~ first_step_from_another_state.the_last | const Tensor before = decoded.states.select(1, t - 1);
    //~ first_step_from_another_state.that_it_made | const Tensor before = decoded.states.select(1, t == 0 ? 0 : t - 1);
    //~ state_after_the_step | const Tensor before = decoded.states.select(1, t);
    const Tensor d_next = d_state + d_states.select(1, t);
    //~ nothing_from_the_next_step | const Tensor d_next = d_states.select(1, t);
    //~ only_the_last_readout | const Tensor d_next = t == steps - 1 ? d_states.select(1, t) : d_state;
    const StepGradients step =
        decoder_step_backward(d_next, in.words.select(1, t), before, decoded.memory, in.mask, decoder.step);
    d_words[--place] = step.d_word;
    //~ walked_forwards | d_words[static_cast<std::size_t>(t)] = step.d_word;
    //~ words_in_walking_order | d_words[place++] = step.d_word;
    d_state = step.d_state;
    //~ state_gradient_added_up | d_state = d_state + step.d_state;
    d_keys = d_keys + step.d_keys;
    //~ keys_overwritten | d_keys = step.d_keys;
    d_values = d_values + step.d_values;
    //~ values_overwritten | d_values = step.d_values;
    d_step = d_step + step.d_weights;
    //~ weights_overwritten | d_step = step.d_weights;
  }
  probe("d_keys", d_keys);
  probe("d_values", d_values);

  DecodeGradients gradients;
  gradients.d_words = autograd::stack(d_words, 1);
  gradients.d_state = d_state;
  //~ first_state_left_out | gradients.d_state = zeros_like(in.state);
  gradients.d_H = d_values + matmul(d_keys, decoder.U);
  //~ key_path_missing | gradients.d_H = d_values;
  //~ value_path_missing | gradients.d_H = matmul(d_keys, decoder.U);
  gradients.d_U = matmul(d_keys.flatten(0, 1).t(), in.H.flatten(0, 1));
  //~ U_mean | gradients.d_U = matmul(d_keys.flatten(0, 1).t(), in.H.flatten(0, 1)) / static_cast<double>(steps);
  gradients.d_step = d_step;
  return gradients;
  //]
}
