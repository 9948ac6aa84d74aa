#include "nn/layers/checks.h"
#include "nn/translation/search.h"
#include "nn/translation/search_step.h"

namespace nn {
namespace {

// The sentences that have not ended, in the order of the model's rows.
struct Open {
  std::vector<std::size_t> sentences;
  Tensor words;  // the last one of each, [rows]
  DecoderState state;
};

Open all_sentences(const TranslationModel& model, const Tensor& src, const std::vector<std::int64_t>& lengths,
                   const SearchOptions& options) {
  Open open;
  for (std::int64_t i = 0; i < src.size(0); ++i) open.sentences.push_back(static_cast<std::size_t>(i));
  open.words = first_words(options.bos, src.size(0));
  open.state = model.start(src, lengths);
  return open;
}

// Adds one word to each open sentence. Sentences that end are closed, and the model no longer computes their rows.
Open next_words(const Open& open, const SearchStep& step, const SearchOptions& options,
                std::vector<Hypothesis>& hypotheses) {
  Open next;
  std::vector<std::int64_t> rows;
  std::vector<std::int64_t> words;
  for (std::size_t i = 0; i < open.sentences.size(); ++i) {
    const auto row = static_cast<std::int64_t>(i);
    Hypothesis& hypothesis = hypotheses[open.sentences[i]];
    const Candidate best = step.best({hypothesis}, row, 1).front();
    hypothesis = extended(hypothesis, best, step.weights, row, options.eos);
    if (hypothesis.finished) continue;
    next.sentences.push_back(open.sentences[i]);
    rows.push_back(row);
    words.push_back(best.word);
  }
  const auto count = static_cast<std::int64_t>(rows.size());
  if (count == 0) return next;
  next.words = autograd::ids(words, {count});
  const bool all_go_on = rows.size() == open.sentences.size();
  next.state = all_go_on ? step.state : step.state.select(autograd::ids(rows, {count}));
  return next;
}

}  // namespace

std::vector<Translation> greedy_search(const TranslationModel& model, const Tensor& src,
                                       const std::vector<std::int64_t>& lengths, const SearchOptions& options,
                                       Where where) {
  const autograd::NoGradGuard no_grad;
  const autograd::ScopeGuard scope("greedy_search", where);
  check_search("greedy_search", src, options, where);
  std::vector<Hypothesis> hypotheses(static_cast<std::size_t>(src.size(0)));
  Open open = all_sentences(model, src, lengths, options);
  for (std::int64_t t = 0; t < options.max_length && !open.sentences.empty(); ++t) {
    const autograd::StepScope step_scope(t);
    const SearchStep step("greedy_search", model, open.words, open.state, options, where);
    open = next_words(open, step, options, hypotheses);
  }
  std::vector<Translation> translations;
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    translations.push_back(translation(hypotheses[i], 1.0, length_of(i, src, lengths)));
  }
  return translations;
}

}  // namespace nn
