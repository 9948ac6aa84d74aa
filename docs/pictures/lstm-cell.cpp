// Drawn with docs/10-gru-and-lstm.md
#include <docs/boxes.h>

const nn::LSTMCell cell({.input_size = 3, .hidden_size = 4});
const Tensor x = randn({2, 3});
const Tensor h = randn({2, 4});
const Tensor c = randn({2, 4});
const auto [next_h, next_c] = cell(x, {.hidden = h, .cell = c});
const std::string gate = docs::shape(linear(h, cell.weights.weight_hh).chunk(4, -1)[0]);
docs::Boxes picture("An LSTM cell", {.column = 118.0, .row = 78.0, .box = 76.0});
picture.box("c", {0, 0}, {"old c", docs::shape(c)});
picture.box("inputs", {0, 2.7}, {"x " + docs::shape(x), "h " + docs::shape(h)});
picture.box("f", {1.2, 1}, {"f", "forget gate", gate}, docs::op);
picture.box("i", {1.2, 2}, {"i", "input gate", gate}, docs::op);
picture.box("g", {1.2, 3}, {"g", "new content", gate}, docs::op);
picture.box("o", {1.2, 4}, {"o", "output gate", gate}, docs::op);
picture.box("new", {2.3, 2.5}, {"i ⊙ g"}, docs::op);
picture.box("c'", {3.1, 0}, {"new c", docs::shape(next_c)});
picture.box("h'", {3.1, 4}, {"new h", docs::shape(next_h)});
for (const char* part : {"f", "i", "g", "o"}) picture.arrow("inputs", part);
picture.arrow("c", "c'", "kept: times f");
picture.arrow("f", "c'");
for (const char* part : {"i", "g"}) picture.arrow(part, "new");
picture.arrow("new", "c'");
picture.arrow("o", "h'");
picture.arrow("c'", "h'", "tanh");
picture.write("pictures/lstm-cell.svg");
