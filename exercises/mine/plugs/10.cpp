// 100 000 numbers in a row, put in order and freed
#include "mine/plug.h"

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
