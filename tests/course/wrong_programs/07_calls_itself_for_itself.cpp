// wrong: the recursive visit goes into the node itself, not into its inputs: infinite recursion
#include "given.h"

static void visit(const NodePtr& node, std::set<Node*>& done, std::vector<Node*>& nodes) {
  if (done.count(node.get())) return;
  for (const NodePtr& input : node->inputs) visit(node, done, nodes);
  done.insert(node.get());
  nodes.push_back(node.get());
}

std::vector<Node*> order(const NodePtr& output) {
  std::set<Node*> done;
  std::vector<Node*> nodes;
  visit(output, done, nodes);
  std::reverse(nodes.begin(), nodes.end());
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
