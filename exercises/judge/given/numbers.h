// What exercises 06, 07 and 08 are given: the node of a graph of numbers.
#pragma once

#include <judge/learner.h>

#include <functional>
#include <limits>
#include <memory>

namespace given::numbers {

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

  bool is_leaf() const { return inputs.empty(); }
};

}  // namespace given::numbers
