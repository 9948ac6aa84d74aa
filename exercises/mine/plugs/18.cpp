// embeddings of words
#include "mine/plug.h"

extern "C" void plug_in(mine::Parts& parts) {
  parts.lookup = lookup;
  parts.lookup_backward = lookup_backward;
}
