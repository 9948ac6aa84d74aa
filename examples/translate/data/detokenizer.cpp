#include "examples/translate/data/detokenizer.h"

#include <algorithm>

namespace translate {
namespace {

bool is_any_of(const std::string& word, const Words& marks) {
  return std::ranges::find(marks, word) != marks.end();
}

bool is_number(const std::string& word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
}

bool is_initial(const std::string& word) {
  return word.size() == 1 && word[0] >= 'a' && word[0] <= 'z';
}

struct Place {
  std::string before;  // empty at the start of a sentence
  std::string word;
  std::string after;  // empty at the end
  bool in_quotation;  // a " has opened
};

// 1,000, 3.5, 11:27, u.s. and q&a
bool joins_parts(const Place& place) {
  const bool in_number = is_number(place.before) && is_number(place.after) && is_any_of(place.word, {".", ",", ":"});
  const bool in_initials = is_initial(place.before) && is_initial(place.after) && is_any_of(place.word, {".", "&"});
  return in_number || in_initials;
}

bool touches_previous(const Place& place) {
  if (place.word == "\"") return place.in_quotation;
  return joins_parts(place) ||
         is_any_of(place.word, {".", ",", ";", ":", "!", "?", ")", "%", "“", "”", "»", "…", "'", "’", "-", "/", "@"});
}

bool touches_next(const Place& place) {
  if (place.word == "\"") return !place.in_quotation;
  if (place.word == "-") return !is_any_of(place.after, {"und", "oder", "bzw"});  // ein- und ausgang
  const bool is_plural = place.before.size() > 1 && place.before.ends_with('s');
  if (place.word == "'" && is_plural) return place.after == "s";  // the boys' bikes, but james's
  return joins_parts(place) || is_any_of(place.word, {"(", "„", "«", "#", "$", "'", "’", "/", "@"});
}

}  // namespace

std::string detokenize(const Words& words) {
  std::string line;
  bool touches = true;  // the word before
  bool in_quotation = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Place place = {i > 0 ? words[i - 1] : "", words[i], i + 1 < words.size() ? words[i + 1] : "", in_quotation};
    if (!touches && !touches_previous(place)) line += ' ';
    line += words[i];
    touches = touches_next(place);
    if (words[i] == "\"") in_quotation = !in_quotation;
  }
  return line;
}

}  // namespace translate
