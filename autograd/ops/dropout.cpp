// Dropout (Srivastava et al. 2014). Training scales what it keeps, so that evaluation needs no scaling.
#include "autograd/ops/all_ops.h"
#include "autograd/ops/op.h"

namespace autograd {

struct Dropout final : Node {
  static constexpr OpText text{"dropout", "y = x * keep, keep = 0 or 1 / (1 - p)", "dx = dy * keep"};
  Tensor keep;

  Tensor forward(const Inputs& x) const override { return x[0] * keep; }  // drops the same elements again
  Grads backward(const Tensor& dy) override { return {dy * keep}; }
};
Tensor dropout(const Tensor& x, double p, Flag training, Where where) {
  check_floating("dropout", x, where);
  if (!(p >= 0.0 && p <= 1.0)) {
    fail(ErrorId::bad_argument, "dropout", where, fmt::format("the probability to drop an element is {}", p),
         "use a p from 0 to 1; it is the share that is dropped, not the share that is kept");
  }
  if (!training || p == 0.0) return x;
  Tensor keep = zeros(x.shape(), x.dtype());
  if (p < 1.0) keep = bernoulli(1.0 - p, x.shape(), x.dtype()) / (1.0 - p);
  Tensor y = x.detach() * keep;
  if (auto* node = record<Dropout>(y, {&x}, where)) node->keep = keep;
  return y;
}

OpList dropout_ops() {
  return list_of<Dropout>();
}

}  // namespace autograd
