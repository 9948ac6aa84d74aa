// HeatmapCells: the checked data of a heatmap (heatmap.h), for text and for SVG. Private to
// pictures/.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "autograd/pictures/heatmap.h"

namespace autograd {

// The matrix and its labels, checked and ready to draw.
struct HeatmapCells {
  std::vector<std::vector<double>> rows;
  std::vector<std::string> row_labels;     // printable
  std::vector<std::string> column_labels;  // printable

  // Throws what heatmap.h says; `asked` is the function that the user called.
  HeatmapCells(std::string_view asked, const Tensor& matrix, const std::vector<std::string>& row_names,
               const std::vector<std::string>& column_names, const HeatmapOptions& options, Where where);
};

}  // namespace autograd
