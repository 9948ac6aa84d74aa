// The weights of attention as a picture: the heatmaps of autograd/pictures/heatmap.h, and one in a file.
#pragma once

#include <autograd/pictures/heatmap.h>

#include <string>
#include <vector>

namespace nn {

using autograd::heatmap_style_for;
using autograd::heatmap_svg;
using autograd::heatmap_text;
using autograd::HeatmapOptions;
using autograd::HeatmapStyle;

// heatmap_svg() in a file, written completely or not at all. Throws bad-file too.
void write_heatmap_svg(const std::string& path, const autograd::Tensor& matrix,
                       const std::vector<std::string>& row_labels, const std::vector<std::string>& column_labels,
                       const HeatmapOptions& options = {}, autograd::Where where = autograd::Where::current());

}  // namespace nn
