#include "examples/translate/evaluation.h"

#include <nn/translation/batches.h>
#include <nn/translation/search.h>

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

// ---- from pieces to words ------------------------------------------------------------------------------------

// For each of `size` places, the number of its word; after the pieces every place, such as eos, counts as a word.
std::vector<std::int64_t> word_of_each_place(const Words& pieces, std::int64_t size) {
  std::vector<std::int64_t> words = nn::word_of_each_piece(pieces);
  while (std::ssize(words) < size) words.push_back(words.empty() ? 0 : words.back() + 1);
  return words;
}

// [words, places], 1 where a place belongs to a word.
Tensor membership(const std::vector<std::int64_t>& word_of_place) {
  const auto places = std::ssize(word_of_place);
  const Tensor words = autograd::arange(word_of_place.back() + 1).unsqueeze(1);
  return (words == autograd::ids(word_of_place, {1, places})).to(autograd::float32);
}

// [target places, source places] -> [target words, source words]: a source word gets what its pieces get together, and
// a target word looks where its pieces look on average.
Tensor weights_of_joined_words(const Tensor& weights, const TrainedModel& model, const Words& source,
                               const Words& target) {
  if (!weights.defined() || !model.source.subwords || weights.numel() == 0) return weights;
  const Tensor of_source = membership(word_of_each_place(source, weights.size(1)));
  const Tensor of_target = membership(word_of_each_place(target, weights.size(0)));
  const Tensor sums = of_target.matmul(weights).matmul(of_source.transpose(0, 1));
  return sums / of_target.sum({1}, true);
}

Translation in_words(const TrainedModel& model, const Words& source, const nn::Translation& found) {
  const Words pieces = model.target.vocabulary.words(found.words);
  return {model.target.words(found.words),
          weights_of_joined_words(found.weights, model, model.source.units(source), pieces), found.finished};
}

}  // namespace

std::vector<Translation> translate_sentences(const TrainedModel& model, const std::vector<Words>& sentences,
                                             const SearchSettings& settings) {
  check_options(settings);
  model.model->eval();
  std::vector<nn::EncodedPair> sources;
  for (const Words& words : sentences) sources.push_back({model.source.encode(words), {}});
  std::vector<Translation> translations(sentences.size());
  for (const nn::Positions& positions : nn::evaluation_batches(sources, static_cast<std::size_t>(settings.batch))) {
    auto found = search(*model.model, nn::make_source_batch(sources, positions), settings);
    for (std::size_t row = 0; row < positions.size(); ++row) {
      const std::size_t place = positions[row];
      translations[place] = in_words(model, sentences[place], found[row]);
    }
  }
  return translations;
}

// ---- a text with references ----------------------------------------------------------------------------------

namespace {

// Makes the model write the references of a batch, for their probabilities and the attention meanwhile.
void write_references(const TrainedModel& model, const nn::Batch& batch, const std::vector<nn::EncodedPair>& pairs,
                      std::vector<TranslatedSentence>& sentences) {
  const autograd::NoGradGuard no_grad;
  const auto output = (*model.model)(batch.src, batch.lengths, batch.tgt_in, {.positions = batch.word_positions});
  const Tensor losses = autograd::cross_entropy(output.logits, batch.words, {.reduction = autograd::Reduction::none});
  std::int64_t first_unit = 0;  // of the sentence in `losses`
  for (std::size_t row = 0; row < batch.positions.size(); ++row) {
    const nn::EncodedPair& pair = pairs[batch.positions[row]];  // with eos on both sides
    TranslatedSentence& sentence = sentences[batch.positions[row]];
    const auto units = std::ssize(pair.target);
    sentence.predicted_words = std::ssize(sentence.pair.target) + 1;
    sentence.negative_log_likelihood = losses.narrow(0, first_unit, units).to(autograd::float64).sum().item();
    first_unit += units;
    if (!output.weights.defined()) continue;
    const Tensor weights =
        output.weights[static_cast<std::int64_t>(row)].narrow(0, 0, units).narrow(1, 0, std::ssize(pair.source));
    sentence.forced_weights = weights_of_joined_words(weights, model, model.source.units(sentence.pair.source),
                                                      model.target.units(sentence.pair.target));
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
  for (std::size_t i = 0; i < pairs.size(); ++i) sentences[i].pair = text.pairs[i];
  for (const nn::Positions& positions : nn::evaluation_batches(pairs, static_cast<std::size_t>(settings.batch))) {
    if (should_stop && should_stop()) return std::nullopt;
    const nn::Batch batch = nn::make_batch(pairs, positions);
    write_references(model, batch, pairs, sentences);
    const auto found = search(*model.model, batch, settings);
    for (std::size_t row = 0; row < positions.size(); ++row) {
      TranslatedSentence& sentence = sentences[positions[row]];
      Translation best = in_words(model, sentence.pair.source, found[row]);
      sentence.translation = std::move(best.words);
      sentence.weights = best.weights;
    }
  }
  return sentences;
}

}  // namespace translate
