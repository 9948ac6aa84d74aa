#include "runner/explain/phrasebook.h"

#include "runner/text/lines.h"

namespace learn {

Phrasebook::Phrasebook(std::span<const Phrase> phrases) : phrases_(phrases) {
  for (const Phrase& phrase : phrases) patterns_.emplace_back(phrase.pattern);
}

std::optional<Problem> Phrasebook::explain(const std::string& message, const Place& place) const {
  for (std::size_t i = 0; i < phrases_.size(); ++i) {
    std::smatch match;
    if (std::regex_match(message, match, patterns_[i])) return in_words(phrases_[i], match, place);
  }
  return std::nullopt;
}

std::optional<Problem> Phrasebook::find(const std::string& text, const Place& place) const {
  const std::vector<std::string> lines = short_lines_in(text);
  for (std::size_t i = 0; i < patterns_.size(); ++i) {
    for (const std::string& line : lines) {
      std::smatch match;
      if (std::regex_search(line, match, patterns_[i])) return in_words(phrases_[i], match, place);
    }
  }
  return std::nullopt;
}

Problem Phrasebook::in_words(const Phrase& phrase, const std::smatch& match, const Place& place) {
  return {match.format(phrase.sentence), match.format(phrase.advice), place};
}

}  // namespace learn
