// The word that somebody may have meant.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace learn {

// Letters to insert, leave out or exchange, or to swap with their neighbours, on the way from one to the other.
inline std::size_t typing_errors(const std::string& a, const std::string& b) {
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

// "" where none is near.
inline std::string nearest_word(const std::string& word, const std::vector<std::string>& words) {
  std::string nearest;
  std::size_t fewest = std::min<std::size_t>(3, word.size() / 2 + 1);
  for (const std::string& each : words) {
    const std::size_t errors = typing_errors(word, each);
    if (errors < fewest) nearest = each;
    fewest = std::min(fewest, errors);
  }
  return nearest;
}

}  // namespace learn
