// Phrases: what a compiler, a sanitizer or a library says, and what it means to a learner.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "runner/report/report.h"

namespace learn {

// In sentence and advice $1 and so on stand for what is in the pattern's parentheses, $& for all that it matches.
struct Phrase {
  const char* pattern;
  const char* sentence;
  const char* advice;
};

// In the words of the first phrase whose pattern stands somewhere in a line of the text.
std::optional<Problem> find_phrase(std::span<const Phrase> phrases, const std::string& text, const Place& place);

}  // namespace learn
