// sums and products of numbers
#include ANSWER

#include "mine/parts.h"

namespace {

mine::Computed computed(const NodePtr& node) {
  return {node->data, [node](double dy) { return node->backward(dy); }};
}

}  // namespace

extern "C" void plug_in(mine::Parts& parts) {
  parts.add.plug_in(6, [](double a, double b) { return computed(add(value(a), value(b))); });
  parts.multiply.plug_in(6, [](double a, double b) { return computed(mul(value(a), value(b))); });
}
