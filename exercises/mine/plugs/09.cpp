// the training of the small network
#include "mine/plug.h"

extern "C" void plug_in(mine::Parts& parts) {
  parts.train = train;
}
