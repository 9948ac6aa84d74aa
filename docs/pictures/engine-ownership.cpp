// Drawn with docs/19-the-engine.md
#include <autograd/tape/node.h>
#include <docs/boxes.h>

const Tensor x = randn({2, 3}).requires_grad_();
const Tensor y = tanh(x);
const Node* node = y.grad_fn();
const auto* leaf = static_cast<const Leaf*>(node->inputs[0].get());
docs::Boxes picture("Who holds whom", {.column = 150.0, .row = 88.0, .box = 92.0});
picture.box("your y", {0, 0}, {"your variable y"}, docs::note);
picture.box("your x", {2, 0}, {"your variable x"}, docs::note);
picture.box("y", {0, 1}, {"TensorImpl", "y " + docs::shape(y)});
picture.box("node", {1, 1}, {fmt::format("Node {}", node->number), node->name()}, docs::op);
picture.box("leaf", {1, 2.4}, {fmt::format("Node {}", leaf->number), leaf->name()}, docs::op);
picture.box("numbers of y", {0, 2.4}, {"Storage", fmt::format("{} numbers", y.numel())});
picture.box("x", {2, 1}, {"TensorImpl", "x " + docs::shape(leaf->tensor)}, docs::learnt);
picture.box("numbers of x", {2, 2.4}, {"Storage", fmt::format("{} numbers", x.numel())}, docs::learnt);
picture.arrow("your y", "y");
picture.arrow("your x", "x");
picture.arrow("y", "node", "grad_fn");
picture.arrow("y", "numbers of y");
picture.arrow("node", "numbers of y", "saved");
picture.arrow("node", "leaf", "inputs");
picture.arrow("leaf", "x");
picture.arrow("x", "numbers of x");
picture.write("pictures/engine-ownership.svg");
