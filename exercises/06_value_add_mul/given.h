// What is given in exercise 06: the node of a graph of numbers, and the walk back through it.
#pragma once

#include <course/learner.h>

#include <functional>
#include <limits>
#include <map>
#include <memory>

namespace given {

constexpr double not_set = std::numeric_limits<double>::quiet_NaN();

struct Node;
using NodePtr = std::shared_ptr<Node>;
using Gradients = std::vector<double>;  // one per input

// One number, and where it came from.
struct Node {
  double data = not_set;                         // the number
  double grad = not_set;                         // dL/d(data): the sum of what has arrived so far
  std::vector<NodePtr> inputs;                   // what it was computed from; none for a leaf
  std::function<Gradients(double dy)> backward;  // dL/d(each input), given dy = dL/d(data); none for a leaf
};

// The walk back from `output`, whose own gradient is dy: visits every node after all that used it, calls its backward,
// and adds the results to its inputs' grad. (Exercise 07 is about this function.)
inline void walk_back(const NodePtr& output, double dy) {
  std::map<Node*, int> uses_left;
  std::vector<Node*> found = {output.get()};
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const NodePtr& input : found[i]->inputs) {
      if (uses_left[input.get()]++ == 0) found.push_back(input.get());
    }
  }
  output->grad += dy;
  std::vector<Node*> ready = {output.get()};
  while (!ready.empty()) {
    Node* node = ready.back();
    ready.pop_back();
    if (node->inputs.empty()) continue;
    const Gradients gradients = node->backward(node->grad);
    if (gradients.size() != node->inputs.size()) {
      throw std::runtime_error("a node has " + std::to_string(node->inputs.size()) +
                               " inputs, and its backward gives " + std::to_string(gradients.size()) + " gradients");
    }
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      Node* input = node->inputs[i].get();
      input->grad += gradients[i];
      if (--uses_left[input] == 0) ready.push_back(input);
    }
  }
}

}  // namespace given

using given::Gradients;
using given::Node;
using given::NodePtr;

// A leaf: a number that nothing was computed from.
NodePtr value(double data);
// a + b and a * b, as nodes that know their derivatives.
NodePtr add(const NodePtr& a, const NodePtr& b);
NodePtr mul(const NodePtr& a, const NodePtr& b);

struct Answer {
  decltype(&::value) value;
  decltype(&::add) add;
  decltype(&::mul) mul;
};
