// Vocabulary: the words that a model knows, by number:
//
//   <pad> 0   <unk> 1   <bos> 2   <eos> 3   then the words seen at least min_frequency times, the most frequent first,
//   words of equal frequency by their code points
//
// Every other word is <unk>. The numbers of the first four are the defaults of the translators and of the search.
#pragma once

#include <autograd/tensor/where.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace nn {

using autograd::Where;

using Words = std::vector<std::string>;

class Vocabulary {
 public:
  static constexpr std::int64_t pad = 0;  // fills up the shorter sentences of a batch
  static constexpr std::int64_t unk = 1;  // stands for every word that is not known
  static constexpr std::int64_t bos = 2;  // before the first word
  static constexpr std::int64_t eos = 3;  // after the last one

  // Only the first four.
  Vocabulary();
  // The words of these sentences. Throws bad-argument unless min_frequency is at least 1.
  explicit Vocabulary(const std::vector<Words>& sentences, std::int64_t min_frequency = 1,
                      Where where = Where::current());

  std::int64_t size() const { return static_cast<std::int64_t>(words_.size()); }
  // Without the first four.
  std::int64_t num_known_words() const { return size() - (eos + 1); }
  bool contains(const std::string& word) const { return ids_.count(word) > 0; }

  std::int64_t id(const std::string& word) const;              // unk if it is not known
  std::vector<std::int64_t> ids(const Words& words) const;     // without eos
  std::vector<std::int64_t> encode(const Words& words) const;  // with eos at the end
  // Both throw token-out-of-range unless 0 <= id < size().
  const std::string& word(std::int64_t id, Where where = Where::current()) const;
  Words words(const std::vector<std::int64_t>& ids, Where where = Where::current()) const;

  bool operator==(const Vocabulary& other) const { return words_ == other.words_; }

  // JSON: {"words": ["<pad>", "<unk>", "<bos>", "<eos>", "a", ..]}, in the order of their numbers.
  // Throws bad-argument for a word that is not UTF-8.
  std::string to_json(Where where = Where::current()) const;
  // The way back. Throws bad-file, naming `origin` (a file), for any other text.
  static Vocabulary from_json(const std::string& text, const std::string& origin, Where where = Where::current());

 private:
  void add(const std::string& word);

  std::vector<std::string> words_;  // by number
  std::unordered_map<std::string, std::int64_t> ids_;
};

}  // namespace nn
