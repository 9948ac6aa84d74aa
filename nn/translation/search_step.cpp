#include "nn/translation/search_step.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "nn/layers/checks.h"

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

// Which words are never chosen, [vocabulary].
std::vector<bool> forbidden_words(std::string_view asked, const SearchOptions& options, std::int64_t vocabulary,
                                  Where where) {
  if (options.eos != -1) check_in_vocabulary(asked, "eos", options.eos, vocabulary, where);
  std::vector<bool> is_forbidden(static_cast<std::size_t>(vocabulary), false);
  for (const std::int64_t id : options.forbidden) {
    check_in_vocabulary(asked, "a forbidden word", id, vocabulary, where);
    is_forbidden[static_cast<std::size_t>(id)] = true;
  }
  const bool some_are_allowed = std::find(is_forbidden.begin(), is_forbidden.end(), false) != is_forbidden.end();
  if (some_are_allowed) return is_forbidden;
  autograd::fail(ErrorId::bad_argument, asked, where, fmt::format("all {} words are forbidden", vocabulary),
                 "leave words that a translation can be made of");
}

// Looks at the totals only, because a NaN or an infinity among the logits makes their total one.
void check_numbers(std::string_view asked, const std::vector<double>& log_totals, Where where) {
  if (std::all_of(log_totals.begin(), log_totals.end(), [](double x) { return std::isfinite(x); })) return;
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
  logits_ = step.logits.contiguous();
  log_totals_ = logits_.logsumexp({-1}).to_vector();
  is_forbidden_ = forbidden_words(asked, options, logits_.size(-1), where);
  check_numbers(asked, log_totals_, where);
}

namespace {

// Inserts a candidate after those that are as good or better; the list keeps at most `count`.
void insert(const Candidate& candidate, std::size_t count, std::vector<Candidate>& sorted) {
  const auto is_better = [](const Candidate& a, const Candidate& b) { return a.log_probability > b.log_probability; };
  if (sorted.size() == count && !is_better(candidate, sorted.back())) return;
  sorted.insert(std::upper_bound(sorted.begin(), sorted.end(), candidate, is_better), candidate);
  if (sorted.size() > count) sorted.pop_back();
}

}  // namespace

// The `count` words of the largest logits in one row, the largest first; of equal ones the smaller word first.
template <class T> std::vector<SearchStep::Word> SearchStep::best_words(std::int64_t row, std::size_t count) const {
  const auto is_larger = [](const Word& a, const Word& b) { return a.logit > b.logit; };
  const std::int64_t vocabulary = logits_.size(-1);
  const T* logits = logits_.data_ptr<T>() + row * vocabulary;
  std::vector<Word> sorted;
  T smallest = -std::numeric_limits<T>::infinity();  // of those in a full list: most words are passed over here
  for (std::int64_t id = 0; id < vocabulary; ++id) {
    if (sorted.size() == count && logits[id] <= smallest) continue;
    if (is_forbidden_[static_cast<std::size_t>(id)]) continue;
    const Word word{id, static_cast<double>(logits[id])};
    sorted.insert(std::upper_bound(sorted.begin(), sorted.end(), word, is_larger), word);
    if (sorted.size() > count) sorted.pop_back();
    smallest = static_cast<T>(sorted.back().logit);
  }
  return sorted;
}

std::vector<Candidate> SearchStep::best(const std::vector<Hypothesis>& hypotheses, std::int64_t row,
                                        std::size_t count) const {
  std::vector<Candidate> sorted;
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    const auto number = static_cast<std::int64_t>(i);
    const bool is_float32 = logits_.dtype() == autograd::float32;
    const auto words = is_float32 ? best_words<float>(row + number, count) : best_words<double>(row + number, count);
    const double before = hypotheses[i].log_probability - log_totals_[static_cast<std::size_t>(row + number)];
    for (const Word& word : words) insert({number, word.id, before + word.logit}, count, sorted);
  }
  return sorted;
}

}  // namespace nn
