// Dropout: in training, zeroes each element with probability p and scales the others by 1 / (1 - p), so that the
// mean stays the same; in use, does nothing (Srivastava et al. 2014; the scaling in training is today's usage,
// "inverted" dropout).
#pragma once

#include "nn/layers/module.h"

namespace nn {

struct DropoutOptions {
  double p = 0.5;
};

class Dropout : public Module {
 public:
  // Throws bad-argument for p outside [0, 1].
  explicit Dropout(const DropoutOptions& options = {}, Where where = Where::current());

  // x of any shape -> the same shape.
  Tensor operator()(const Tensor& x, Where where = Where::current()) const;

  const DropoutOptions options;
};

}  // namespace nn
