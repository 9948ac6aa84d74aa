// Drawn with docs/ten-minutes.md
#include <docs/boxes.h>

const Tensor x = tensor(1.5, float64).requires_grad_();
const Tensor s = x * x, p = sin(s), y = 3.0 * p;
for (const Tensor& middle : {s, p, y}) middle.retain_grad();
y.backward();
docs::Boxes picture("3 sin(x^2): values forwards, gradients backwards", {.column = 190.0, .box = 104.0});
const auto box = [&](const char* name, double column, const char* formula, const Tensor& tensor) {
  picture.box(name, {column, 0}, {formula, fmt::format("{:.3f}", tensor), fmt::format("grad {:.3f}", tensor.grad())},
              tensor.is_leaf() ? docs::learnt : docs::value);
};
box("x", 0, "x", x);
box("s", 1, "s = x * x", s);
box("p", 2, "p = sin(s)", p);
box("y", 3, "y = 3 p", y);
const auto edge = [&](const char* from, const char* to, const std::string& factor) {
  picture.arrow(from, to);
  picture.arrow(to, from, factor, docs::gradient);
};
edge("x", "s", fmt::format("times {:.0f}", 2.0 * x));
edge("s", "p", fmt::format("times {:.3f}", cos(s)));
edge("p", "y", "times 3");
picture.write("pictures/ten-minutes-chain.svg");
