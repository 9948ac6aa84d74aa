// reading from right to left
#include ANSWER

#include "mine/parts.h"

extern "C" void plug_in(mine::Parts& parts) {
  parts.reverse_tokens.plug_in(
      29, [](const Tensor& x, const mine::Lengths& lengths) { return reverse_tokens(x, lengths); });
}
