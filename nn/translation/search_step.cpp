#include "nn/translation/search_step.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "nn/checks.h"

namespace nn {

// ---- arguments -----------------------------------------------------------------------------------------------

Tensor first_words(std::int64_t bos, std::int64_t count) {
  return autograd::ids(std::vector<std::int64_t>(static_cast<std::size_t>(count), bos), {count});
}

std::int64_t length_of(std::size_t sentence, const Tensor& src, const std::vector<std::int64_t>& lengths) {
  return lengths.empty() ? src.size(1) : lengths[sentence];
}

void check_search(std::string_view asked, const Tensor& src, const SearchOptions& options, Where where) {
  check_shape(asked, "src", src, {-1, -1}, "[batch, source]", where);
  check_positive(asked, "max_length", options.max_length, where);
}

namespace {

void check_in_vocabulary(std::string_view asked, std::string_view what, std::int64_t id, std::int64_t vocabulary,
                         Where where) {
  if (id >= 0 && id < vocabulary) return;
  autograd::fail(ErrorId::token_out_of_range, asked, where,
                 fmt::format("{} is {}, in a vocabulary of {}", what, id, vocabulary),
                 "give the ids of the vocabulary that the model was trained with");
}

// All words but the forbidden ones.
std::vector<std::int64_t> allowed_words(std::string_view asked, const SearchOptions& options, std::int64_t vocabulary,
                                        Where where) {
  if (options.eos != -1) check_in_vocabulary(asked, "eos", options.eos, vocabulary, where);
  std::vector<bool> is_forbidden(static_cast<std::size_t>(vocabulary), false);
  for (const std::int64_t id : options.forbidden) {
    check_in_vocabulary(asked, "a forbidden word", id, vocabulary, where);
    is_forbidden[static_cast<std::size_t>(id)] = true;
  }
  std::vector<std::int64_t> allowed;
  for (std::int64_t id = 0; id < vocabulary; ++id) {
    if (!is_forbidden[static_cast<std::size_t>(id)]) allowed.push_back(id);
  }
  if (!allowed.empty()) return allowed;
  autograd::fail(ErrorId::bad_argument, asked, where, fmt::format("all {} words are forbidden", vocabulary),
                 "leave words that a translation can be made of");
}

void check_numbers(std::string_view asked, const std::vector<double>& log_probabilities, Where where) {
  const bool has_nan =
      std::any_of(log_probabilities.begin(), log_probabilities.end(), [](double x) { return std::isnan(x); });
  if (!has_nan) return;
  autograd::fail(ErrorId::bad_argument, asked, where, "the model's logits have NaN or infinity among them",
                 "load weights from before the training diverged; BACKSTEP=nan shows where NaN begins");
}

}  // namespace

// ---- one step ------------------------------------------------------------------------------------------------

SearchStep::SearchStep(std::string_view asked, const TranslationModel& model, const Tensor& words,
                       const DecoderState& before, const SearchOptions& options, Where where) {
  TranslationModel::Step step = model.step(words, before);
  weights = step.weights;
  state = std::move(step.state);
  vocabulary_ = step.logits.size(-1);
  log_probabilities_ = step.logits.log_softmax(-1).to_vector();
  allowed_ = allowed_words(asked, options, vocabulary_, where);
  check_numbers(asked, log_probabilities_, where);
}

namespace {

// Puts a candidate behind those that are as good or better; the list does not grow beyond `count`.
void insert(const Candidate& candidate, std::size_t count, std::vector<Candidate>& sorted) {
  const auto is_better = [](const Candidate& a, const Candidate& b) { return a.log_probability > b.log_probability; };
  if (sorted.size() == count && !is_better(candidate, sorted.back())) return;
  sorted.insert(std::upper_bound(sorted.begin(), sorted.end(), candidate, is_better), candidate);
  if (sorted.size() > count) sorted.pop_back();
}

}  // namespace

std::vector<Candidate> SearchStep::best(const std::vector<Hypothesis>& hypotheses, std::int64_t row,
                                        std::size_t count) const {
  std::vector<Candidate> sorted;
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    const auto number = static_cast<std::int64_t>(i);
    const double* next = log_probabilities_.data() + (row + number) * vocabulary_;
    for (const std::int64_t word : allowed_) {
      insert({number, word, hypotheses[i].log_probability + next[word]}, count, sorted);
    }
  }
  return sorted;
}

}  // namespace nn
