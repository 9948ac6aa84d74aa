// Search for a good translation with a trained model, word by word.
//
//   greedy    the most probable word at each step
//   beam      the `beam` most probable beginnings at each step, all sentences of the batch at once (Graves 2012,
//             section 2.4; Sutskever, Vinyals and Le 2014, section 3.2; Bahdanau et al. 2015 translate so)
//
//   model.eval();
//   const std::vector<nn::Translation> translations = nn::greedy_search(model, src, lengths, {.forbidden = {0}});
//   const auto lists = nn::beam_search(model, src, lengths, {}, {.beam = 5, .n_best = 3});
//
// Keep the lists in a variable before you loop over them: in C++20, the temporary of
// `for (.. : nn::beam_search(..)[0])` is destroyed before the loop begins (not so in C++23), which reads freed memory.
//
//   for (const nn::Translation& one : lists[0]) ..
//
// Both record no graph. Call model.eval() before, or dropout acts. A sentence's result does not depend on the others of
// the batch, nor on padding.
//
// Beam search, as done here: a beginning that has got its eos is kept aside and keeps its place, so that the others
// have one place less; the search for a sentence ends when `beam` translations have ended, at max_length, or as soon as
// nothing that could still come would be among the n_best (which changes nothing in the result: log p only falls with
// each word, so log p / max_length^length_penalty is the best score that a beginning can still reach). With beam 1 this
// is greedy search.
#pragma once

#include <cstdint>
#include <vector>

#include "nn/translation/translation_model.h"

namespace nn {

struct SearchOptions {
  Int bos = 2;                               // the id that every sentence starts with
  Int eos = 3;                               // the id that ends one; -1: none does
  Int max_length = 60;                       // of a translation, in words, eos among them
  std::vector<std::int64_t> forbidden = {};  // ids that are never chosen, such as padding
};

struct BeamOptions {
  Int beam = 5;                 // beginnings that are followed
  Int n_best = 1;               // translations returned per sentence, at most `beam`
  double length_penalty = 1.0;  // 0: the sum of log probabilities, which prefers short ones; 1: their mean
};

struct Translation {
  std::vector<std::int64_t> words;  // without bos and eos
  Tensor weights;                   // [words, or words + 1 with the row of eos; the source's length, without its
                                    // padding]: where the attention was; undefined without attention
  double log_probability = 0.0;     // of all words, and of eos if it was reached. Forbidden words keep their share:
                                    // this is the model's p(y|x), not one among the allowed words
  double score = 0.0;               // what they are ranked by: log_probability / length^length_penalty, where length
                                    // counts eos too; greedy: with length_penalty 1
  bool finished = true;             // false: max_length came before eos
};

// One per sentence: src [B, S], lengths one per sentence (empty: all reach to S).
// Throws bad-argument for options that make no sense and for a model that returns NaN, token-out-of-range for ids
// outside the vocabulary, and what the model throws.
std::vector<Translation> greedy_search(const TranslationModel& model, const Tensor& src,
                                       const std::vector<std::int64_t>& lengths, const SearchOptions& options = {},
                                       Where where = Where::current());

// n_best per sentence, all different, the finished ones first and of these the best score first; fewer where the
// model leaves no more possible: none of probability 0 is among them. Throws as greedy_search does, and bad-argument
// for a sentence without any.
std::vector<std::vector<Translation>> beam_search(const TranslationModel& model, const Tensor& src,
                                                  const std::vector<std::int64_t>& lengths,
                                                  const SearchOptions& options = {}, const BeamOptions& beam = {},
                                                  Where where = Where::current());

}  // namespace nn
