#include "runner/explain/phrasebook.h"

#include <regex>

#include "runner/text/lines.h"

namespace learn {

std::optional<Problem> find_phrase(std::span<const Phrase> phrases, const std::string& text, const Place& place) {
  const std::vector<std::string> lines = short_lines_in(text);
  for (const Phrase& phrase : phrases) {
    const std::regex pattern(phrase.pattern);
    for (const std::string& line : lines) {
      std::smatch match;
      if (!std::regex_search(line, match, pattern)) continue;
      return Problem{match.format(phrase.sentence), match.format(phrase.advice), place};
    }
  }
  return std::nullopt;
}

}  // namespace learn
