#include "examples/translate/evaluation.h"

#include <nn/translation/batches.h>

#include <algorithm>

namespace translate {
namespace {

// Returns the best translation of each sentence of the batch.
std::vector<nn::Translation> search(const nn::TranslationModel& model, const nn::Batch& batch,
                                    const SearchSettings& settings) {
  const nn::SearchOptions options{.bos = nn::Vocabulary::bos,
                                  .eos = nn::Vocabulary::eos,
                                  .max_length = std::max<std::int64_t>(60, 2 * batch.src.size(1)),
                                  .forbidden = {nn::Vocabulary::pad, nn::Vocabulary::bos}};
  if (settings.beam == 1) return nn::greedy_search(model, batch.src, batch.lengths, options);
  const nn::BeamOptions beam{.beam = settings.beam, .length_penalty = settings.length_penalty};
  std::vector<nn::Translation> best;
  for (auto& found : nn::beam_search(model, batch.src, batch.lengths, options, beam)) {
    best.push_back(std::move(found.front()));
  }
  return best;
}

}  // namespace

std::vector<nn::Translation> translate_sentences(const TrainedModel& model, const std::vector<Words>& sentences,
                                                 const SearchSettings& settings) {
  check_options(settings);
  model.model->eval();
  std::vector<nn::EncodedPair> sources;
  for (const Words& words : sentences) sources.push_back({model.source.encode(words), {}});
  std::vector<nn::Translation> translations(sentences.size());
  for (const nn::Positions& positions : nn::evaluation_batches(sources, static_cast<std::size_t>(settings.batch))) {
    auto found = search(*model.model, nn::make_source_batch(sources, positions), settings);
    for (std::size_t row = 0; row < positions.size(); ++row) translations[positions[row]] = std::move(found[row]);
  }
  return translations;
}

// ---- a text with references ----------------------------------------------------------------------------------

namespace {

// Makes the model write the references of a batch, for their probabilities and the attention meanwhile.
void write_references(const nn::TranslationModel& model, const nn::Batch& batch,
                      const std::vector<nn::EncodedPair>& pairs, std::vector<TranslatedSentence>& sentences) {
  const autograd::NoGradGuard no_grad;
  const auto output = model(batch.src, batch.lengths, batch.tgt_in, {.positions = batch.word_positions});
  const Tensor losses = autograd::cross_entropy(output.logits, batch.words, {.reduction = autograd::Reduction::none});
  std::int64_t first_word = 0;  // of the sentence in `losses`
  for (std::size_t row = 0; row < batch.positions.size(); ++row) {
    const nn::EncodedPair& pair = pairs[batch.positions[row]];  // with eos on both sides
    TranslatedSentence& sentence = sentences[batch.positions[row]];
    sentence.predicted_words = std::ssize(pair.target);
    sentence.negative_log_likelihood =
        losses.narrow(0, first_word, sentence.predicted_words).to(autograd::float64).sum().item();
    first_word += sentence.predicted_words;
    if (!output.weights.defined()) continue;
    sentence.forced_weights = output.weights[static_cast<std::int64_t>(row)]
                                  .narrow(0, 0, sentence.predicted_words)
                                  .narrow(1, 0, std::ssize(pair.source));
  }
}

}  // namespace

std::optional<std::vector<TranslatedSentence>> translate_text(const TrainedModel& model, const ParallelText& text,
                                                              const SearchSettings& settings,
                                                              const ShouldStop& should_stop) {
  check_options(settings);
  model.model->eval();
  const std::vector<nn::EncodedPair> pairs = encode(text, model);
  std::vector<TranslatedSentence> sentences(pairs.size());
  for (const nn::Positions& positions : nn::evaluation_batches(pairs, static_cast<std::size_t>(settings.batch))) {
    if (should_stop && should_stop()) return std::nullopt;
    const nn::Batch batch = nn::make_batch(pairs, positions);
    write_references(*model.model, batch, pairs, sentences);
    const auto found = search(*model.model, batch, settings);
    for (std::size_t row = 0; row < positions.size(); ++row) {
      TranslatedSentence& sentence = sentences[positions[row]];
      const nn::Translation& best = found[row];
      sentence.pair = text.pairs[positions[row]];
      sentence.translation = model.target.words(best.words);
      sentence.weights = best.weights;
    }
  }
  return sentences;
}

}  // namespace translate
