#include "examples/translate/vocabulary.h"

#include <autograd/tensor/error.h>
#include <fmt/core.h>
#include <nn/atomic_file.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "examples/translate/text_file.h"

namespace translate {
namespace {

using autograd::ErrorId;
using nlohmann::json;

constexpr const char* specials[] = {"<pad>", "<unk>", "<bos>", "<eos>"};

using WordCounts = std::unordered_map<std::string, std::int64_t>;
using Count = std::pair<std::string, std::int64_t>;

// In UTF-8 the order of bytes is that of code points.
bool goes_first(const Count& a, const Count& b) {
  return a.second != b.second ? a.second > b.second : a.first < b.first;
}

std::vector<Count> frequent_words(const WordCounts& counts, std::int64_t min_frequency, Where where) {
  if (min_frequency < 1) {
    autograd::fail(ErrorId::bad_argument, "Vocabulary", where,
                   fmt::format("min_frequency is {}: no word is seen so seldom", min_frequency),
                   "1 keeps all words, 2 those that are seen twice");
  }
  std::vector<Count> frequent;
  std::copy_if(counts.begin(), counts.end(), std::back_inserter(frequent),
               [min_frequency](const auto& count) { return count.second >= min_frequency; });
  std::sort(frequent.begin(), frequent.end(), goes_first);
  return frequent;
}

WordCounts count_words(const ParallelText& text, Words SentencePair::*side) {
  WordCounts counts;
  for (const SentencePair& pair : text.pairs) {
    for (const std::string& word : pair.*side) ++counts[word];
  }
  return counts;
}

[[noreturn]] void fail_parsing(const std::string& origin, const std::string& what, Where where) {
  autograd::fail(ErrorId::bad_file, "Vocabulary", where, fmt::format("{} is no vocabulary: {}", origin, what),
                 "it is a file {\"words\": [\"<pad>\", \"<unk>\", \"<bos>\", \"<eos>\", ..]}");
}

}  // namespace

Vocabulary::Vocabulary() {
  for (const char* word : specials) add(word);
}

// A word that is there already, such as a special one, keeps its number.
void Vocabulary::add(const std::string& word) {
  if (ids_.emplace(word, size()).second) words_.push_back(word);
}

Vocabulary Vocabulary::of_source(const ParallelText& text, std::int64_t min_frequency, Where where) {
  Vocabulary vocabulary;
  const WordCounts counts = count_words(text, &SentencePair::source);
  for (const auto& [word, count] : frequent_words(counts, min_frequency, where)) vocabulary.add(word);
  return vocabulary;
}

Vocabulary Vocabulary::of_target(const ParallelText& text, std::int64_t min_frequency, Where where) {
  Vocabulary vocabulary;
  const WordCounts counts = count_words(text, &SentencePair::target);
  for (const auto& [word, count] : frequent_words(counts, min_frequency, where)) vocabulary.add(word);
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

const std::string& Vocabulary::word(std::int64_t id, Where where) const {
  if (id < 0 || id >= size()) {
    autograd::fail(ErrorId::token_out_of_range, "Vocabulary", where,
                   fmt::format("word {} is asked for, of {} words", id, size()),
                   "check that the model was trained with this vocabulary");
  }
  return words_[static_cast<std::size_t>(id)];
}

Words Vocabulary::words(const std::vector<std::int64_t>& ids, Where where) const {
  Words list;
  for (const std::int64_t id : ids) list.push_back(word(id, where));
  return list;
}

// ---- files ---------------------------------------------------------------------------------------------------

std::string Vocabulary::to_json() const {
  return json{{"words", words_}}.dump();
}

Vocabulary Vocabulary::from_json(const std::string& text, const std::string& origin, Where where) {
  std::vector<std::string> words;
  try {
    words = json::parse(text).at("words").get<std::vector<std::string>>();
  } catch (const json::exception& error) {
    fail_parsing(origin, error.what(), where);
  }
  if (words.size() < std::size(specials) || !std::equal(std::begin(specials), std::end(specials), words.begin())) {
    fail_parsing(origin, "the first four words are not <pad> <unk> <bos> <eos>", where);
  }
  Vocabulary vocabulary;
  for (std::size_t i = std::size(specials); i < words.size(); ++i) {
    vocabulary.add(words[i]);
    if (vocabulary.words_.size() != i + 1) fail_parsing(origin, fmt::format("\"{}\" is in it twice", words[i]), where);
  }
  return vocabulary;
}

void Vocabulary::save(const std::string& path, Where where) const {
  const std::string text = to_json() + "\n";
  nn::AtomicFile file(path, where);
  file.write(text.data(), text.size());
  file.commit();
}

Vocabulary Vocabulary::load(const std::string& path, Where where) {
  return from_json(read_file(path, where), path, where);
}

}  // namespace translate
