// What is given in exercise 07: the node of a graph of numbers.
#pragma once

#include <judge/given/numbers.h>

#include <map>
#include <set>

using given::numbers::Gradients;
using given::numbers::Node;
using given::numbers::NodePtr;

// Every node that `output` was computed from, and output itself: each once, and each after all nodes that use it.
std::vector<Node*> order(const NodePtr& output);
// d(output)/d(node) into the grad of every node of the graph. They are all 0 at the start.
void backward(const NodePtr& output);

struct Answer {
  decltype(&::order) order;
  decltype(&::backward) backward;
};
