// What is given in exercise 09: the node of a graph of numbers, sums and products, and the order of the walk back.
#pragma once

#include <course/learner.h>

#include <functional>
#include <map>
#include <memory>

namespace given {

struct Node;
using NodePtr = std::shared_ptr<Node>;
using Gradients = std::vector<double>;  // one per input

// One number, and where it came from.
struct Node {
  double data = 0.0;
  double grad = 0.0;
  std::vector<NodePtr> inputs;                   // what it was computed from; none for a leaf
  std::function<Gradients(double dy)> backward;  // dL/d(each input), given dy = dL/d(data); none for a leaf

  bool is_leaf() const { return inputs.empty(); }
};

inline NodePtr make_node(double data, std::vector<NodePtr> inputs, std::function<Gradients(double dy)> backward) {
  const NodePtr node = std::make_shared<Node>();
  node->data = data;
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

// Every node that `output` was computed from, and output itself: each once, and each after all nodes that use it.
inline std::vector<Node*> order(const NodePtr& output) {
  std::map<Node*, int> uses;
  std::vector<Node*> found = {output.get()};
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const NodePtr& input : found[i]->inputs) {
      if (uses[input.get()]++ == 0) found.push_back(input.get());
    }
  }
  std::vector<Node*> nodes;
  std::vector<Node*> ready = {output.get()};
  while (!ready.empty()) {
    Node* node = ready.back();
    ready.pop_back();
    nodes.push_back(node);
    for (const NodePtr& input : node->inputs) {
      if (--uses[input.get()] == 0) ready.push_back(input.get());
    }
  }
  return nodes;
}

}  // namespace given

using given::Gradients;
using given::Node;
using given::NodePtr;
using given::order;

// Adds d(output)/d(leaf) to the grad of every leaf of the graph. The other nodes' grad is set to what this walk finds,
// whatever was there before.
void backward(const NodePtr& output);
// Every parameter's grad is 0 again.
void zero_grad(const std::vector<NodePtr>& parameters);
// Gradient descent. `loss` computes the loss anew from the parameters and returns its node. Returns the loss of every
// step, before the parameters were changed in it.
std::vector<double> train(const std::vector<NodePtr>& parameters, const std::function<NodePtr()>& loss, int steps,
                          double learning_rate);

struct Answer {
  decltype(&::backward) backward;
  decltype(&::zero_grad) zero_grad;
  decltype(&::train) train;
};
