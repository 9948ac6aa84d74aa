#include "runner/explain/phrasebook.h"

namespace learn {

Phrasebook::Phrasebook(std::span<const Phrase> phrases) : phrases_(phrases) {
  for (const Phrase& phrase : phrases) patterns_.emplace_back(phrase.pattern);
}

std::optional<Problem> Phrasebook::explain(const std::string& message, const Place& place) const {
  for (std::size_t i = 0; i < phrases_.size(); ++i) {
    std::smatch match;
    if (!std::regex_match(message, match, patterns_[i])) continue;
    return Problem{match.format(phrases_[i].sentence), match.format(phrases_[i].advice), place};
  }
  return std::nullopt;
}

}  // namespace learn
