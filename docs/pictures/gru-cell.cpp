// Drawn with docs/10-gru-and-lstm.md
#include <docs/boxes.h>

const nn::GRUCell cell({.input_size = 3, .hidden_size = 4});
const Tensor x = randn({2, 3});
const Tensor h = randn({2, 4});
const std::string gate = docs::shape(linear(h, cell.weights.weight_hh).chunk(3, -1)[0]);
docs::Boxes picture("A GRU cell", {.column = 122.0, .row = 82.0, .box = 76.0});
picture.box("h", {0, 0}, {"old h", docs::shape(h)});
picture.box("inputs", {0, 3}, {"x " + docs::shape(x), "h " + docs::shape(h)});
picture.box("z", {1.2, 1}, {"z", "update gate", gate}, docs::op);
picture.box("r", {1.2, 2}, {"r", "reset gate", gate}, docs::op);
picture.box("q", {1.2, 4}, {"q", "from h", gate}, docs::op);
picture.box("n", {2.7, 3}, {"n", "candidate", gate}, docs::op);
picture.box("next", {2.7, 0}, {"new h", docs::shape(cell(x, h))});
picture.arrow("h", "next", "kept: times z");
for (const char* part : {"z", "r", "q"}) picture.arrow("inputs", part);
picture.arrow("inputs", "n", "from x");
picture.arrow("r", "n");
picture.arrow("q", "n", "times r");
picture.arrow("z", "next");
picture.arrow("n", "next", "1 − z");
picture.write("pictures/gru-cell.svg");
