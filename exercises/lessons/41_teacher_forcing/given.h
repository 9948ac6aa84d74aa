// What is given in exercise 41: the special words, a small decoder, and the four functions to write.
#pragma once

#include <judge/given/rows.h>
#include <judge/learner.h>

namespace given {

constexpr std::int64_t padding = 0;  // fills short sentences up, and is not a word
constexpr std::int64_t bos = 1;      // "begin of sentence": the first input
constexpr std::int64_t eos = 2;      // "end of sentence": the last word to be said
                                     // words are 3, 4, 5, ..

// What the decoder is given at each step, and what it must say there: int64, both [batch, steps].
struct Targets {
  Tensor in;
  Tensor out;
};

// A recurrent network, without attention: what there is to learn here is the same with it.
struct Decoder {
  Tensor embedding;     // [vocabulary, word]
  Tensor from_word;     // [state, word]
  Tensor from_state;    // [state, state]
  Tensor readout;       // [vocabulary, state]
  Tensor readout_bias;  // [vocabulary]
};

struct Step {
  Tensor logits;  // [batch, vocabulary]: a score for every word that could be said now
  Tensor state;   // [batch, state]: for the next step
};

// One step: words [batch] are the ids (int64) that it is given, state [batch, state].
//   next state = tanh(from_word x + from_state state), where x is the words' embedding
//   logits     = readout (next state) + readout_bias
Step decoder_step(const Tensor& words, const Tensor& state, const Decoder& decoder);

}  // namespace given

using given::bos;
using given::Decoder;
using given::decoder_step;
using given::eos;
using given::padding;
using given::Sentence;
using given::stack_rows;
using given::Step;
using given::Targets;

// Sentences of words, without bos and eos.
Targets make_targets(const std::vector<Sentence>& sentences);

// The logits of every step [batch, steps, vocabulary], where each step is given its word of `in` [batch, steps].
Tensor teacher_forced(const Decoder& decoder, const Tensor& state, const Tensor& in);

// The mean of -log p(word to be said) over all words of `out` [batch, steps] that are not padding: one number.
Tensor sentence_loss(const Tensor& logits, const Tensor& out);

// The decoder by itself: each step is given the word that the step before said (its highest logit), the first one bos.
// The share, from 0 to 1, of the words of `out` that it says in their place. Padding does not count.
double free_running_accuracy(const Decoder& decoder, const Tensor& state, const Tensor& out);

struct Answer {
  decltype(&::make_targets) make_targets;
  decltype(&::teacher_forced) teacher_forced;
  decltype(&::sentence_loss) sentence_loss;
  decltype(&::free_running_accuracy) free_running_accuracy;
};
