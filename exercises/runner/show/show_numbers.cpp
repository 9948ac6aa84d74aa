#include "runner/show/show_numbers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "autograd/text/layout.h"
#include "runner/report/verdict_sentences.h"

namespace learn {
namespace {

std::string number(double value, int digits) {
  if (std::isnan(value)) return "NaN";  // fmt would show its sign, which means nothing
  return fmt::format("{:.{}g}", value, digits);
}

// As many digits as it takes to see that they differ.
int digits_for(const Difference& difference) {
  int digits = 5;
  for (const auto& entry : difference.entries) {
    const double scale = std::max(std::abs(entry.yours), std::abs(entry.expected));
    const double distance = std::abs(entry.yours - entry.expected);
    if (!(distance > 0.0) || !std::isfinite(scale) || scale == 0.0) continue;
    digits = std::max(digits, static_cast<int>(std::ceil(std::log10(scale / distance))) + 2);
  }
  return std::min(digits, 15);
}

std::string index_text(const std::vector<std::int64_t>& index) {
  return index.empty() ? "" : fmt::format("[{}]", fmt::join(index, ", "));
}

// index, yours, expected, numeric, with as many digits as it takes to see the difference.
std::string show_entries(const Style& style, const Difference& difference, const std::string& indent) {
  if (difference.entries.empty()) return "";
  const int digits = digits_for(difference);
  const bool numeric = std::any_of(difference.entries.begin(), difference.entries.end(),
                                   [](const auto& entry) { return entry.numeric.has_value(); });
  std::vector<std::vector<std::string>> rows{{style.dim("at"), style.dim("yours"), style.dim("expected")}};
  if (numeric) rows[0].push_back(style.dim("numeric"));
  for (const auto& entry : difference.entries) {
    rows.push_back({index_text(entry.index), number(entry.yours, digits), number(entry.expected, digits)});
    if (numeric) rows.back().push_back(entry.numeric ? number(*entry.numeric, digits) : "");
  }
  return autograd::in_columns(rows, "<>", indent);
}

}  // namespace

Blocks show_right(const std::string& label, const std::vector<std::string>& names, bool all) {
  constexpr std::size_t most = 4;  // what is right is not news
  if (names.empty()) return {};
  const std::size_t shown = all ? names.size() : std::min(most, names.size());
  std::string text =
      fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), " · "));
  if (shown < names.size()) text += fmt::format(" and {} more", names.size() - shown);
  return {{Block::Kind::right, text, label}};
}

Blocks show_difference(const Style& style, const Difference& difference, bool with_clues) {
  Blocks blocks{{Block::Kind::different, summary_of(difference), difference.name}};
  blocks += lines_block(show_entries(style, difference, "      "));
  if (!with_clues) return blocks;
  for (const std::string& clue : clues_of(difference)) {
    blocks.push_back({.kind = Block::Kind::clue, .text = clue, .inside = true});
  }
  return blocks;
}

}  // namespace learn
