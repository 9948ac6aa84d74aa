// What is given in exercise 09: the node of a graph of numbers.
#pragma once

#include <judge/learner.h>

#include <memory>

namespace given {

struct Node;
using NodePtr = std::shared_ptr<Node>;
// dL/d(input) of a node with one input, given dy = dL/d(data).
using Backward = double (*)(const Node& node, double dy);

// One number, where it came from, and one number that it keeps for its backward.
struct Node {
  double data;
  NodePtr input;
  double saved;
  Backward backward;
};

inline NodePtr make_node(double data, const NodePtr& input, double saved, Backward backward) {
  return std::make_shared<Node>(Node{data, input, saved, backward});
}

}  // namespace given

using given::make_node;
using given::Node;
using given::NodePtr;

// Each makes a node whose input is x. Its backward is called later, maybe long after other numbers were written into
// `data` of x and of the node itself. Nothing else writes to `saved`.
NodePtr tanh_of(const NodePtr& x);
NodePtr sigmoid_of(const NodePtr& x);
NodePtr exp_of(const NodePtr& x);
NodePtr log_of(const NodePtr& x);
NodePtr relu_of(const NodePtr& x);

struct Answer {
  decltype(&::tanh_of) tanh_of;
  decltype(&::sigmoid_of) sigmoid_of;
  decltype(&::exp_of) exp_of;
  decltype(&::log_of) log_of;
  decltype(&::relu_of) relu_of;
};
