#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "nn/layers/checks.h"
#include "nn/translation/search.h"
#include "nn/translation/search_step.h"

namespace nn {
namespace {

// The hypotheses of one sentence.
struct Beam {
  std::vector<Hypothesis> live;   // all equally long, the most probable first
  std::vector<Hypothesis> ended;  // in the order in which they ended
};

void check_beam(const BeamOptions& beam, Where where) {
  check_positive("beam_search", "beam", beam.beam, where);
  check_range("beam_search", "length_penalty", beam.length_penalty, 0.0, 100.0, where);
  if (beam.n_best >= 1 && beam.n_best <= beam.beam) return;
  autograd::fail(ErrorId::bad_argument, "beam_search", where,
                 fmt::format("n_best is {} and beam is {}", beam.n_best, beam.beam), "give an n_best from 1 to beam");
}

[[noreturn]] void fail_without_words(Where where) {
  autograd::fail(ErrorId::bad_argument, "beam_search", where,
                 "no translation is possible: all words that are not forbidden have probability 0",
                 "forbid fewer words, or leave one possible where the model's logits are masked");
}

bool is_better(const Hypothesis& a, const Hypothesis& b, double length_penalty) {
  if (a.finished != b.finished) return a.finished;
  return score(a, length_penalty) > score(b, length_penalty);
}

// Can no continuation of the live hypotheses be among the n_best? Each word makes log p smaller, so that no score can
// be better than that of the most probable one with its present log p and the greatest length.
bool is_decided(const Beam& beam, const SearchOptions& options, const BeamOptions& beam_options) {
  const auto n_best = static_cast<std::size_t>(beam_options.n_best);
  if (beam.live.empty()) return true;
  if (beam.ended.size() < n_best) return false;
  std::vector<double> scores;
  for (const Hypothesis& hypothesis : beam.ended) scores.push_back(score(hypothesis, beam_options.length_penalty));
  std::sort(scores.begin(), scores.end(), std::greater<>());
  const double greatest_length = std::pow(static_cast<double>(options.max_length), beam_options.length_penalty);
  const double best_to_come = beam.live.front().log_probability / greatest_length;
  return scores[n_best - 1] >= best_to_come;
}

// The rows of the model's batch that continue, and their next words.
struct Next {
  std::vector<std::int64_t> rows;
  std::vector<std::int64_t> words;
  bool same_sentences = true;  // has each sentence as many rows as before?
};

// Adds one word to the hypotheses of one sentence, the first of which is at `row`.
Beam advance(const Beam& before, std::int64_t row, const SearchStep& step, const SearchOptions& options,
             const BeamOptions& beam_options, Next& next, Where where) {
  Beam after;
  after.ended = before.ended;
  Next own;
  const std::size_t places = static_cast<std::size_t>(beam_options.beam) - before.ended.size();
  for (const Candidate& candidate : step.best(before.live, row, places)) {
    if (std::isinf(candidate.log_probability)) break;  // impossible, as all after it
    const Hypothesis& parent = before.live[static_cast<std::size_t>(candidate.hypothesis)];
    const std::int64_t own_row = row + candidate.hypothesis;
    const Hypothesis hypothesis = extended(parent, candidate, step.weights, own_row, options.eos);
    if (hypothesis.finished) {
      after.ended.push_back(hypothesis);
      continue;
    }
    after.live.push_back(hypothesis);
    own.rows.push_back(own_row);
    own.words.push_back(candidate.word);
  }
  if (after.live.empty() && after.ended.empty()) fail_without_words(where);
  if (is_decided(after, options, beam_options)) {
    after.live.clear();
    return after;
  }
  next.rows.insert(next.rows.end(), own.rows.begin(), own.rows.end());
  next.words.insert(next.words.end(), own.words.begin(), own.words.end());
  return after;
}

// Adds one word to the hypotheses of all sentences.
Next advance_all(std::vector<Beam>& beams, const SearchStep& step, const SearchOptions& options,
                 const BeamOptions& beam_options, Where where) {
  Next next;
  std::int64_t row = 0;
  for (Beam& beam : beams) {
    const auto rows_of_beam = static_cast<std::int64_t>(beam.live.size());
    if (rows_of_beam > 0) beam = advance(beam, row, step, options, beam_options, next, where);
    next.same_sentences = next.same_sentences && static_cast<std::int64_t>(beam.live.size()) == rows_of_beam;
    row += rows_of_beam;
  }
  return next;
}

// Hypotheses that are still live have been cut off by max_length.
std::vector<Translation> n_best(const Beam& beam, const BeamOptions& options, std::int64_t source_length) {
  std::vector<Hypothesis> all = beam.ended;
  all.insert(all.end(), beam.live.begin(), beam.live.end());
  const auto order = [&](const Hypothesis& a, const Hypothesis& b) { return is_better(a, b, options.length_penalty); };
  std::stable_sort(all.begin(), all.end(), order);
  std::vector<Translation> translations;
  for (const Hypothesis& hypothesis : all) {
    const auto found = static_cast<std::int64_t>(translations.size());
    if (found < options.n_best) translations.push_back(translation(hypothesis, options.length_penalty, source_length));
  }
  return translations;
}

}  // namespace

std::vector<std::vector<Translation>> beam_search(const TranslationModel& model, const Tensor& src,
                                                  const std::vector<std::int64_t>& lengths,
                                                  const SearchOptions& options, const BeamOptions& beam_options,
                                                  Where where) {
  const autograd::NoGradGuard no_grad;
  const autograd::ScopeGuard scope("beam_search", where);
  check_search("beam_search", src, options, where);
  check_beam(beam_options, where);
  std::vector<Beam> beams(static_cast<std::size_t>(src.size(0)), Beam{.live = {Hypothesis{}}, .ended = {}});
  Tensor words = first_words(options.bos, src.size(0));
  DecoderState state = model.start(src, lengths);
  for (std::int64_t t = 0; t < options.max_length; ++t) {
    const autograd::StepScope step_scope(t);
    const SearchStep step("beam_search", model, words, state, options, where);
    const Next next = advance_all(beams, step, options, beam_options, where);
    const auto count = static_cast<std::int64_t>(next.rows.size());
    if (count == 0) break;
    words = autograd::ids(next.words, {count});
    const Tensor rows = autograd::ids(next.rows, {count});
    state = next.same_sentences ? step.state.select_within_sentences(rows) : step.state.select(rows);
  }
  std::vector<std::vector<Translation>> result;
  for (std::size_t i = 0; i < beams.size(); ++i) {
    result.push_back(n_best(beams[i], beam_options, length_of(i, src, lengths)));
  }
  return result;
}

}  // namespace nn
