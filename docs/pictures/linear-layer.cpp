// Drawn with docs/05-linear-layer-and-sgd.md
#include <docs/boxes.h>

const Tensor x = randn({4, 2}, float64).requires_grad_();
const Tensor W = randn({3, 2}, float64).requires_grad_();
const Tensor b = randn({3}, float64).requires_grad_();
const Tensor y = linear(x, W, b);
const Tensor dy = randn({4, 3}, float64);
y.backward(dy);
docs::Boxes picture("A linear layer, forward and back", {.column = 156.0, .row = 104.0, .box = 92.0});
picture.box("linear", {1, 1}, {"linear", "x Wᵀ + b"}, docs::op);
picture.box("x", {0, 1}, {"x " + docs::shape(x), "dx " + docs::shape(x.grad())});
picture.box("W", {1, 0}, {"W " + docs::shape(W), "dW " + docs::shape(W.grad())}, docs::learnt);
picture.box("b", {1, 2}, {"b " + docs::shape(b), "db " + docs::shape(b.grad())}, docs::learnt);
picture.box("y", {2, 1}, {"y " + docs::shape(y), "dy " + docs::shape(dy)});
for (const char* input : {"x", "W", "b"}) picture.arrow(input, "linear");
picture.arrow("linear", "y");
picture.arrow("y", "linear", "dy", docs::gradient);
picture.arrow("linear", "x", "dy W", docs::gradient);
picture.arrow("linear", "W", "dyᵀ x", docs::gradient);
picture.arrow("linear", "b", "sum of dy over the rows", docs::gradient);
picture.write("pictures/linear-layer.svg");
