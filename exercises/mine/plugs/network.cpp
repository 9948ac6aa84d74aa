// The answers of 06 to 10: numbers, and a network of them.
#include "mine/plug.h"

#ifdef PLUG_06  // sums and products of numbers
extern "C" void plug_in(mine::Parts& parts) {
  parts.value = value;
  parts.add = add;
  parts.multiply = mul;
}
#endif

#ifdef PLUG_07  // the walk back through all numbers
extern "C" void plug_in(mine::Parts& parts) {
  parts.walk_back = backward;
}
#endif

#ifdef PLUG_08  // the training of the small network
extern "C" void plug_in(mine::Parts& parts) {
  parts.train = train;
}
#endif

#ifdef PLUG_09  // tanh, sigmoid and log of numbers
#include <judge/given/sums_and_products.h>

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
#endif

#ifdef PLUG_10  // 100 000 numbers in a row, put in order and freed
extern "C" void plug_in(mine::Parts& parts) {
  parts.tanh_chain = [](int length, double x) {
    given::Meter::dismantle = dismantle;
    const NodePtr input = make_node(x, {});
    NodePtr output = input;
    for (int i = 0; i < length; ++i) output = tanh_of(output);
    output->grad = 1.0;
    const std::vector<Node*> nodes = order(output);
    for (Node* const node : nodes) {
      if (!node->inputs().empty()) node->inputs()[0]->grad += node->backward(node->grad)[0];
    }
    return mine::Chain{nodes.size(), input->grad};
  };
}
#endif
