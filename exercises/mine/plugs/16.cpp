// derivatives of transposing and flipping
#include "mine/plug.h"

extern "C" void plug_in(mine::Parts& parts) {
  parts.transpose_backward = transpose_backward;
  parts.flip_backward = flip_backward;
}
