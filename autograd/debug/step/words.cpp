// Splits commands into words and numbers.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "autograd/debug/step/expression.h"
#include "autograd/debug/step/refused.h"
#include "autograd/tensor/characters.h"

namespace autograd::debug {

std::string trim(std::string_view text) {
  const char* spaces = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(spaces);
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(spaces) - begin + 1));
}

std::string trim_end(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  return std::string(text.substr(0, last == std::string_view::npos ? 0 : last + 1));
}

std::string take_word(std::string& text) {
  text = trim(text);
  const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  const std::string word = text.substr(0, end);
  text = trim(std::string_view(text).substr(end));
  return word;
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size()) return {};
  return number;
}

std::optional<double> real_number(std::string_view text) {
  if (!text.empty() && text[0] == '+') text.remove_prefix(1);
  double number = 0.0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size()) return {};
  return number;
}

std::int64_t parse_count(std::string_view text, std::int64_t least, std::int64_t most, const std::string& what) {
  const std::optional<std::int64_t> number = whole_number(trim(text));
  if (number && *number >= least && *number <= most) return *number;
  throw Refused(fmt::format("'{}' is no {}", printable(text), what),
                fmt::format("a whole number from {} to {}", least, most));
}

}  // namespace autograd::debug
