// the walk back through all numbers
#include ANSWER

#include "mine/mirror.h"

extern "C" void plug_in(mine::Parts& parts) {
  parts.walk_back.plug_in(7, [](const mine::NumberPtr& output) {
    mine::Mirror<Node> mirror;
    backward(mirror.of(output));
    mirror.bring_gradients_back();
  });
}
