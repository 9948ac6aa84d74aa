// What is given in exercise 08: the node of a graph of numbers, sums and products, and the order of the walk back.
#pragma once

#include <judge/given/sums_and_products.h>
#include <judge/given/walk_back.h>

using given::numbers::Gradients;
using given::numbers::Node;
using given::numbers::NodePtr;
using given::numbers::order;

// Adds d(output)/d(leaf) to the grad of every leaf of the graph. The other nodes' grad is set to what this walk finds,
// whatever was there before.
void backward(const NodePtr& output);
// Every parameter's grad is 0 again.
void zero_grad(const std::vector<NodePtr>& parameters);
// Gradient descent. `loss` computes the loss again from the parameters and returns its node. Returns the loss of every
// step, before the parameters were changed in it.
std::vector<double> train(const std::vector<NodePtr>& parameters, const std::function<NodePtr()>& loss, int steps,
                          double learning_rate);

struct Answer {
  decltype(&::backward) backward;
  decltype(&::zero_grad) zero_grad;
  decltype(&::train) train;
};
