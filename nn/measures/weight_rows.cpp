#include "nn/measures/weight_rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "nn/layers/checks.h"

namespace nn {

std::vector<std::vector<double>> weight_rows(std::string_view asked, const Tensor& weights, Where where) {
  check_shape(asked, "the weights", weights, {-1, -1}, "[target, source]", where);
  const std::vector<double> values = weights.to_vector();
  const auto columns = static_cast<std::size_t>(weights.size(1));
  std::vector<std::vector<double>> rows(static_cast<std::size_t>(weights.size(0)));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      const double value = values[row * columns + column];
      if (!std::isfinite(value) || value < 0.0) {
        autograd::fail(ErrorId::bad_argument, asked, where, fmt::format("weight [{}, {}] is {}", row, column, value),
                       "give the weights that attention returned, not its scores");
      }
      rows[row].push_back(value);
    }
  }
  return rows;
}

std::int64_t strongest(const std::vector<double>& row) {
  const auto largest = std::max_element(row.begin(), row.end());
  if (largest == row.end() || *largest == 0.0) return -1;
  return largest - row.begin();
}

}  // namespace nn
