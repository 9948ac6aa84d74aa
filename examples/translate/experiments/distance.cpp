#include "examples/translate/experiments/distance.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "examples/translate/artificial_language.h"
#include "examples/translate/batches.h"

namespace translate {
namespace {

constexpr std::uint64_t other_sentences = 1'000'003;  // added to the seed: those that no model was trained on
constexpr std::size_t batch_size = 64;

// |s - t| of a target word that must be looked at, which has one link; -1 for another.
std::int64_t distance_of(const SentencePair& pair, std::size_t target) {
  if (!pair.must_look[target]) return -1;
  const auto is_of_target = [target](const Link& link) { return static_cast<std::size_t>(link.target) == target; };
  const auto link = std::find_if(pair.gold->begin(), pair.gold->end(), is_of_target);
  return link == pair.gold->end() ? -1 : std::abs(static_cast<std::int64_t>(link->source) - link->target);
}

bool has_far_word(const SentencePair& pair) {
  for (std::size_t t = 0; t < pair.target.size(); ++t) {
    if (distance_of(pair, t) >= far_distance) return true;
  }
  return false;
}

struct Counts {
  std::int64_t words = 0;
  std::int64_t right = 0;
};
using CountsByDistance = std::map<double, Counts>;

// written [T]: the most probable word at each position, while the reference is given.
void count_words(const SentencePair& pair, const EncodedPair& encoded, const Tensor& written,
                 CountsByDistance& counts) {
  const std::vector<std::int64_t> words = written.to_vector<std::int64_t>();
  for (std::size_t t = 0; t < pair.target.size(); ++t) {
    const std::int64_t distance = distance_of(pair, t);
    if (distance < 0) continue;
    const std::int64_t from = *std::prev(std::upper_bound(std::begin(distances), std::end(distances), distance));
    Counts& count = counts[static_cast<double>(from)];
    ++count.words;
    if (words[t] == encoded.target[t]) ++count.right;
  }
}

CountsByDistance count_by_distance(const TrainedModel& model, const ParallelText& text) {
  const autograd::NoGradGuard no_grad;
  model.model->eval();
  const std::vector<EncodedPair> pairs = encode(text, model.source, model.target);
  CountsByDistance counts;
  for (const Positions& positions : evaluation_batches(pairs, batch_size)) {
    const Batch batch = make_batch(pairs, positions);
    const Tensor written = (*model.model)(batch.src, batch.lengths, batch.tgt_in).logits.argmax(2);  // [B, T]
    for (std::size_t row = 0; row < positions.size(); ++row) {
      const std::size_t pair = positions[row];
      count_words(text.pairs[pair], pairs[pair], written[static_cast<std::int64_t>(row)], counts);
    }
  }
  return counts;
}

}  // namespace

ParallelText sentences_with_far_words(const Setting& setting, std::size_t drawn, std::size_t most) {
  const Corpus corpus = artificial_corpus({.seed = setting.data.data_seed + other_sentences,
                                           .train = 0,
                                           .validation = 0,
                                           .test = drawn,
                                           .longer = 0,
                                           .agreement = !setting.data.no_agreement,
                                           .clauses = static_cast<int>(setting.data.clauses)});
  ParallelText text{.name = "far"};
  for (const SentencePair& pair : corpus.tests.front().pairs) {
    if (text.pairs.size() < most && has_far_word(pair)) text.pairs.push_back(pair);
  }
  return text;
}

Line words_by_distance(const CandidateResult& result, const ParallelText& text) {
  Line line{result.candidate.label};
  for (const Trained& trained : result.trained) {
    for (const auto& [from, count] : count_by_distance(trained.model, text)) {
      line.points[from].values.push_back(100.0 * static_cast<double>(count.right) / static_cast<double>(count.words));
    }
  }
  return line;
}

}  // namespace translate
