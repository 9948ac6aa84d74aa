// tanh, sigmoid and log of numbers
#include ANSWER

#include "mine/parts.h"

namespace {

mine::Computed computed(NodePtr (*function)(const NodePtr&), double x) {
  const NodePtr node = function(make_node(x, nullptr, 0.0, nullptr));
  return {node->data, [node](double dy) { return std::vector<double>{node->backward(*node, dy)}; }};
}

}  // namespace

extern "C" void plug_in(mine::Parts& parts) {
  parts.tanh.plug_in(8, [](double x) { return computed(tanh_of, x); });
  parts.sigmoid.plug_in(8, [](double x) { return computed(sigmoid_of, x); });
  parts.log.plug_in(8, [](double x) { return computed(log_of, x); });
}
