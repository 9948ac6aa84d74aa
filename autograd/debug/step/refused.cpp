#include "autograd/debug/step/refused.h"

#include <fmt/format.h>

#include <algorithm>

#include "autograd/text/printable.h"
#include "autograd/text/words.h"

namespace autograd::debug {

std::string near_text(std::string_view word, const std::vector<std::string>& names) {
  const std::vector<std::string> nearest = nearest_words(word, names, 3);
  return nearest.empty() ? "" : fmt::format(" (near: {})", fmt::join(nearest, ", "));
}

std::string take_word(std::string& text) {
  text = trim(text);
  const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  const std::string word = text.substr(0, end);
  text = trim(std::string_view(text).substr(end));
  return word;
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  return number_in<std::int64_t>(text);
}

std::optional<double> real_number(std::string_view text) {
  return number_in<double>(text.substr(text.starts_with('+') ? 1 : 0));
}

std::int64_t parse_count(std::string_view text, std::int64_t least, std::int64_t most, const std::string& what) {
  const std::optional<std::int64_t> number = whole_number(trim(text));
  if (number && *number >= least && *number <= most) return *number;
  throw Refused(fmt::format("'{}' is not a {}", printable(text), what),
                fmt::format("a whole number from {} to {}", least, most));
}

}  // namespace autograd::debug
