// Drawn with docs/04-tensors-and-broadcasting.md
#include <docs/boxes.h>

const Tensor x = tensor({{1, 2, 3}, {4, 5, 6}}, float64);
docs::Boxes picture("Views of the same six numbers", {.column = 61.0, .row = 54.0, .box = 54.0});
double row = 0.0;
const auto draw = [&](const std::string& what, const Tensor& view) {
  std::vector<std::vector<std::string>> indices(6);  // of each place in memory
  const Shape shape = view.shape();
  for (std::int64_t i = 0; i < shape[0]; ++i) {
    for (std::int64_t j = 0; j < (shape.dim() == 2 ? shape[1] : 1); ++j) {
      const std::int64_t step = shape.dim() == 2 ? j * view.strides()[1] : 0;
      const std::int64_t place = view.impl()->offset() + i * view.strides()[0] + step;
      indices[static_cast<std::size_t>(place)].push_back(shape.dim() == 2 ? fmt::format("{}, {}", i, j)
                                                                          : fmt::format("{}", i));
    }
  }
  std::size_t most = 1;
  for (const auto& index : indices) most = std::max(most, index.size());
  picture.box(what, {2.5, row}, {fmt::format("{}: strides {}, offset {}", what, view.strides(), view.impl()->offset())},
              docs::note);
  for (std::size_t place = 0; place < 6; ++place) {
    std::vector<std::string> lines = {fmt::format("{}", x.flatten()[static_cast<std::int64_t>(place)].item())};
    for (const std::string& index : indices[place]) lines.push_back(index);
    lines.resize(most + 1);
    picture.box(fmt::format("{} {}", what, place), {1.0 * static_cast<double>(place), row + 0.55 + 0.2 * most}, lines,
                indices[place].empty() ? docs::note : docs::value);
  }
  row += 1.5 + 0.35 * static_cast<double>(most);
};
draw("x", x);
draw("x.t()", x.t());
draw("column 1", x.select(1, 1));
draw("row 1", x[1]);
draw("row 0 twice", x.narrow(0, 0, 1).expand({2, 3}));
picture.write("pictures/strides.svg");
