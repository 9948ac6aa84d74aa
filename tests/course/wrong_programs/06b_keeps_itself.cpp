// wrong: backward keeps its own node, as in micrograd: a cycle of shared_ptr, a leak (the numbers are right)
#include "given.h"

NodePtr value(double data) {
  auto node = std::make_shared<Node>();
  node->data = data;
  node->grad = 0;
  return node;
}

NodePtr add(const NodePtr& a, const NodePtr& b) {
  auto out = value(a->data + b->data);
  out->inputs = {a, b};
  out->backward = [](double dy) { return Gradients{dy, dy}; };
  return out;
}

NodePtr mul(const NodePtr& a, const NodePtr& b) {
  auto out = value(a->data * b->data);
  out->inputs = {a, b};
  out->backward = [out](double dy) { return Gradients{dy * out->inputs[1]->data, dy * out->inputs[0]->data}; };
  return out;
}
