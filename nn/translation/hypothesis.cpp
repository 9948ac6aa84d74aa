#include "nn/translation/hypothesis.h"

#include <cmath>

namespace nn {

Hypothesis extended(const Hypothesis& hypothesis, const Candidate& candidate, const Tensor& weights, std::int64_t row,
                    std::int64_t eos) {
  Hypothesis result = hypothesis;
  result.log_probability = candidate.log_probability;
  result.finished = candidate.word == eos;
  if (!result.finished) result.words.push_back(candidate.word);
  if (weights.defined()) result.weights.push_back(weights.select(0, row));
  return result;
}

double score(const Hypothesis& hypothesis, double length_penalty) {
  const std::size_t length = hypothesis.words.size() + (hypothesis.finished ? 1 : 0);
  return hypothesis.log_probability / std::pow(static_cast<double>(length), length_penalty);
}

Translation translation(const Hypothesis& hypothesis, double length_penalty, std::int64_t source_length) {
  Translation result;
  result.words = hypothesis.words;
  if (!hypothesis.weights.empty()) {
    result.weights = autograd::stack(hypothesis.weights).narrow(1, 0, source_length).contiguous();
  }
  result.log_probability = hypothesis.log_probability;
  result.score = score(hypothesis, length_penalty);
  result.finished = hypothesis.finished;
  return result;
}

}  // namespace nn
