// Drawn with docs/19-the-engine.md
#include <autograd/tape/node.h>
#include <docs/boxes.h>

const Tensor x = randn({2, 3}).requires_grad_();
const Tensor y = tanh(x);
const Node* node = y.grad_fn();
docs::Boxes picture("One turn of the loop", {.column = 210.0, .row = 84.0, .box = 150.0});
picture.box("line", {0, -0.85}, {"y.backward(dy)"}, docs::note);
picture.box("next", {0, 0}, {"Pass::next", "largest number first"}, docs::op);
picture.box("run", {0, 1}, {"run_node", fmt::format("node {}: {}", node->number, node->name())}, docs::op);
picture.box("formula", {0, 2.2}, {"Tanh::backward", "dy * (1 - y * y)"}, docs::op);
picture.box("pass_on", {1, 2.2}, {"pass_on", "are the shapes right?"}, docs::op);
picture.box("accumulate", {1, 1}, {"accumulate", "+= dx"}, docs::op);
const Node& input = *node->inputs[0];
picture.box("input", {1, 0}, {fmt::format("node {}: {}", input.number, input.name()), "waits in the queue"});
picture.arrow("line", "next");
picture.arrow("next", "run");
picture.arrow("run", "formula", "dy " + docs::shape(y), docs::gradient);
picture.arrow("formula", "pass_on", "dx", docs::gradient);
picture.arrow("pass_on", "accumulate", "dx " + docs::shape(x), docs::gradient);
picture.arrow("accumulate", "input", "", docs::gradient);
picture.arrow("input", "next");
picture.write("pictures/engine-backward.svg");
