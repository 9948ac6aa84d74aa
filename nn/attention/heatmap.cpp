#include "nn/attention/heatmap.h"

#include "nn/saving/atomic_file.h"

namespace nn {

void write_heatmap_svg(const std::string& path, const autograd::Tensor& matrix,
                       const std::vector<std::string>& row_labels, const std::vector<std::string>& column_labels,
                       const HeatmapOptions& options, autograd::Where where) {
  write_file(path, heatmap_svg(matrix, row_labels, column_labels, options, where), where);
}

}  // namespace nn
