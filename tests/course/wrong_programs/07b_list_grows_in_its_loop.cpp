// wrong: a range-for over a vector that grows in the loop: its iterators dangle after the first reallocation
#include "given.h"

std::vector<Node*> order(const NodePtr& output) {
  std::map<Node*, int> waits;
  std::vector<Node*> all = {output.get()};
  for (Node* node : all) {
    for (const NodePtr& input : node->inputs) {
      if (++waits[input.get()] == 1) all.push_back(input.get());
    }
  }
  std::vector<Node*> nodes = {output.get()};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const NodePtr& input : nodes[i]->inputs) {
      if (--waits[input.get()] == 0) nodes.push_back(input.get());
    }
  }
  return nodes;
}

void backward(const NodePtr& output) {
  output->grad = 1.0;
  for (Node* node : order(output)) {
    if (node->inputs.empty()) continue;
    const Gradients gradients = node->backward(node->grad);
    for (std::size_t i = 0; i < gradients.size(); ++i) node->inputs[i]->grad += gradients[i];
  }
}
