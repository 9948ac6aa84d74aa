// The local Jacobian of an op, row by row: its backward with a unit gradient for each element of the output.
#include <fmt/core.h>

#include <algorithm>

#include "autograd/debug/step/answers.h"
#include "autograd/debug/step/replay.h"
#include "autograd/tensor/format.h"

namespace autograd::debug {
namespace {

constexpr std::int64_t most_rows = 16;

// Of an op that works on each number by itself, a Jacobian says no more than its formula.
bool is_diagonal(const std::vector<std::vector<double>>& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows[i].size(); ++j) {
      if (i != j && rows[i][j] != 0.0) return false;
    }
  }
  return rows.size() == rows[0].size();
}

}  // namespace

std::string jacobian_text(const Call& call, const Settings& settings) {
  const Shape& shape = call.output.shape();
  if (shape.numel() == 0 || shape.numel() > most_rows) return "";
  std::vector<Grads> slopes;
  for (std::int64_t row = 0; row < shape.numel(); ++row) {
    slopes.push_back(pull_back(call, unit(shape, call.output.dtype(), index_of(row, shape))));
  }
  std::string text;
  for (std::size_t i = 0; i < slopes[0].size(); ++i) {
    const bool flows = i < call.from.size() && call.from[i] && slopes[0][i].defined();
    if (!flows || call.inputs[i].numel() * 11 + 16 > settings.width) continue;
    std::vector<std::vector<double>> rows;
    for (const Grads& row : slopes) rows.push_back(row[i].to_vector());
    if (is_diagonal(rows)) continue;
    text += fmt::format("  dy/dx{}: y {} by x{} {}\n", i, shape, i, call.inputs[i].shape());
    for (std::size_t row = 0; row < rows.size(); ++row) {
      text += fmt::format("    y{:<10}", index_text(index_of(row, shape)));
      for (const double slope : rows[row]) text += fmt::format(" {:>10}", rough(slope));
      text += "\n";
    }
  }
  return text;
}

}  // namespace autograd::debug
