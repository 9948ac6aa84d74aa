// Drawn with docs/ten-minutes.md
#include <docs/boxes.h>

const Tensor x = tensor(1.5, float64).requires_grad_();
const Tensor a = x * x, b = sin(a), y = 3.0 * b;
for (const Tensor& middle : {a, b, y}) middle.retain_grad();
y.backward();
docs::Boxes picture("3 sin(x^2): values forwards, gradients backwards", {.column = 190.0, .box = 104.0});
const auto box = [&](const char* name, double column, const char* formula, const Tensor& tensor) {
  picture.box(name, {column, 0}, {formula, fmt::format("{:.3f}", tensor), fmt::format("grad {:.3f}", tensor.grad())},
              tensor.is_leaf() ? docs::learnt : docs::value);
};
box("x", 0, "x", x);
box("a", 1, "a = x * x", a);
box("b", 2, "b = sin(a)", b);
box("y", 3, "y = 3 b", y);
const auto edge = [&](const char* from, const char* to, const std::string& factor) {
  picture.arrow(from, to);
  picture.arrow(to, from, factor, docs::gradient);
};
edge("x", "a", fmt::format("times {:.0f}", 2.0 * x));
edge("a", "b", fmt::format("times {:.3f}", cos(a)));
edge("b", "y", "times 3");
picture.write("pictures/ten-minutes-chain.svg");
