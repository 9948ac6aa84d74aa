// SearchStep: one step of the model for all hypotheses at once, and other parts that greedy and beam search share.
// Private to nn.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "nn/translation/hypothesis.h"
#include "nn/translation/search.h"

namespace nn {

// The tensor of words that the first step takes, bos for each of `count` sentences.
Tensor first_words(std::int64_t bos, std::int64_t count);

// The source's length of one sentence.
std::int64_t length_of(std::size_t sentence, const Tensor& src, const std::vector<std::int64_t>& lengths);

void check_search(std::string_view asked, const Tensor& src, const SearchOptions& options, Where where);

// One step: which words may follow, and how probable each is.
class SearchStep {
 public:
  // words [rows]: the last one of each hypothesis. Throws as greedy_search does.
  SearchStep(std::string_view asked, const TranslationModel& model, const Tensor& words, const DecoderState& before,
             const SearchOptions& options, Where where);

  // The `count` most probable continuations of these hypotheses of one sentence, the best first; of equal ones the
  // earlier hypothesis and the smaller word first. `row`: where the first of them stands in the batch.
  std::vector<Candidate> best(const std::vector<Hypothesis>& hypotheses, std::int64_t row, std::size_t count) const;

  Tensor weights;      // [rows, S]; undefined without attention
  DecoderState state;  // after the step

 private:
  // A word that may follow one hypothesis, and its logit.
  struct Word {
    std::int64_t id;
    double logit;
  };
  template <class T> std::vector<Word> best_words(std::int64_t row, std::size_t count) const;

  Tensor logits_;                   // [rows, vocabulary]
  std::vector<double> log_totals_;  // [rows]: log p of a word is its logit less this, log sum_w exp(logit_w)
  std::vector<bool> is_forbidden_;  // [vocabulary]
};

}  // namespace nn
