//= title: Lengths and both directions
//= part: E
//= difficulty: 2
//= minutes: 25
//= after: 28
//= answer: run_masked, reverse_tokens, run_both
//= mistake padding_read
//=   premise: Your states are right at every token, and last is wrong except for the longest sentence.
//=   question: What did the network read after the end of the short ones?
//=   because: the state goes on changing over the padding. Where there is no token, keep the state before:
//=     where(has_token, after, before).
//= mistake states_not_zeroed
//=   question: Your states are wrong only at the padding. What stands there?
//=   because: the state that is kept over the padding was put into `states` too. It should be 0 there, so that
//=     nobody takes it for the state of a token.
//= mistake last_place
//=   question: Your last is 0 except for the longest sentence. At which place is the last token of a sentence of 2
//=     words, if there are {time} places? And what is the state after it?
//=   because: it is what stands in `states` at place {time} - 1, which is padding for all shorter sentences. Either
//=     you take it from there, or the state itself is set to 0 where there is no token, instead of being kept.
//= mistake one_too_many
//=   question: Your state changes once more after the last token. Of a sentence of 2 words, which places are
//=     tokens, counted from 0?
//=   because: places 0 and 1 are tokens, t < length. You go on to t = length, which reads one place of padding.
//= mistake mask_by_product
//=   question: Your last is NaN for the short sentences, if their padding holds a NaN. What is NaN times 0?
//=   because: mask * after + (1 - mask) * before computes with both sides, and NaN times 0 is NaN. where() chooses;
//=     and if no step gets the padding's content in the first place, there is nothing to choose.
//= mistake padding_not_cleaned
//=   premise: Your states are right, and the engine's gradient of the weights is NaN if there is a NaN in the padding.
//=   question: Through which products does the gradient 0 go on its way back from where()?
//=   because: the step was computed on NaN and then not chosen. Backwards 0 arrives there, and is multiplied with
//=     that NaN. Put zeros into the padding of x first, so that no step ever sees it.
//= mistake flips_everything
//=   question: In your reversed sentences of 2 words, which token comes first, and at which place?
//=   because: you reverse all {time} places, so the padding comes first. Short sentences then stand at the end, and
//=     the network reads padding before it reads a word.
//= mistake not_reversed
//=   question: In the second half of your states, which tokens does the state of the first token depend on?
//=   because: the second direction reads from left to right, too. It must see the sentence from its end.
//= mistake not_turned_back
//=   premise: The second half of your states has the right numbers at the wrong places.
//=   question: Which token is states[n, 0] about, in the order in which the second direction read?
//=   because: it read the last token first, so its first state belongs to the last token. Reversed once more, each
//=     state is at its token.
//= mistake flipped_back
//=   premise: The second half of your states is right for the longest sentence only.
//=   question: Where did the padding go when you reversed the states?
//=   because: you flipped all {time} places: the states of short sentences moved to the end. They should be reversed
//=     within their length, as the tokens were.
//= mistake numbers_copied
//=   premise: Your states are right, and the engine finds no gradient of the second direction's weights.
//=   question: Where do your states stop being the result of tensor ops?
//=   because: reverse_tokens takes the numbers out of the tensor and makes a new one of them. That one is a constant to
//=     the engine: the tape ends there. flip, narrow and cat keep it.
//= mistake same_weights
//=   question: How many sets of weights do you use? What does your result do with the second one?
//=   because: both directions run on the first set. They are two networks, with weights of their own.
//= mistake halves_swapped
//=   premise: You have the right numbers in the wrong half.
//=   question: Which direction comes first?
//=   because: left to right comes first, as in PyTorch; code that loads weights into the next layer relies on it.
//= mistake last_from_wrong_end
//=   question: The second half of your last knows only one token of the sentence. Which token did the second
//=     direction read last?
//=   because: you took its state at the sentence's last token, which is the first one that it read. When it has read
//=     everything, it is at the sentence's *first* token.
//= mistake last_not_joined
//=   question: Both halves of your last are the same. What does the second direction contribute?
//=   because: the first direction's last state was used twice; the second half should be the other direction's.
//= equal mutant: const Tensor clean = x.masked_fill(logical_not(mask).unsqueeze(2), 1.0);
//=   because: what comes of padding is masked later on; it only must be no NaN.
//= equal mutant: Tensor h = autograd::zeros({x.size(0), weights.weight_hh.size(1)}, x.dtype());
//= equal mutant: Tensor h = autograd::zeros({x.size(0), weights.weight_hh.size(-1)}, x.dtype());
//=   because: weight_hh is square.

#include "given.h"

Encoded run_masked(const Tensor& x, const Lengths& lengths, const RnnWeights& weights) {
  //[
  //- // TODO: the loop of exercise 28, with rnn_step and a mask. Use tensor ops: the engine differentiates it.
  //- // autograd::length_mask(lengths, time) is [batch, time]; x.select(1, t) is one step's input.
  //- todo("run_masked: all states, and the last of each sentence");
  const std::int64_t time = x.size(1);
  const Tensor mask = autograd::length_mask(lengths, time);
  const Tensor clean = x.masked_fill(logical_not(mask).unsqueeze(2), 0.0);
  //~ mask_by_product | const Tensor clean = x;
  //~ padding_not_cleaned | const Tensor clean = x;
  Tensor h = autograd::zeros({x.size(0), weights.weight_hh.size(0)}, x.dtype());
  std::vector<Tensor> states;
  for (std::int64_t t = 0; t < time; ++t) {
    const Tensor has_token = mask.narrow(1, t, 1);  // [batch, 1]
    //~ one_too_many | const Tensor has_token = mask.narrow(1, t > 0 ? t - 1 : 0, 1);
    const Tensor after = rnn_step(clean.select(1, t), h, weights);
    h = where(has_token, after, h);
    //~ padding_read | h = after;
    //~ mask_by_product | h = has_token.to(x.dtype()) * after + logical_not(has_token).to(x.dtype()) * h;
    states.push_back(h.masked_fill(logical_not(mask.narrow(1, t, 1)), 0.0));
    //~ states_not_zeroed | states.push_back(h);
  }
  return {autograd::stack(states, 1), h};
  //~ last_place | return {autograd::stack(states, 1), states.back()};
  //]
}

Tensor reverse_tokens(const Tensor& x, const Lengths& lengths) {
  //[
  //- // TODO: one sentence after another will do: x[n] is [time, features]. Use flip, narrow and autograd::cat.
  //- todo("reverse_tokens: each sentence from its last token to its first");
  std::vector<Tensor> sentences;
  for (std::int64_t n = 0; n < x.size(0); ++n) {
    const std::int64_t length = lengths[static_cast<std::size_t>(n)];
    const Tensor tokens = x[n].narrow(0, 0, length);
    const Tensor padding = x[n].narrow(0, length, x.size(1) - length);
    sentences.push_back(autograd::cat({flip(tokens, {0}), padding}));
    //~ flips_everything | sentences.push_back(flip(x[n], {0}));
  }
  return autograd::stack(sentences);
  //~ numbers_copied | return autograd::from_vector(autograd::stack(sentences).to_vector(), x.shape(), x.dtype());
  //]
}

Encoded run_both(const Tensor& x, const Lengths& lengths, const RnnWeights& forward, const RnnWeights& backward) {
  //[
  //- // TODO: run_masked twice. In which order does the second run make its states?
  //- //   probe("from_right", from_right)   [batch, time, hidden], as the second run returns its states
  //- todo("run_both: two directions side by side");
  const Encoded left = run_masked(x, lengths, forward);
  const Encoded right = run_masked(reverse_tokens(x, lengths), lengths, backward);
  //~ not_reversed.turned_back | const Encoded right = run_masked(x, lengths, backward);
  //~ not_reversed | const Encoded right = run_masked(x, lengths, backward);
  //~ same_weights | const Encoded right = run_masked(reverse_tokens(x, lengths), lengths, forward);
  probe("from_right", right.states);
  const Tensor in_order = reverse_tokens(right.states, lengths);
  //~ not_reversed | const Tensor in_order = right.states;
  //~ not_turned_back | const Tensor in_order = right.states;
  //~ flipped_back | const Tensor in_order = flip(right.states, {1});
  const Tensor states = autograd::cat({left.states, in_order}, 2);
  //~ halves_swapped | const Tensor states = autograd::cat({in_order, left.states}, 2);
  const Tensor last = autograd::cat({left.last, right.last}, 1);
  //~ halves_swapped | const Tensor last = autograd::cat({right.last, left.last}, 1);
  //~ last_from_wrong_end | const Tensor last = autograd::cat({left.last, right.states.select(1, 0)}, 1);
  //~ last_not_joined | const Tensor last = autograd::cat({left.last, left.last}, 1);
  return {states, last};
  //]
}
