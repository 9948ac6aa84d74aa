// the weights of all positions
#include "mine/plug.h"

extern "C" void plug_in(mine::Parts& parts) {
  parts.attention_weights = attention_weights;
}
