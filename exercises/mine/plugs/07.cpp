// the walk back through all numbers
#include "mine/plug.h"

extern "C" void plug_in(mine::Parts& parts) {
  parts.walk_back = backward;
}
