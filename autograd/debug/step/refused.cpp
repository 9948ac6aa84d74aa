#include "autograd/debug/step/refused.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "autograd/text/printable.h"

namespace autograd::debug {
namespace {

constexpr std::size_t longest_compared = 64;

// How many letters must be changed, added or removed (Levenshtein).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string near_text(std::string_view word, const std::vector<std::string>& names) {
  std::set<std::pair<std::size_t, std::string>> found;
  if (word.empty() || word.size() > longest_compared) return "";
  for (const std::string& name : names) {
    if (name.size() > longest_compared) continue;
    const bool contains = word.size() > 1 && name.find(word) != std::string::npos;
    const std::size_t apart = contains ? 1 : distance(word, name);
    if (apart <= 1 + word.size() / 4) found.emplace(apart, name);
  }
  std::string text;
  int left = 3;
  for (const auto& [apart, name] : found) {
    if (left-- > 0) text += (text.empty() ? " (near: " : ", ") + name;
  }
  return text.empty() ? "" : text + ")";
}

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

namespace {

template <class T> std::optional<T> parsed(std::string_view text) {
  T number{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  return problem == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> whole_number(std::string_view text) {
  return parsed<std::int64_t>(text);
}

std::optional<double> real_number(std::string_view text) {
  return parsed<double>(text.substr(text.starts_with('+') ? 1 : 0));
}

std::int64_t parse_count(std::string_view text, std::int64_t least, std::int64_t most, const std::string& what) {
  const std::optional<std::int64_t> number = whole_number(trim(text));
  if (number && *number >= least && *number <= most) return *number;
  throw Refused(fmt::format("'{}' is no {}", printable(text), what),
                fmt::format("a whole number from {} to {}", least, most));
}

}  // namespace autograd::debug
