// gradients that are too long are shortened
#include "mine/plug.h"

extern "C" void plug_in(mine::Parts& parts) {
  parts.clip = clip_grad_norm;
}
