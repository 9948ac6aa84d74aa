#include "autograd/debug/step/refused.h"

#include <algorithm>
#include <utility>

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

std::vector<std::string> near(std::string_view word, const std::vector<std::string>& names) {
  std::vector<std::pair<std::size_t, std::string>> found;
  if (word.empty() || word.size() > longest_compared) return {};
  for (const std::string& name : names) {
    if (name.size() > longest_compared) continue;
    const bool contains = word.size() > 1 && name.find(word) != std::string::npos;
    const std::size_t apart = contains ? 1 : distance(word, name);
    if (apart <= 1 + word.size() / 4) found.emplace_back(apart, name);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  if (found.size() > 3) found.resize(3);
  std::vector<std::string> result;
  for (const auto& [apart, name] : found) result.push_back(name);
  return result;
}

std::string near_text(std::string_view word, const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : near(word, names)) text += (text.empty() ? " (near: " : ", ") + name;
  return text.empty() ? "" : text + ")";
}

}  // namespace autograd::debug
