// Drawn with docs/16-variants.md
#include <nn/attention/heatmap.h>

const std::int64_t S = 12;
const Tensor position = arange(S, float64);
std::vector<Tensor> rows;
std::vector<std::string> centres, labels;
for (const double p : {0.5, 3.2, 5.0, 8.7, 11.0}) {
  const Tensor gauss = exp(-1.0 * (position - p).pow(2.0) / (2.0 * 2.25));
  const Tensor window = (position - p).abs() <= 3.0;
  rows.push_back(masked_softmax((0.3 * randn({S}, float64) + gauss.log()).unsqueeze(0), window.unsqueeze(0))[0]);
  centres.push_back(fmt::format("p = {:.1f}", p));
}
for (int i = 0; i < S; ++i) labels.push_back(fmt::format("{}", i));
nn::write_heatmap_svg("pictures/local-attention.svg", stack(rows), centres, labels,
                      {.title = "A window that moves", .row_axis = "step", .column_axis = "position", .full = 0.5});
