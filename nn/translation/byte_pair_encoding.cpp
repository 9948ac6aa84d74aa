#include "nn/translation/byte_pair_encoding.h"

#include <autograd/tensor/error.h>
#include <autograd/text/characters.h>
#include <fmt/core.h>

#include <optional>
#include <set>
#include <sstream>

namespace nn {
namespace {

using autograd::ErrorId;
using Pair = BytePairEncoding::Pair;

constexpr std::string_view word_end = "</w>";
constexpr std::string_view continuation = "@@";
constexpr std::string_view version = "#version: 0.2";

Words characters_of(std::string_view word) {
  Words pieces;
  while (!word.empty()) pieces.emplace_back(autograd::take_character(word).bytes);
  if (!pieces.empty()) pieces.back() += word_end;
  return pieces;
}

// Joins each occurrence of the pair, from the left.
Words joined(const Words& pieces, const Pair& pair) {
  Words result;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const bool is_pair = i + 1 < pieces.size() && pieces[i] == pair.first && pieces[i + 1] == pair.second;
    result.push_back(is_pair ? pieces[i] + pieces[i + 1] : pieces[i]);
    if (is_pair) ++i;
  }
  return result;
}

// ---- learning ------------------------------------------------------------------------------------------------

// How often each pair of neighbours is in the text. A merge changes only words that contain its pair: their old pairs
// are taken off, their new ones added.
class PairCounts {
 public:
  explicit PairCounts(const std::vector<Words>& sentences) {
    std::map<std::string, std::int64_t> counts;
    for (const Words& words : sentences) {
      for (const std::string& word : words) ++counts[word];
    }
    for (const auto& [word, count] : counts) {
      words_.push_back({characters_of(word), count});
      add_pairs(words_.size() - 1, count);
    }
  }

  // The pair that is there most often; nothing if none is there twice.
  std::optional<Pair> most_frequent() const {
    if (by_count_.empty() || by_count_.rbegin()->first < 2) return std::nullopt;
    return by_count_.rbegin()->second;
  }

  void merge(const Pair& pair) {
    const std::set<std::size_t> changed = words_with_.at(pair);  // a copy: the merge adds to the map
    for (const std::size_t word : changed) {
      add_pairs(word, -words_[word].count);
      words_[word].pieces = joined(words_[word].pieces, pair);
      add_pairs(word, words_[word].count);
    }
  }

 private:
  struct Word {
    Words pieces;
    std::int64_t count;  // in the text
  };

  void add_pairs(std::size_t word, std::int64_t count) {
    const Words& pieces = words_[word].pieces;
    for (std::size_t i = 1; i < pieces.size(); ++i) {
      const Pair pair{pieces[i - 1], pieces[i]};
      std::int64_t& sum = counts_[pair];
      by_count_.erase({sum, pair});
      sum += count;
      if (sum > 0) by_count_.insert({sum, pair});
      words_with_[pair].insert(word);
    }
  }

  std::vector<Word> words_;
  std::map<Pair, std::int64_t> counts_;
  std::set<std::pair<std::int64_t, Pair>> by_count_;
  std::map<Pair, std::set<std::size_t>> words_with_;  // or that had it before a merge
};

}  // namespace

BytePairEncoding BytePairEncoding::learn(const std::vector<Words>& sentences, std::int64_t merges, Where where) {
  if (merges < 0) {
    autograd::fail(ErrorId::bad_argument, "BytePairEncoding", where, fmt::format("{} merges are asked for", merges),
                   "0 leaves characters; 10000 are usual for two languages together");
  }
  BytePairEncoding encoding;
  PairCounts counts(sentences);
  while (std::ssize(encoding.merges_) < merges) {
    const std::optional<Pair> pair = counts.most_frequent();
    if (!pair) break;
    encoding.add(*pair);
    counts.merge(*pair);
  }
  return encoding;
}

void BytePairEncoding::add(Pair pair) {
  rank_.emplace(pair, merges_.size());
  merges_.push_back(std::move(pair));
}

// ---- encoding ------------------------------------------------------------------------------------------------

Words BytePairEncoding::pieces(const std::string& word) const {
  Words pieces = characters_of(word);
  while (true) {
    auto first = rank_.end();  // the earliest merge of all that could be done
    for (std::size_t i = 1; i < pieces.size(); ++i) {
      const auto found = rank_.find({pieces[i - 1], pieces[i]});
      const bool is_earlier = found != rank_.end() && (first == rank_.end() || found->second < first->second);
      if (is_earlier) first = found;
    }
    if (first == rank_.end()) break;
    pieces = joined(pieces, first->first);
  }
  for (std::string& piece : pieces) piece += continuation;
  if (!pieces.empty()) pieces.back().resize(pieces.back().size() - word_end.size() - continuation.size());
  return pieces;
}

Words BytePairEncoding::pieces(const Words& sentence) const {
  Words all;
  for (const std::string& word : sentence) {
    for (std::string& piece : pieces(word)) all.push_back(std::move(piece));
  }
  return all;
}

bool goes_on(std::string_view piece) {
  return piece.ends_with(continuation);
}

std::vector<std::int64_t> word_of_each_piece(const Words& pieces) {
  std::vector<std::int64_t> words;
  std::int64_t word = 0;
  for (const std::string& piece : pieces) {
    words.push_back(word);
    if (!goes_on(piece)) ++word;
  }
  return words;
}

Words words_of_pieces(const Words& pieces) {
  Words words;
  bool continues = false;
  for (const std::string& piece : pieces) {
    if (!continues) words.emplace_back();
    continues = goes_on(piece);
    words.back() += std::string_view(piece).substr(0, piece.size() - (continues ? continuation.size() : 0));
  }
  return words;
}

// ---- files ---------------------------------------------------------------------------------------------------

std::string BytePairEncoding::to_text() const {
  std::string text = fmt::format("{}\n", version);
  for (const auto& [first, second] : merges_) text += fmt::format("{} {}\n", first, second);
  return text;
}

BytePairEncoding BytePairEncoding::from_text(const std::string& text, const std::string& origin, Where where) {
  const auto refuse = [&](std::size_t line, const std::string& what) {
    autograd::fail(
        ErrorId::bad_file, "BytePairEncoding", where, fmt::format("{}, line {}: {}", origin, line, what),
        fmt::format("the first line is {}; every other one has a merge, two pieces with a space between", version));
  };
  BytePairEncoding encoding;
  std::istringstream lines(text);
  std::string line;
  if (!std::getline(lines, line) || line != version) refuse(1, "it is not a file of merges");
  for (std::size_t number = 2; std::getline(lines, line); ++number) {
    const std::size_t space = line.find(' ');
    Pair pair{line.substr(0, space), space == std::string::npos ? "" : line.substr(space + 1)};
    const bool is_pair = !pair.first.empty() && !pair.second.empty() && pair.second.find(' ') == std::string::npos;
    if (!is_pair) refuse(number, fmt::format("\"{}\" is not a merge", line));
    if (encoding.rank_.contains(pair)) refuse(number, fmt::format("\"{}\" is in it twice", line));
    encoding.add(std::move(pair));
  }
  return encoding;
}

}  // namespace nn
