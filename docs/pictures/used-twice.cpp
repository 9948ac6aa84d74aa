// Drawn with docs/01-what-is-a-derivative-of-a-program.md
#include <docs/boxes.h>

const Tensor x = tensor(1.5, float64).requires_grad_();
const Tensor s = x * x;
const Tensor p = sin(s), q = exp(s);
const Tensor y = p * q;
for (const Tensor& middle : {s, p, q, y}) middle.retain_grad();
y.backward();
docs::Boxes picture("s is used twice", {.column = 170.0, .row = 110.0, .box = 120.0});
const auto box = [&](const char* name, docs::Boxes::Place place, const char* formula, const Tensor& tensor) {
  picture.box(name, place, {formula, fmt::format("{:.3f}, grad {:.3f}", tensor, tensor.grad())},
              tensor.is_leaf() ? docs::learnt : docs::value);
};
box("x", {0.5, 0}, "x", x);
box("s", {0.5, 1}, "s = x * x", s);
box("p", {0, 2}, "p = sin(s)", p);
box("q", {1, 2}, "q = exp(s)", q);
box("y", {0.5, 3}, "y = p * q", y);
const auto edge = [&](const char* from, const char* to, const std::string& sent) {
  picture.arrow(from, to);
  picture.arrow(to, from, sent, docs::gradient);
};
edge("x", "s", fmt::format("{0:.3f} + {0:.3f}", s.grad() * x));
edge("s", "p", fmt::format("{:.3f}", p.grad() * cos(s)));
edge("s", "q", fmt::format("{:.3f}", q.grad() * q));
edge("p", "y", fmt::format("{:.3f}", y.grad() * q));
edge("q", "y", fmt::format("{:.3f}", y.grad() * p));
picture.write("pictures/used-twice.svg");
