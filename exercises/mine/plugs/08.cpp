// tanh, sigmoid and log of numbers
#include <judge/given/sums_and_products.h>

#include "mine/plug.h"

namespace {

// The exercise has nodes of its own.
mine::NodePtr as_number(NodePtr (*function)(const NodePtr&), const mine::NodePtr& x) {
  const NodePtr node = function(make_node(x->data, nullptr, 0.0, nullptr));
  return given::numbers::make_node(node->data, {x},
                                   [node](double dy) { return given::numbers::Gradients{node->backward(*node, dy)}; });
}

}  // namespace

extern "C" void plug_in(mine::Parts& parts) {
  parts.tanh = [](const mine::NodePtr& x) { return as_number(tanh_of, x); };
  parts.sigmoid = [](const mine::NodePtr& x) { return as_number(sigmoid_of, x); };
  parts.log = [](const mine::NodePtr& x) { return as_number(log_of, x); };
}
