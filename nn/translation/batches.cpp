#include "nn/translation/batches.h"

#include <autograd/tensor/error.h>
#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <tuple>

namespace nn {
namespace {

using Ids = std::vector<std::int64_t>;

// How many batches' worth of sentences are sorted by length together.
constexpr std::size_t batches_per_pool = 50;

// The size, but not more than there are pairs: then no product of it overflows.
std::size_t checked_batch_size(const char* asked, std::size_t size, std::size_t pairs, Where where) {
  if (size >= 1) return std::min(size, std::max<std::size_t>(pairs, 1));
  autograd::fail(autograd::ErrorId::bad_argument, asked, where, "a batch of 0 sentences", "choose 1 or more");
}

void check_positions(const char* asked, const std::vector<EncodedPair>& pairs, const Positions& positions,
                     Where where) {
  if (positions.empty()) {
    autograd::fail(autograd::ErrorId::bad_argument, asked, where, "a batch of 0 sentences", "give a position or more");
  }
  for (const std::size_t position : positions) {
    if (position < pairs.size()) continue;
    autograd::fail(autograd::ErrorId::index_out_of_range, asked, where,
                   fmt::format("position {} of {} pairs", position, pairs.size()), "positions count from 0");
  }
}

void check_has_words(const char* asked, const Ids& sentence, std::size_t position, Where where) {
  if (!sentence.empty()) return;
  autograd::fail(autograd::ErrorId::bad_argument, asked, where,
                 fmt::format("pair {} has a sentence of 0 words", position), "encode() it: then it has eos at least");
}

// Fisher and Yates, as in Knuth 1997, algorithm P.
template <class Element> void shuffle(std::vector<Element>& list, autograd::Generator& generator) {
  for (std::size_t left = list.size(); left > 1; --left) {
    const std::int64_t chosen = generator.integer(0, static_cast<std::int64_t>(left));
    std::swap(list[left - 1], list[static_cast<std::size_t>(chosen)]);
  }
}

Positions all_positions(const std::vector<EncodedPair>& pairs) {
  Positions positions(pairs.size());
  std::iota(positions.begin(), positions.end(), std::size_t{0});
  return positions;
}

void sort_by_length(Positions& positions, const std::vector<EncodedPair>& pairs) {
  const auto lengths = [&pairs](std::size_t i) { return std::tuple(pairs[i].source.size(), pairs[i].target.size()); };
  std::stable_sort(positions.begin(), positions.end(),
                   [&lengths](std::size_t a, std::size_t b) { return lengths(a) < lengths(b); });
}

// Pieces of `size`, the last one shorter.
std::vector<Positions> cut(const Positions& positions, std::size_t size) {
  std::vector<Positions> pieces;
  for (std::size_t start = 0; start < positions.size(); start += size) {
    const std::size_t stop = std::min(start + size, positions.size());
    pieces.emplace_back(positions.begin() + static_cast<std::ptrdiff_t>(start),
                        positions.begin() + static_cast<std::ptrdiff_t>(stop));
  }
  return pieces;
}

// Pieces of at most `size` pairs that have at most `most_words` words, with padding, in each language.
std::vector<Positions> cut_by_words(const Positions& positions, const std::vector<EncodedPair>& pairs, std::size_t size,
                                    std::size_t most_words) {
  std::vector<Positions> pieces;
  std::size_t longest = 0;  // sentence of the last piece
  for (const std::size_t position : positions) {
    const std::size_t words = std::max(pairs[position].source.size(), pairs[position].target.size());
    longest = std::max(longest, words);
    const bool fits =
        !pieces.empty() && pieces.back().size() < size && (pieces.back().size() + 1) * longest <= most_words;
    if (!fits) {
      pieces.emplace_back();
      longest = words;
    }
    pieces.back().push_back(position);
  }
  return pieces;
}

// Rows of different lengths -> [rows, longest], filled up with padding.
Tensor padded(const std::vector<Ids>& rows) {
  std::size_t longest = 0;
  for (const Ids& row : rows) longest = std::max(longest, row.size());
  Ids elements;
  elements.reserve(rows.size() * longest);
  for (const Ids& row : rows) {
    elements.insert(elements.end(), row.begin(), row.end());
    elements.insert(elements.end(), longest - row.size(), Vocabulary::pad);
  }
  return autograd::ids(elements, {static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(longest)});
}

// The positions of the words in rows that are filled up to the longest: [words].
Tensor positions_of_words(const std::vector<Ids>& rows, std::int64_t longest) {
  Ids positions;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::int64_t start = static_cast<std::int64_t>(row) * longest;
    for (std::size_t t = 0; t < rows[row].size(); ++t) positions.push_back(start + static_cast<std::int64_t>(t));
  }
  return autograd::ids(positions, {static_cast<std::int64_t>(positions.size())});
}

// What the decoder reads: bos, and then each word before it predicts the next.
Ids shifted(const Ids& target) {
  Ids before{Vocabulary::bos};
  before.insert(before.end(), target.begin(), target.end() - 1);
  return before;
}

}  // namespace

std::int64_t count_target_words(const std::vector<EncodedPair>& pairs) {
  std::int64_t words = 0;
  for (const EncodedPair& pair : pairs) words += static_cast<std::int64_t>(pair.target.size());
  return words;
}

std::vector<Positions> training_batches(const std::vector<EncodedPair>& pairs, std::size_t size,
                                        autograd::Generator& generator, Where where) {
  size = checked_batch_size("training_batches", size, pairs.size(), where);
  Positions order = all_positions(pairs);
  shuffle(order, generator);
  std::vector<Positions> batches;
  for (Positions& pool : cut(order, batches_per_pool * size)) {
    sort_by_length(pool, pairs);
    for (Positions& batch : cut(pool, size)) batches.push_back(std::move(batch));
  }
  shuffle(batches, generator);
  return batches;
}

std::vector<Positions> training_batches_of_words(const std::vector<EncodedPair>& pairs, std::size_t most_words,
                                                 autograd::Generator& generator, Where where) {
  const std::size_t most = checked_batch_size("training_batches_of_words", most_words, most_words, where);
  Positions order = all_positions(pairs);
  shuffle(order, generator);
  sort_by_length(order, pairs);
  std::vector<Positions> batches = cut_by_words(order, pairs, pairs.size(), most);
  shuffle(batches, generator);
  return batches;
}

std::vector<Positions> evaluation_batches(const std::vector<EncodedPair>& pairs, std::size_t size, Where where) {
  size = checked_batch_size("evaluation_batches", size, pairs.size(), where);
  Positions order = all_positions(pairs);
  sort_by_length(order, pairs);
  return cut_by_words(order, pairs, size, most_words_at_once(size));
}

Batch make_source_batch(const std::vector<EncodedPair>& pairs, const Positions& positions, Where where) {
  check_positions("make_source_batch", pairs, positions, where);
  Batch batch;
  std::vector<Ids> sources;
  for (const std::size_t position : positions) {
    check_has_words("make_source_batch", pairs[position].source, position, where);
    sources.push_back(pairs[position].source);
    batch.lengths.push_back(static_cast<std::int64_t>(sources.back().size()));
  }
  batch.src = padded(sources);
  batch.positions = positions;
  return batch;
}

Batch make_batch(const std::vector<EncodedPair>& pairs, const Positions& positions, Where where) {
  check_positions("make_batch", pairs, positions, where);
  Batch batch = make_source_batch(pairs, positions, where);
  std::vector<Ids> inputs;
  std::vector<Ids> outputs;
  for (const std::size_t position : positions) {
    check_has_words("make_batch", pairs[position].target, position, where);
    inputs.push_back(shifted(pairs[position].target));
    outputs.push_back(pairs[position].target);
  }
  batch.tgt_in = padded(inputs);
  batch.tgt_out = padded(outputs);
  batch.word_positions = positions_of_words(outputs, batch.tgt_out.size(1));
  batch.words = batch.tgt_out.flatten().index_select(0, batch.word_positions);
  batch.target_words = batch.words.numel();
  return batch;
}

}  // namespace nn
