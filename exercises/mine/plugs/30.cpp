// a step of the decoder's GRU
#include "mine/plug.h"

extern "C" void plug_in(mine::Parts& parts) {
  parts.gru_step = gru_pytorch;
}
