// Drawn with docs/19-the-engine.md
#include <autograd/tape/node.h>
#include <docs/boxes.h>

const Tensor x = randn({2, 3}).requires_grad_();
const Tensor y = tanh(x);
const Node* node = y.grad_fn();
docs::Boxes picture("What y = tanh(x) does", {.column = 210.0, .row = 76.0, .box = 150.0});
picture.box("line", {0.5, 0}, {"y = tanh(x)"}, docs::note);
picture.box("tanh", {0.5, 0.8}, {"tanh", "ops/elementwise.cpp"}, docs::op);
picture.box("compute", {0, 2}, {"compute", "checks, makes y"}, docs::op);
picture.box("kernel", {0, 3}, {"kernels::tanh", "loop over numbers"}, docs::op);
picture.box("y", {0, 4.15}, {"y", docs::shape(y)});
picture.box("record", {1, 2}, {"record<Tanh>", "is a gradient wanted?"}, docs::op);
picture.box("tape", {1, 3}, {"put_on_tape", "inputs, number, line"}, docs::op);
picture.box("node", {1, 4.15}, {fmt::format("node {}: {}", node->number, node->name()), "saved: y"});
picture.box("leaf", {1, 5.2}, {fmt::format("node {}: {}", node->inputs[0]->number, node->inputs[0]->name()), "of x"});
picture.arrow("line", "tanh");
picture.arrow("tanh", "compute", "first");
picture.arrow("tanh", "record", "then");
picture.arrow("compute", "kernel");
picture.arrow("kernel", "y");
picture.arrow("record", "tape");
picture.arrow("tape", "node");
picture.arrow("y", "node", "grad_fn");
picture.arrow("node", "leaf", "inputs");
picture.write("pictures/engine-forward.svg");
