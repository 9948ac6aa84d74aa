#include "examples/translate/experiments/distance.h"

#include <nn/translation/batches.h>

#include <cstdlib>

#include "examples/translate/data/artificial_language.h"

namespace translate {
namespace {

constexpr std::uint64_t other_sentences = 1'000'003;  // added to the seed, for sentences that no model was trained on
constexpr std::size_t batch_size = 64;

// Returns the must-look target words whose source word is far away.
std::vector<std::size_t> far_words_of(const SentencePair& pair) {
  std::vector<std::size_t> words;
  for (const Link& link : *pair.gold) {
    const auto target = static_cast<std::size_t>(link.target);
    if (pair.must_look[target] && std::abs(link.source - link.target) >= far_distance) words.push_back(target);
  }
  return words;
}

// Returns how many of the far words are the most probable ones after the reference up to there, in percent.
double percent_right(const TrainedModel& model, const ParallelText& text) {
  const autograd::NoGradGuard no_grad;
  model.model->eval();
  const std::vector<nn::EncodedPair> pairs = encode(text, model);
  double words = 0.0;
  double right = 0.0;
  for (const nn::Positions& positions : nn::evaluation_batches(pairs, batch_size)) {
    const nn::Batch batch = nn::make_batch(pairs, positions);
    const Tensor written = (*model.model)(batch.src, batch.lengths, batch.tgt_in).logits.argmax(2);  // [B, T]
    for (std::size_t row = 0; row < positions.size(); ++row) {
      const std::size_t pair = positions[row];
      const auto ours = written[static_cast<std::int64_t>(row)].to_vector<std::int64_t>();
      for (const std::size_t t : far_words_of(text.pairs[pair])) {
        words += 1.0;
        if (ours[t] == pairs[pair].target[t]) right += 1.0;
      }
    }
  }
  return 100.0 * right / words;
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
    if (text.pairs.size() < most && !far_words_of(pair).empty()) text.pairs.push_back(pair);
  }
  return text;
}

Measured words_from_afar(const CandidateResult& result, const ParallelText& text) {
  Measured right;
  for (const Trained& trained : result.trained) right.values.push_back(percent_right(trained.model, text));
  return right;
}

}  // namespace translate
