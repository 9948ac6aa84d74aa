// gradients that are too long are shortened
#include ANSWER

#include "mine/parts.h"

extern "C" void plug_in(mine::Parts& parts) {
  parts.clip.plug_in(26, [](const mine::Tensors& parameters, double largest) { clip_grad_norm(parameters, largest); });
}
