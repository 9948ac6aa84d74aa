// Search for a good translation with a trained model, word by word.
//
//   greedy    the most probable word at each step
//   beam      the `beam` best beginnings at each step, all sentences of the batch at once
//             (Graves 2012; Bahdanau et al. 2015 translate so); of the finished ones the best by
//             log p(y|x) / length^length_penalty
//
// Both record no graph. Call model.eval() before, or dropout acts.
#pragma once

#include <cstdint>
#include <vector>

#include "nn/translation_model.h"

namespace nn {

struct SearchOptions {
  std::int64_t bos = 2;                      // the id that every sentence starts with
  std::int64_t eos = 3;                      // the id that ends one
  std::int64_t max_length = 60;              // of a translation, in words
  std::vector<std::int64_t> forbidden = {};  // ids that are never chosen, such as padding
};

struct BeamOptions {
  std::int64_t beam = 5;        // beginnings that are followed
  std::int64_t n_best = 1;      // translations returned per sentence, at most `beam`
  double length_penalty = 1.0;  // 0: the sum of log probabilities, which prefers short ones; 1: their mean
};

struct Translation {
  std::vector<std::int64_t> words;  // without bos and eos
  Tensor weights;                   // [words, or words + 1 with the row of eos; S]; undefined without attention
  double log_probability = 0.0;     // of all words, and of eos if it was reached
  double score = 0.0;               // what they are ranked by
  bool finished = true;             // false: max_length came before eos
};

// One per sentence.
std::vector<Translation> greedy_search(const TranslationModel& model, const Tensor& src,
                                       const std::vector<std::int64_t>& lengths, const SearchOptions& options = {},
                                       Where where = Where::current());

// n_best per sentence, the best first.
std::vector<std::vector<Translation>> beam_search(const TranslationModel& model, const Tensor& src,
                                                  const std::vector<std::int64_t>& lengths,
                                                  const SearchOptions& options = {}, const BeamOptions& beam = {},
                                                  Where where = Where::current());

}  // namespace nn
