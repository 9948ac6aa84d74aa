// What exercise 08 is given: numbers, sums and products as nodes, which exercise 06 is about.
#pragma once

#include <judge/given/numbers.h>

#include <utility>

namespace given::numbers {

inline NodePtr make_node(double data, std::vector<NodePtr> inputs, std::function<Gradients(double dy)> backward) {
  const NodePtr node = std::make_shared<Node>();
  node->data = data;
  node->grad = 0.0;
  node->inputs = std::move(inputs);
  node->backward = std::move(backward);
  return node;
}
inline NodePtr leaf(double data) {
  return make_node(data, {}, nullptr);
}
inline NodePtr add(const NodePtr& a, const NodePtr& b) {
  return make_node(a->data + b->data, {a, b}, [](double dy) { return Gradients{dy, dy}; });
}
inline NodePtr mul(const NodePtr& a, const NodePtr& b) {
  const double x = a->data;
  const double y = b->data;
  return make_node(x * y, {a, b}, [x, y](double dy) { return Gradients{dy * y, dy * x}; });
}

}  // namespace given::numbers
