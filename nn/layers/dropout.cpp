#include "nn/layers/dropout.h"

#include "nn/layers/checks.h"

namespace nn {

Dropout::Dropout(const DropoutOptions& given, Where where) : options(given) {
  check_range("Dropout", "p", options.p, 0.0, 1.0, where);
}

Tensor Dropout::operator()(const Tensor& x, Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  return autograd::dropout(x, options.p, training());
}

}  // namespace nn
