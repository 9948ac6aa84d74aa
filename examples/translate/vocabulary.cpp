#include "examples/translate/vocabulary.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "examples/translate/messages.h"

namespace translate {
namespace {

using nlohmann::json;

const std::vector<std::string> specials = {"<pad>", "<unk>", "<bos>", "<eos>"};

// Those seen at least min_frequency times, in the order of their numbers.
Words frequent_words(const ParallelText& text, Words SentencePair::*side, std::int64_t min_frequency) {
  if (min_frequency < 1) {
    refuse_option(fmt::format("min_frequency is {}: no word is seen so seldom", min_frequency),
                  "1 keeps all words, 2 those that are seen twice");
  }
  std::unordered_map<std::string, std::int64_t> counts;
  for (const SentencePair& pair : text.pairs) {
    for (const std::string& word : pair.*side) ++counts[word];
  }
  Words frequent;
  for (const auto& [word, count] : counts) {
    if (count >= min_frequency) frequent.push_back(word);
  }
  // In UTF-8 the order of bytes is that of code points.
  std::sort(frequent.begin(), frequent.end(), [&counts](const std::string& a, const std::string& b) {
    return counts[a] != counts[b] ? counts[a] > counts[b] : a < b;
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

Vocabulary Vocabulary::of_source(const ParallelText& text, std::int64_t min_frequency) {
  Vocabulary vocabulary;
  for (const std::string& word : frequent_words(text, &SentencePair::source, min_frequency)) vocabulary.add(word);
  return vocabulary;
}

Vocabulary Vocabulary::of_target(const ParallelText& text, std::int64_t min_frequency) {
  Vocabulary vocabulary;
  for (const std::string& word : frequent_words(text, &SentencePair::target, min_frequency)) vocabulary.add(word);
  return vocabulary;
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

const std::string& Vocabulary::word(std::int64_t id) const {
  if (id >= 0 && id < size()) return words_[static_cast<std::size_t>(id)];
  autograd::fail(autograd::ErrorId::token_out_of_range, "Vocabulary", Where::current(),
                 fmt::format("word {} is asked for, of {} words", id, size()),
                 "check that the model was trained with this vocabulary");
}

Words Vocabulary::words(const std::vector<std::int64_t>& ids) const {
  Words list;
  for (const std::int64_t id : ids) list.push_back(word(id));
  return list;
}

// ---- JSON ----------------------------------------------------------------------------------------------------

std::string Vocabulary::to_json() const {
  return json{{"words", words_}}.dump();
}

Vocabulary Vocabulary::from_json(const std::string& text, const std::string& origin) {
  const auto refuse = [&origin](const std::string& what) {
    refuse_files(fmt::format("{} is no vocabulary: {}", origin, what),
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

}  // namespace translate
