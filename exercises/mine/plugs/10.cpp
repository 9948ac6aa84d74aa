// 100 000 numbers in a row, put in order and freed
#include ANSWER

#include "mine/parts.h"

extern "C" void plug_in(mine::Parts& parts) {
  parts.tanh_chain.plug_in(10, [](int length, double x) {
    given::Meter::dismantle = dismantle;
    const NodePtr input = make_node(x, {});
    NodePtr output = input;
    for (int i = 0; i < length; ++i) output = tanh_of(output);
    output->grad = 1.0;
    const std::vector<Node*> nodes = order(output);
    for (Node* const node : nodes) {
      if (node->inputs().empty()) continue;
      const Gradients gradients = node->backward(node->grad);
      for (std::size_t i = 0; i < gradients.size(); ++i) node->inputs()[i]->grad += gradients[i];
    }
    return mine::Chain{nodes.size(), input->grad};
  });
}
