// What is given in exercise 07: the node of a graph of numbers.
#pragma once

#include <course/learner.h>

#include <functional>
#include <map>
#include <memory>
#include <set>

namespace given {

struct Node;
using NodePtr = std::shared_ptr<Node>;
using Gradients = std::vector<double>;  // one per input

// One number, and where it came from.
struct Node {
  double data = 0.0;
  double grad = 0.0;                             // dL/d(data): the sum of what has arrived so far
  std::vector<NodePtr> inputs;                   // what it was computed from; none for a leaf
  std::function<Gradients(double dy)> backward;  // dL/d(each input), given dy = dL/d(data); none for a leaf
};

}  // namespace given

using given::Gradients;
using given::Node;
using given::NodePtr;

// Every node that `output` was computed from, and output itself: each once, and each after all nodes that use it.
std::vector<Node*> order(const NodePtr& output);
// d(output)/d(node) into the grad of every node of the graph. They are all 0 at the start.
void backward(const NodePtr& output);

struct Answer {
  decltype(&::order) order;
  decltype(&::backward) backward;
};
