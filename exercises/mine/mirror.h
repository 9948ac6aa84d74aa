// The graph of numbers in the nodes of an exercise, which has its own type for them: so that the exercise's walk goes
// over it.
#pragma once

#include <map>
#include <memory>

#include "mine/parts.h"

namespace mine {

template <class Node> class Mirror {
 public:
  using NodePtr = std::shared_ptr<Node>;

  // Takes the place of what would be made for this number.
  void set(const NumberPtr& number, const NodePtr& node) { nodes_[number.get()] = node; }

  NodePtr of(const NumberPtr& number) {
    NodePtr& node = nodes_[number.get()];
    if (node) return node;
    node = std::make_shared<Node>();
    node->data = number->data;
    node->backward = number->backward;
    const NodePtr made = node;  // what follows may move the entry
    for (const NumberPtr& input : number->inputs) made->inputs.push_back(of(input));
    return made;
  }

  void bring_gradients_back() const {
    for (const auto& [number, node] : nodes_) number->grad = node->grad;
  }

 private:
  std::map<Number*, NodePtr> nodes_;
};

}  // namespace mine
