// Drawn with docs/04-tensors-and-broadcasting.md
#include <docs/boxes.h>

const Tensor column = tensor({10, 20, 30}).unsqueeze(1);  // [3, 1]
const Tensor row = tensor({1, 2, 3, 4});                  //    [4]
const Tensor y = column + row;
docs::Boxes picture(fmt::format("{} + {} = {}", column.shape(), row.shape(), y.shape()),
                    {.column = 76.0, .row = 62.0, .box = 62.0});
for (int j = 0; j < 4; ++j)
  picture.box(fmt::format("row {}", j), {1.1 + j, -0.1}, {fmt::format("{}", row.at({j}))}, docs::learnt);
for (int i = 0; i < 3; ++i) {
  const std::string left = fmt::format("column {}", i);
  picture.box(left, {0, 1.0 + i}, {fmt::format("{}", column.at({i, 0}))}, docs::learnt);
  for (int j = 0; j < 4; ++j) {
    const std::string sum = fmt::format("{} + {}", column.at({i, 0}), row.at({j}));
    picture.box(sum, {1.1 + j, 1.0 + i}, {fmt::format("{}", y.at({i, j})), sum});
    if (j == 0) picture.arrow(left, sum);
    if (i == 0) picture.arrow(fmt::format("row {}", j), sum);
  }
}
picture.write("pictures/broadcasting.svg");
