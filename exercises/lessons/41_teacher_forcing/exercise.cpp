//= title: Teacher forcing
//= part: F
//= difficulty: 2
//= minutes: 25
//= after: 24, 33
//= fast track
//= answer: make_targets, teacher_forced, sentence_loss, free_running_accuracy
//= mistake not_shifted
//=   question: At every step your decoder is given the very word that it must say. What would it learn?
//=   because: in and out are the same rows. The loss falls to nothing, since copying the input is all that is asked
//=     for. Left to itself the decoder has no such input.
//= mistake no_bos
//=   question: Your first input is the first word. Which step must say that one?
//=   because: without bos the inputs begin one word too late, and no step is left whose job is the first word: the
//=     rows have one column less.
//= mistake no_eos
//=   question: What should your decoder say after the last word, and how can it learn to stop?
//=   because: with padding in that place the loss does not look there. A decoder that never had to say eos goes on
//=     talking for ever.
//= mistake eos_in_the_input
//=   question: In short sentences your inputs go on after the last word. What should be said after eos?
//=   because: rows of bos, words and eos that are cut at the right end keep the eos of all but the longest sentence.
//=     The loss ignores that step, so this does no harm; it is only wasted work.
//= mistake eos_given
//=   question: Your rows have one column too many. After which word is there nothing left to say, and is it ever
//=     given?
//=   because: `in` has bos, the words and eos. eos is the last word to be said, so no step is given it.
//= mistake filled_with_eos
//=   question: How often does your decoder have to say eos in a short sentence?
//=   because: the rows are filled up with eos in place of padding. All of them count, so that saying eos becomes the
//=     most frequent thing to learn.
//= mistake inputs_filled_with_eos
//=   question: How often is your decoder given eos in a short sentence? And in the longest one?
//=   because: the short rows of `in` are filled up with eos in place of padding. eos itself is never given: after it
//=     there is nothing to say.
//= mistake own_words_fed
//=   premise: Your first step is right, and later ones are not.
//=   question: Whose words are the inputs here, the teacher's or the decoder's?
//=   because: you feed the word with the highest logit. That is how the decoder is used, not how it is taught: at the
//=     start of training nearly all of these words are wrong.
//= mistake state_not_carried
//=   premise: Your first step is right, and later ones are not.
//=   question: What does the second step know of the first one?
//=   because: each step of yours starts from the first state. It hears one word and none of the words before.
//= mistake padding_counted
//=   question: Your loss changes if a sentence is filled up further. How many words are there to be said?
//=   because: padding stands in `out` like a word with id 0, and unless it is left out the decoder is taught to say
//=     it.
//= mistake eos_left_out
//=   question: Your loss leaves out more than padding. Which word does your decoder never learn to say?
//=   because: the places with eos are left out as if they were padding. eos is a word to be said, once at the end of each
//=     sentence: a decoder whose loss does not look there goes on talking for ever.
//= mistake eos_for_padding
//=   question: One of the special words is left out of your loss, and one is counted. Which of the two must be said?
//=   because: eos is left out and padding counted. eos ends a sentence, and has to be learned; padding only fills the row.
//= mistake padding_in_the_denominator
//=   question: Your loss is too small by one factor. How many places does `out` have, and how many words?
//=   because: the sum leaves padding out, and the number that it is divided by does not. The loss then depends on how
//=     far the sentences happen to be filled up.
//= mistake mean_of_sentences
//=   question: Does a word in your loss count as much in a long sentence as in a short one?
//=   because: a mean of the sentences' means gives a word of a short sentence more weight. What is asked for is the
//=     mean over all words.
//= mistake softmax_twice
//=   premise: Your loss cannot fall far below log V, however right the decoder is.
//=   question: What does cross_entropy expect, logits or probabilities?
//=   because: cross_entropy takes the softmax itself. The softmax of numbers between 0 and 1 is nearly flat, and so
//=     are the gradients.
//= mistake shifted_twice
//=   question: Step 0 has logits for `out` at 0. Which place of `out` do you compare them with?
//=   because: `in` and `out` are shifted against each other already. Shifted once more, step t must say the word at t
//=     + 1 without having been given the one at t.
//= mistake teacher_in_the_test
//=   premise: Your accuracy is that of a decoder that is told the right word after each of its mistakes.
//=   question: Who tells it when it is used?
//=   because: the words of `out` are fed in place of those that the decoder said. One wrong word of its own would
//=     have changed all its later inputs.
//= mistake begins_with_padding
//=   question: Which word is your decoder given at its very first step?
//=   because: it begins with padding, the word 0. It was never given that word at the beginning of a sentence, but
//=     always bos.
//= mistake begins_with_eos
//=   question: Your decoder is given eos at its very first step. Which word says that a sentence begins?
//=   because: eos is the last word to be said, and never given. In training every sentence began with bos.
//= mistake begins_with_the_first_word
//=   question: Your decoder's first input is the word that it should say first. Who tells it that one when it is used?
//=   because: out[:, 0] is what step 0 must find out. By itself it knows only bos and the state.
//= mistake always_bos
//=   question: Which word is your decoder given at its second step?
//=   because: it hears bos at every step, since what it said is not handed on.
//= mistake state_forgotten_in_the_test
//=   question: Of all it has said, what does your decoder know at its third step?
//=   because: each step starts from the first state, so that it knows the word before and nothing else. The state
//=     goes on, in the test as in training.
//= mistake stops_at_eos
//=   question: Your decoder says eos too early. Are the words that it still owes right?
//=   because: a sentence is left as soon as the decoder says eos, and the words after it count neither as right nor as
//=     wrong. The accuracy is the share of all words of `out`.
//= mistake wrong_after_its_eos
//=   question: Your decoder says eos too early, and goes on. Is a word that it then says at its place right or
//=     wrong?
//=   because: all its words after its own eos count as wrong. The accuracy is the share of the words of `out` that are
//=     said at their place, whatever was said before.
//= mistake special_words_never_said
//=   question: Padding has the highest logit. What does your decoder say, and what does it hear at its next step?
//=   because: it chooses among the other words only. What it says is the word with the highest of all logits, even if
//=     that is padding or bos: if it has learned to say nothing, its accuracy must show that.
//= mistake padding_said_is_right
//=   question: A decoder says nothing but padding. What is its accuracy, and what do you make of it?
//=   because: where a sentence has ended, padding is wanted and padding is said; you count that as a word that is
//=     right. Only words count, both among the right ones and in the total.
//= mistake integer_division
//=   question: Your accuracies are all 0. What is 14 / 40 in C++?
//=   because: both counts are integers, and so is their quotient; at least one of them has to be a double.
//= mistake padding_in_the_accuracy
//=   question: Of how many words is your accuracy the share?
//=   because: the places with padding are counted as words that the decoder got wrong.

#include "given.h"

Targets make_targets(const std::vector<Sentence>& sentences) {
  //[
  //- // TODO: for each sentence a row that is given and a row that must be said. stack_rows(rows, padding) makes a
  //- // tensor of rows.
  //- todo("make_targets: what the decoder is given, and what it must say");
  std::vector<Sentence> in;
  std::vector<Sentence> out;
  for (const Sentence& sentence : sentences) {
    Sentence given_to_it = {bos};
    given_to_it.insert(given_to_it.end(), sentence.begin(), sentence.end());
    //~ not_shifted 2 | Sentence given_to_it = sentence;
    //~ not_shifted | given_to_it.push_back(eos);
    //~ eos_given | given_to_it.insert(given_to_it.end(), sentence.begin(), sentence.end());
    //~ eos_given | given_to_it.push_back(eos);
    Sentence to_be_said = sentence;
    to_be_said.push_back(eos);
    //~ no_eos | to_be_said.push_back(padding);
    in.push_back(given_to_it);
    out.push_back(to_be_said);
    //~ no_bos 2 | in.push_back(sentence);
    //~ no_bos | out.emplace_back(to_be_said.begin() + 1, to_be_said.end());
  }
  return {stack_rows(in, padding), stack_rows(out, padding)};
  //~ eos_in_the_input | for (Sentence& row : in) row.push_back(eos);
  //~ eos_in_the_input | const Tensor all = stack_rows(in, padding);
  //~ eos_in_the_input | return {all.narrow(1, 0, all.size(1) - 1), stack_rows(out, padding)};
  //~ inputs_filled_with_eos | return {stack_rows(in, eos), stack_rows(out, padding)};
  //~ filled_with_eos | return {stack_rows(in, padding), stack_rows(out, eos)};
  //]
}

Tensor teacher_forced(const Decoder& decoder, const Tensor& state, const Tensor& in) {
  //[
  //- // TODO: a loop over the steps. in.select(1, t) are the words of step t, autograd::stack(list, 1) puts the logits
  //- // of all steps side by side.
  //- todo("teacher_forced: the logits of all steps");
  std::vector<Tensor> logits;
  Tensor now = state;
  for (std::int64_t t = 0; t < in.size(1); ++t) {
    const Tensor words = in.select(1, t);
    //~ own_words_fed | const Tensor words = t == 0 ? in.select(1, 0) : logits.back().argmax(1);
    const Step step = decoder_step(words, now, decoder);
    //~ state_not_carried | const Step step = decoder_step(words, state, decoder);
    logits.push_back(step.logits);
    now = step.state;
  }
  return autograd::stack(logits, 1);
  //]
}

Tensor sentence_loss(const Tensor& logits, const Tensor& out) {
  //[
  //- // TODO: autograd::cross_entropy is the engine's, and knows how to leave an id out.
  //- todo("sentence_loss: the mean over the words that are not padding");
  return cross_entropy(logits.flatten(0, 1), out.flatten(), {.ignore_index = padding});
  //~ padding_counted | return cross_entropy(logits.flatten(0, 1), out.flatten());
  //~ eos_left_out | std::vector<std::int64_t> words = out.flatten().to_vector<std::int64_t>();
  //~ eos_left_out | std::replace(words.begin(), words.end(), eos, padding);
  //~ eos_left_out | const Tensor left = autograd::ids(words, {static_cast<std::int64_t>(words.size())});
  //~ eos_left_out | return cross_entropy(logits.flatten(0, 1), left, {.ignore_index = padding});
  //~ eos_for_padding | return cross_entropy(logits.flatten(0, 1), out.flatten(), {.ignore_index = eos});
  //~ padding_in_the_denominator | const auto places = static_cast<double>(out.numel());
  //~ padding_in_the_denominator | const autograd::CrossEntropyOptions sum = {.ignore_index = padding,
  //~ padding_in_the_denominator |                                            .reduction = autograd::Reduction::sum};
  //~ padding_in_the_denominator | return cross_entropy(logits.flatten(0, 1), out.flatten(), sum) / places;
  //~ mean_of_sentences | Tensor sum = autograd::zeros({}, logits.dtype());
  //~ mean_of_sentences | for (std::int64_t b = 0; b < out.size(0); ++b) {
  //~ mean_of_sentences |   sum = sum + cross_entropy(logits.select(0, b), out.select(0, b), {.ignore_index = padding});
  //~ mean_of_sentences | }
  //~ mean_of_sentences | return sum / static_cast<double>(out.size(0));
  //~ softmax_twice | const Tensor probabilities = logits.flatten(0, 1).softmax(1);
  //~ softmax_twice | return cross_entropy(probabilities, out.flatten(), {.ignore_index = padding});
  //~ shifted_twice | const Tensor from = logits.narrow(1, 0, logits.size(1) - 1);
  //~ shifted_twice | const Tensor to = out.narrow(1, 1, out.size(1) - 1);
  //~ shifted_twice | return cross_entropy(from.flatten(0, 1), to.flatten(), {.ignore_index = padding});
  //]
}

double free_running_accuracy(const Decoder& decoder, const Tensor& state, const Tensor& out) {
  //[
  //- // TODO: logits.argmax(1) are the words that are said. to_vector<std::int64_t>() gives ids as plain numbers.
  //- todo("free_running_accuracy: the share of words that the decoder says right by itself");
  Tensor words = autograd::full({out.size(0)}, bos, autograd::int64);
  //~ begins_with_padding | Tensor words = autograd::zeros({out.size(0)}, autograd::int64);
  //~ begins_with_eos | Tensor words = autograd::full({out.size(0)}, eos, autograd::int64);
  //~ begins_with_the_first_word | Tensor words = out.select(1, 0);
  Tensor now = state;
  std::int64_t right = 0;
  std::int64_t all = 0;
  //~ stops_at_eos | std::int64_t all = 0;
  //~ stops_at_eos | std::vector<bool> over(static_cast<std::size_t>(out.size(0)));
  //~ wrong_after_its_eos | std::int64_t all = 0;
  //~ wrong_after_its_eos | std::vector<bool> over(static_cast<std::size_t>(out.size(0)));
  for (std::int64_t t = 0; t < out.size(1); ++t) {
    const Step step = decoder_step(words, now, decoder);
    const Tensor said = step.logits.argmax(1);
    //~ special_words_never_said | const Tensor special = autograd::arange(step.logits.size(1)) < double(eos);
    //~ special_words_never_said | const Tensor said = step.logits.masked_fill(special, -INFINITY).argmax(1);
    const std::vector<std::int64_t> yours = said.to_vector<std::int64_t>();
    const std::vector<std::int64_t> wanted = out.select(1, t).to_vector<std::int64_t>();
    for (std::size_t b = 0; b < yours.size(); ++b) {
      if (wanted[b] != padding) ++all;
      //~ stops_at_eos | if (over[b]) continue;
      //~ stops_at_eos | over[b] = yours[b] == eos;
      //~ stops_at_eos | if (wanted[b] != padding) ++all;
      //~ padding_in_the_accuracy | ++all;
      if (wanted[b] != padding && wanted[b] == yours[b]) ++right;
      //~ wrong_after_its_eos | if (wanted[b] != padding && wanted[b] == yours[b] && !over[b]) ++right;
      //~ wrong_after_its_eos | over[b] = over[b] || yours[b] == eos;
      //~ padding_said_is_right | if (wanted[b] == yours[b]) ++right;
    }
    words = said;
    //~ teacher_in_the_test | words = out.select(1, t);
    //~ always_bos |
    now = step.state;
    //~ state_forgotten_in_the_test |
  }
  return static_cast<double>(right) / static_cast<double>(all);
  //~ integer_division | return static_cast<double>(right / all);
  //]
}
