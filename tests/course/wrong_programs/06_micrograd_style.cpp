// wrong: as in micrograd, backward itself adds to the inputs' grad (walk_back adds a second time), and it keeps its own
// node: a cycle, a leak
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
  out->backward = [a, b, out](double dy) {
    a->grad += out->grad;
    b->grad += out->grad;
    return Gradients{dy, dy};
  };
  return out;
}

NodePtr mul(const NodePtr& a, const NodePtr& b) {
  auto out = value(a->data * b->data);
  out->inputs = {a, b};
  out->backward = [a, b, out](double dy) {
    a->grad += b->data * out->grad;
    b->grad += a->data * out->grad;
    return Gradients{dy * b->data, dy * a->data};
  };
  return out;
}
