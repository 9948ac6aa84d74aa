#include "autograd/text/words.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <locale>
#include <set>
#include <sstream>
#include <utility>

namespace autograd {
namespace {

constexpr const char* blanks = " \t\r\n";
constexpr std::size_t longest_compared = 64;

// How many letters must be left out, added, exchanged or swapped with their neighbours (Damerau 1964).
std::size_t typing_errors(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> least(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        least[i][j] = i + j;
        continue;
      }
      least[i][j] = std::min({least[i - 1][j] + 1, least[i][j - 1] + 1, least[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) least[i][j] = std::min(least[i][j], least[i - 2][j - 2] + 1);
    }
  }
  return least[a.size()][b.size()];
}

// False if there is no number at the beginning, or none of this type; `rest` is what comes after it.
template <class Number> bool read_number(std::string_view text, Number& number, std::size_t& rest) {
  const char* const end = text.data() + text.size();
  if constexpr (requires { std::from_chars(end, end, number); }) {
    const auto [stopped, problem] = std::from_chars(text.data(), end, number);
    rest = static_cast<std::size_t>(end - stopped);
    return problem == std::errc();
  } else {  // libc++ has it for double since version 20 only
    std::istringstream stream{std::string(text)};
    stream.imbue(std::locale::classic());
    stream >> std::noskipws >> number;
    rest = static_cast<std::size_t>(stream.rdbuf()->in_avail());
    return !stream.fail() && !text.starts_with('+');
  }
}

}  // namespace

std::string trim(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(blanks), text.size());
  return trim_end(text.substr(begin));
}

std::string trim_end(std::string_view text) {
  return std::string(text.substr(0, text.find_last_not_of(blanks) + 1));
}

template <class Number> std::optional<Number> number_in(std::string_view text) {
  Number number{};
  std::size_t rest = 0;
  return read_number(text, number, rest) && rest == 0 ? std::optional(number) : std::nullopt;
}
template std::optional<std::int64_t> number_in(std::string_view text);
template std::optional<std::uint64_t> number_in(std::string_view text);
template std::optional<double> number_in(std::string_view text);

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> nearest_words(std::string_view word, const std::vector<std::string>& words, std::size_t most) {
  std::set<std::pair<std::size_t, std::string>> found;
  if (word.empty() || word.size() > longest_compared) return {};
  for (const std::string& each : words) {
    if (each.size() > longest_compared) continue;
    const bool is_part = word.size() > 1 && each.find(word) != std::string::npos;
    const std::size_t errors = is_part ? 1 : typing_errors(word, each);
    if (errors <= 1 + word.size() / 4) found.emplace(errors, each);
  }
  std::vector<std::string> nearest;
  for (const auto& [errors, each] : found) {
    if (nearest.size() < most) nearest.push_back(each);
  }
  return nearest;
}

}  // namespace autograd
