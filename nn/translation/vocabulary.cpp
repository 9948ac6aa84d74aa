#include "nn/translation/vocabulary.h"

#include <autograd/tensor/error.h>
#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace nn {
namespace {

using autograd::ErrorId;
using nlohmann::json;

const std::vector<std::string> specials = {"<pad>", "<unk>", "<bos>", "<eos>"};

// In UTF-8 the order of bytes is that of code points.
Words most_frequent_first(const std::unordered_map<std::string, std::int64_t>& counts, std::int64_t min_frequency) {
  Words frequent;
  for (const auto& [word, count] : counts) {
    if (count >= min_frequency) frequent.push_back(word);
  }
  std::sort(frequent.begin(), frequent.end(), [&counts](const std::string& a, const std::string& b) {
    return counts.at(a) != counts.at(b) ? counts.at(a) > counts.at(b) : a < b;
  });
  return frequent;
}

}  // namespace

Vocabulary::Vocabulary() {
  for (const std::string& word : specials) add(word);
}

// A word that is there already, such as a special one, keeps its number.
void Vocabulary::add(const std::string& word) {
  if (ids_.emplace(word, size()).second) words_.push_back(word);
}

Vocabulary::Vocabulary(const std::vector<Words>& sentences, std::int64_t min_frequency, Where where) : Vocabulary() {
  if (min_frequency < 1) {
    autograd::fail(ErrorId::bad_argument, "Vocabulary", where,
                   fmt::format("min_frequency is {}: no word is seen so seldom", min_frequency),
                   "1 keeps all words, 2 those that are seen twice");
  }
  std::unordered_map<std::string, std::int64_t> counts;
  for (const Words& words : sentences) {
    for (const std::string& word : words) ++counts[word];
  }
  for (const std::string& word : most_frequent_first(counts, min_frequency)) add(word);
}

std::int64_t Vocabulary::id(const std::string& word) const {
  const auto found = ids_.find(word);
  return found == ids_.end() ? unk : found->second;
}

std::vector<std::int64_t> Vocabulary::ids(const Words& words) const {
  std::vector<std::int64_t> list;
  for (const std::string& word : words) list.push_back(id(word));
  return list;
}

std::vector<std::int64_t> Vocabulary::encode(const Words& words) const {
  std::vector<std::int64_t> list = ids(words);
  list.push_back(eos);
  return list;
}

const std::string& Vocabulary::word(std::int64_t id, Where where) const {
  if (id >= 0 && id < size()) return words_[static_cast<std::size_t>(id)];
  autograd::fail(ErrorId::token_out_of_range, "Vocabulary", where,
                 fmt::format("word {} is asked for, of {} words", id, size()),
                 "check that the model was trained with this vocabulary");
}

Words Vocabulary::words(const std::vector<std::int64_t>& ids, Where where) const {
  Words list;
  for (const std::int64_t id : ids) list.push_back(word(id, where));
  return list;
}

// ---- JSON ----------------------------------------------------------------------------------------------------

std::string Vocabulary::to_json(Where where) const {
  try {
    return json{{"words", words_}}.dump();
  } catch (const json::exception& error) {
    autograd::fail(ErrorId::bad_argument, "Vocabulary", where, fmt::format("a word is not UTF-8: {}", error.what()),
                   "convert the text to UTF-8 before it is cut into words");
  }
}

Vocabulary Vocabulary::from_json(const std::string& text, const std::string& origin, Where where) {
  const auto refuse = [&](const std::string& what) {
    autograd::fail(ErrorId::bad_file, "Vocabulary", where, fmt::format("{} is not a vocabulary: {}", origin, what),
                   R"(it is a file {"words": ["<pad>", "<unk>", "<bos>", "<eos>", ..]})");
  };
  Words words;
  try {
    words = json::parse(text).at("words").get<Words>();
  } catch (const json::exception& error) {
    refuse(error.what());
  }
  const bool has_specials =
      words.size() >= specials.size() && std::equal(specials.begin(), specials.end(), words.begin());
  if (!has_specials) refuse("the first four words are not <pad> <unk> <bos> <eos>");
  Vocabulary vocabulary;
  for (std::size_t i = specials.size(); i < words.size(); ++i) {
    vocabulary.add(words[i]);
    if (vocabulary.words_.size() != i + 1) refuse(fmt::format("\"{}\" is in it twice", words[i]));
  }
  return vocabulary;
}

}  // namespace nn
