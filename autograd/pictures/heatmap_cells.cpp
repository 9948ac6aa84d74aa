#include "autograd/pictures/heatmap_cells.h"

#include <fmt/core.h>

#include <cmath>

#include "autograd/tensor/error.h"
#include "autograd/tensor/format.h"
#include "autograd/text/printable.h"

namespace autograd {
namespace {

void check_label_count(std::string_view asked, std::string_view axis, std::size_t labels, std::int64_t size,
                       const Tensor& matrix, Where where) {
  if (labels == static_cast<std::size_t>(size)) return;
  fail(ErrorId::shape_mismatch, asked, where,
       fmt::format("{} {} labels for the {} {}s of {}", labels, axis, size, axis, matrix.shape()),
       fmt::format("give one label per {}; rows are target positions, columns source positions", axis));
}

void check_element(std::string_view asked, double value, std::size_t row, std::size_t column, Where where) {
  if (std::isfinite(value) && value >= 0.0) return;
  fail(ErrorId::bad_argument, asked, where, fmt::format("element [{}, {}] is {}", row, column, value),
       "heatmaps show values from 0 up, such as attention weights");
}

std::vector<std::string> all_printable(const std::vector<std::string>& labels) {
  std::vector<std::string> clean;
  for (const std::string& label : labels) clean.push_back(printable(label));
  return clean;
}

}  // namespace

HeatmapCells::HeatmapCells(std::string_view asked, const Tensor& matrix, const std::vector<std::string>& row_names,
                           const std::vector<std::string>& column_names, const HeatmapOptions& options, Where where)
    : row_labels(all_printable(row_names)), column_labels(all_printable(column_names)) {
  if (matrix.dim() != 2) {
    fail(ErrorId::shape_mismatch, asked, where, fmt::format("the matrix is {}, not [targets, sources]", matrix.shape()),
         "give a matrix");
  }
  check_label_count(asked, "row", row_labels.size(), matrix.size(0), matrix, where);
  check_label_count(asked, "column", column_labels.size(), matrix.size(1), matrix, where);
  if (!(options.full > 0.0) || !std::isfinite(options.full)) {
    fail(ErrorId::bad_argument, asked, where, fmt::format("full is {}", options.full),
         "give the value that the strongest colour stands for, 1 for weights");
  }
  const std::vector<double> values = matrix.to_vector();
  const std::size_t columns = column_labels.size();
  for (std::size_t row = 0; row < row_labels.size(); ++row) {
    rows.emplace_back();
    for (std::size_t column = 0; column < columns; ++column) {
      const double value = values[row * columns + column];
      check_element(asked, value, row, column, where);
      rows.back().push_back(value);
    }
  }
}

}  // namespace autograd
