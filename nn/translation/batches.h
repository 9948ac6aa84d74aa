// From sentences to the tensors that a TranslationModel is trained on and translates.
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

// Target words to be predicted in all, eos among them: what perplexity and speed are counted in.
std::int64_t count_target_words(const std::vector<EncodedPair>& pairs);

// Of a batch that is translated, with padding: as if its sentences had 250 words each.
constexpr std::size_t most_words_at_once(std::size_t sentences) {
  return 250 * sentences;
}

// Which pairs make up a batch.
using Positions = std::vector<std::size_t>;

// One epoch: all pairs in random order; of 50 batches' worth of them at a time, sorted by length, each `size` are a
// batch; the batches in random order. So there is little padding, and the batches of each epoch are others. Drawn from
// `generator` alone: the same state gives the same batches. Throws bad-argument unless size is at least 1.
std::vector<Positions> training_batches(const std::vector<EncodedPair>& pairs, std::size_t size,
                                        autograd::Generator& generator, Where where = Where::current());
// All pairs, sorted by length, each `size` a batch; fewer where they are so long that it would have more than
// most_words_at_once(size) in one of the languages.
std::vector<Positions> evaluation_batches(const std::vector<EncodedPair>& pairs, std::size_t size,
                                          Where where = Where::current());

struct Batch {
  Tensor src;                         // [B, S] ids, padded
  std::vector<std::int64_t> lengths;  // of the sources, with eos
  Tensor tgt_in;                      // [B, T], bos and the target without its eos, padded
  Tensor tgt_out;                 // [B, T], the target with its eos: what is to be said after each of tgt_in; padded
  std::int64_t target_words = 0;  // of tgt_out, without padding
  Tensor word_positions;          // [target_words], where they are in tgt_out.flatten()
  Tensor words;                   // [target_words], and they themselves, one sentence after the other
  Positions positions;            // the pairs that these are
};

// Both of at least one position. Of sources alone, to be translated, what is of the target is undefined.
Batch make_batch(const std::vector<EncodedPair>& pairs, const Positions& positions);
Batch make_source_batch(const std::vector<EncodedPair>& pairs, const Positions& positions);

}  // namespace nn
