// Phrasebook: what a compiler or a sanitizer says, and what it means.
#pragma once

#include <optional>
#include <regex>
#include <span>
#include <string>
#include <vector>

#include "runner/report/report.h"

namespace learn {

// In sentence and advice $1 and so on stand for what is in the pattern's parentheses.
struct Phrase {
  const char* pattern;
  const char* sentence;
  const char* advice;
};

class Phrasebook {
 public:
  explicit Phrasebook(std::span<const Phrase> phrases);

  // In the words of the first phrase whose pattern is all of the message.
  std::optional<Problem> explain(const std::string& message, const Place& place) const;
  // In the words of the first phrase whose pattern stands somewhere in a line of the text.
  std::optional<Problem> find(const std::string& text, const Place& place) const;

 private:
  static Problem in_words(const Phrase& phrase, const std::smatch& match, const Place& place);

  std::span<const Phrase> phrases_;
  std::vector<std::regex> patterns_;
};

}  // namespace learn
