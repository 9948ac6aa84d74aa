// What exercises 06 and 08 are given: in which order to walk back through a graph of numbers, which exercise 07 is
// about.
#pragma once

#include <judge/given/numbers.h>

#include <map>
#include <stdexcept>
#include <string>

namespace given::numbers {

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

// The walk back from `output`, whose own gradient is dy: calls the backward of every node, after all that used it, and
// adds the results to its inputs' grad.
inline void walk_back(const NodePtr& output, double dy) {
  output->grad += dy;
  for (Node* const node : order(output)) {
    if (node->is_leaf()) continue;
    const Gradients gradients = node->backward(node->grad);
    if (gradients.size() != node->inputs.size()) {
      throw std::runtime_error("a node has " + std::to_string(node->inputs.size()) +
                               " inputs, and its backward gives " + std::to_string(gradients.size()) + " gradients");
    }
    for (std::size_t i = 0; i < gradients.size(); ++i) node->inputs[i]->grad += gradients[i];
  }
}

}  // namespace given::numbers
