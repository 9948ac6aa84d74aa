// wrong: the while loop of the training never counts its step: it goes on for ever
#include "given.h"

void backward(const NodePtr& output) {
  const auto nodes = order(output);
  for (Node* node : nodes) {
    if (!node->is_leaf()) node->grad = 0.0;
  }
  output->grad += 1.0;
  for (Node* node : nodes) {
    if (node->is_leaf()) continue;
    const Gradients gradients = node->backward(node->grad);
    for (std::size_t i = 0; i < gradients.size(); ++i) node->inputs[i]->grad += gradients[i];
  }
}

void zero_grad(const std::vector<NodePtr>& parameters) {
  for (const auto& parameter : parameters) parameter->grad = 0.0;
}

std::vector<double> train(const std::vector<NodePtr>& parameters, const std::function<NodePtr()>& loss, int steps,
                          double learning_rate) {
  std::vector<double> losses;
  int step = 0;
  while (step < steps) {
    zero_grad(parameters);
    const NodePtr output = loss();
    losses.push_back(output->data);
    backward(output);
    for (const auto& parameter : parameters) parameter->data -= learning_rate * parameter->grad;
  }
  return losses;
}
