// reading from right to left
#include "mine/plug.h"

extern "C" void plug_in(mine::Parts& parts) {
  parts.reverse_tokens = reverse_tokens;
}
