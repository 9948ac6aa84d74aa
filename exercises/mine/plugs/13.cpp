// derivatives where shapes broadcast
#include "mine/plug.h"

extern "C" void plug_in(mine::Parts& parts) {
  parts.unbroadcast = unbroadcast;
  parts.product_backward = mine::in_order(product_backward);
}
