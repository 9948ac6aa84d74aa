// Hypothesis: an unfinished translation that the search (search.h) follows. Private to nn.
#pragma once

#include <cstdint>
#include <vector>

#include "nn/translation/search.h"

namespace nn {

struct Hypothesis {
  std::vector<std::int64_t> words = {};  // without bos and eos
  std::vector<Tensor> weights = {};      // of each step, [S]; nothing without attention
  double log_probability = 0.0;
  bool finished = false;  // by eos
};

// A word that may continue a hypothesis.
struct Candidate {
  std::int64_t hypothesis = 0;  // which one of the sentence's
  std::int64_t word = 0;
  double log_probability = 0.0;  // of all words
};

// With the candidate's word. weights: of all hypotheses at this step, [rows, S] or undefined, and which row is its own.
Hypothesis extended(const Hypothesis& hypothesis, const Candidate& candidate, const Tensor& weights, std::int64_t row,
                    std::int64_t eos);

// log p / length^length_penalty; eos counts.
double score(const Hypothesis& hypothesis, double length_penalty);

// source_length: of the sentence without padding.
Translation translation(const Hypothesis& hypothesis, double length_penalty, std::int64_t source_length);

}  // namespace nn
