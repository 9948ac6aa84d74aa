// derivatives of products and differences
#include "mine/plug.h"

extern "C" void plug_in(mine::Parts& parts) {
  parts.multiply_backward = mine::in_order(mul_backward);
  parts.subtract_backward = mine::in_order(sub_backward);
}
