// derivatives of matrix products
#include "mine/plug.h"

extern "C" void plug_in(mine::Parts& parts) {
  parts.matmul_backward = mine::in_order(matmul_backward);
  parts.batched_matmul_backward = mine::in_order(batched_matmul_backward);
}
