// Wrong: bmm gets alpha [batch, source] as it is; it wants [batch, 1, source], so the shapes do not fit and it throws.
#include "given.h"

ByHand context_by_hand() {
  return {.c = {0.719, 0.719}, .d_alpha = {1.0, 2.0, 3.0}, .d_h3 = {0.438, 0.876}};
}

Tensor context_vector(const Tensor& alpha, const Source& source) {
  return bmm(alpha, source.states);
}

ContextGradients context_backward(const Tensor& dc, const Tensor& alpha, const Source& source) {
  ContextGradients gradients;
  gradients.d_alpha = bmm(source.states, dc.unsqueeze(2)).squeeze(2);
  gradients.d_states = alpha.unsqueeze(2) * dc.unsqueeze(1);
  return gradients;
}
