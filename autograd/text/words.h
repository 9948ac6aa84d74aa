// Words and lines: taken apart, counted, and the word that somebody may have meant.
#pragma once

#include <fmt/core.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace autograd {

// Without blanks, tabs and ends of lines at both ends, or at the end.
std::string trim(std::string_view text);
std::string trim_end(std::string_view text);

std::vector<std::string> lines_in(const std::string& text);

// The number that is the whole of `text`, or nothing. For int64_t, uint64_t and double.
template <class Number> std::optional<Number> number_in(std::string_view text);

// "1 pass", "2 passes" with "es" as `plural`.
template <class Number> std::string counted(Number count, std::string_view thing, std::string_view plural = "s") {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : plural);
}

// Those most like `word`, at most `most`, the nearest first: few letters are left out, added, exchanged or swapped, or
// `word` is a part.
std::vector<std::string> nearest_words(std::string_view word, const std::vector<std::string>& words, std::size_t most);

}  // namespace autograd
