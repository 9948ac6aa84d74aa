// Batches: the tensors that a TranslationModel trains on, or translates, made from sentences.
//
//   std::vector<nn::EncodedPair> pairs;
//   for (..) pairs.push_back({source_vocabulary.encode(source), target_vocabulary.encode(target)});
//   for (const nn::Positions& positions : nn::training_batches(pairs, 64, generator)) {
//     const nn::Batch batch = nn::make_batch(pairs, positions);
//     const auto [logits, weights, coverage_loss] =
//         model(batch.src, batch.lengths, batch.tgt_in, {.positions = batch.word_positions});
//     const Tensor loss = autograd::cross_entropy(logits, batch.words);
//
// Sizes: B sentences, S source positions, T target positions.
#pragma once

#include <autograd/autograd.h>
#include <autograd/tensor/random.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "nn/translation/vocabulary.h"

namespace nn {

using autograd::Tensor;

struct EncodedPair {
  std::vector<std::int64_t> source;  // the words' numbers and eos, so never empty
  std::vector<std::int64_t> target;  // likewise
};

// How many words there are to predict, with eos: the unit of perplexity and of speed.
std::int64_t count_target_words(const std::vector<EncodedPair>& pairs);

// The most words, with padding, in a batch that is translated: as many as in sentences of 250 words.
constexpr std::size_t most_words_at_once(std::size_t sentences) {
  return 250 * sentences;
}

// Which pairs make up a batch.
using Positions = std::vector<std::size_t>;

// The batches of one epoch. The pairs are shuffled; then, 50 batches' worth at a time, sorted by length and cut into
// batches of `size`; then the batches are shuffled. So there is little padding, and each epoch has other batches. All
// random numbers come from `generator`. Throws bad-argument unless size is at least 1.
std::vector<Positions> training_batches(const std::vector<EncodedPair>& pairs, std::size_t size,
                                        autograd::Generator& generator, Where where = Where::current());
// The same with as many pairs in a batch as have no more than `most_words` words, with padding, in either language (a
// longer pair is a batch by itself); all pairs are sorted together, as in fairseq. Throws bad-argument unless
// most_words is at least 1.
std::vector<Positions> training_batches_of_words(const std::vector<EncodedPair>& pairs, std::size_t most_words,
                                                 autograd::Generator& generator, Where where = Where::current());
// All pairs, sorted by length and cut into batches of `size`, or of fewer where these would have more than
// most_words_at_once(size) in one of the languages. Throws bad-argument unless size is at least 1.
std::vector<Positions> evaluation_batches(const std::vector<EncodedPair>& pairs, std::size_t size,
                                          Where where = Where::current());

struct Batch {
  Tensor src;                         // [B, S] ids, padded
  std::vector<std::int64_t> lengths;  // of the sources, with eos
  Tensor tgt_in;                      // [B, T], bos and the target without its eos, padded
  Tensor tgt_out;                 // [B, T], the target with its eos: the word that follows each one of tgt_in; padded
  std::int64_t target_words = 0;  // of tgt_out, without padding
  Tensor word_positions;          // [target_words], where they are in tgt_out.flatten()
  Tensor words;                   // [target_words], these words, one sentence after the other
  Positions positions;            // of the pairs in this batch
};

// The batch of the pairs at these positions. make_source_batch() is for sources to translate: it reads no
// targets, and leaves what is made from them undefined. Both throw bad-argument for no positions and for a sentence
// without words, and index-out-of-range for a position that no pair has.
Batch make_batch(const std::vector<EncodedPair>& pairs, const Positions& positions, Where where = Where::current());
Batch make_source_batch(const std::vector<EncodedPair>& pairs, const Positions& positions,
                        Where where = Where::current());

}  // namespace nn
