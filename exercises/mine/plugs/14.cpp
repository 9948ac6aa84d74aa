// derivatives of sums and means
#include "mine/plug.h"

extern "C" void plug_in(mine::Parts& parts) {
  parts.sum_backward = sum_backward;
  parts.mean_backward = mean_backward;
}
