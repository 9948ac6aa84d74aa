// the score of each position
#include ANSWER

#include "mine/parts.h"

extern "C" void plug_in(mine::Parts& parts) {
  parts.score.plug_in(32, [](const Tensor& s, const Tensor& keys, const Tensor& W, const Tensor& v) {
    const Tensor b = zeros_like(v);  // it is in the keys already
    return additive_score(s, keys, {W, Tensor(), b, v});
  });
}
