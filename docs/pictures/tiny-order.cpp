// Drawn with docs/03-a-tiny-engine.md
#include <docs/boxes.h>

const Example e;
e.y->grad = 1.0;
visit(order(e.y));
docs::Boxes picture("Largest number first");
const auto box = [&](const char* name, docs::Boxes::Place place, const NodePtr& node, const char* formula) {
  picture.box(name, place,
              {fmt::format("{}: {}", node->number, formula), fmt::format("{}, grad {}", node->data, node->grad)});
};
box("x", {0.0, 0.0}, e.x, "x");
box("s", {0.0, 1.2}, e.s, "s = x x");
box("1", {1.2, 1.2}, e.p->inputs[1], "1");
box("p", {1.2, 2.4}, e.p, "p = s + 1");
box("y", {0.0, 3.6}, e.y, "y = s p");
const auto edge = [&](const char* from, const char* to, double sent) {
  picture.arrow(from, to);
  picture.arrow(to, from, fmt::format("{}", sent), docs::gradient);
};
const Gradients by_y = e.y->backward(e.y->grad), by_p = e.p->backward(e.p->grad), by_s = e.s->backward(e.s->grad);
edge("s", "y", by_y[0]);
edge("p", "y", by_y[1]);
edge("s", "p", by_p[0]);
edge("1", "p", by_p[1]);
edge("x", "s", by_s[0] + by_s[1]);
picture.write("pictures/tiny-order.svg");
