// Drawn with docs/04-tensors-and-broadcasting.md
#include <docs/boxes.h>

const Tensor column = tensor({10, 20, 30}).unsqueeze(1).requires_grad_();
const Tensor row = tensor({1, 2, 3, 4}).requires_grad_();
const Tensor dy = tensor({{1, 0, 0, 0}, {0, 5, 0, 0}, {0, 5, 0, 7}});
(column + row).backward(dy);
docs::Boxes picture("Sum over what was repeated", {.column = 88.0, .row = 62.0, .box = 72.0});
const auto sum_of = [](const Tensor& parts) {  // "0 + 5 + 7"
  std::string text;
  for (int k = 0; k < parts.numel(); ++k) text += fmt::format("{}{}", k ? "+" : "", parts.at({k}));
  return text;
};
for (int j = 0; j < 4; ++j)
  picture.box(fmt::format("row {}", j), {1.15 + j, -0.1},
              {fmt::format("{}", row.grad().at({j})), sum_of(dy.select(1, j))}, docs::learnt);
for (int i = 0; i < 3; ++i) {
  const std::string left = fmt::format("column {}", i);
  picture.box(left, {0, 1.0 + i}, {fmt::format("{}", column.grad().at({i, 0})), sum_of(dy[i])}, docs::learnt);
  for (int j = 0; j < 4; ++j) {
    const std::string cell = fmt::format("dy {} {}", i, j);
    picture.box(cell, {1.15 + j, 1.0 + i}, {fmt::format("{}", dy.at({i, j}))});
    if (j == 0) picture.arrow(cell, left, "", docs::gradient);
    if (i == 0) picture.arrow(cell, fmt::format("row {}", j), "", docs::gradient);
  }
}
picture.write("pictures/unbroadcast.svg");
