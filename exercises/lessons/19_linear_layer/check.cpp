#include <judge/check.h>

#include "given.h"

const Axes judge::axes = {{"batch", 4}, {"in", 3}, {"out", 2}};

void check(const Answer& answer, Check& check) {
  const Tensor x = check.randn("x", {"batch", "in"});
  const Tensor weight = check.randn("weight", {"out", "in"});
  const Tensor bias = check.randn("bias", {"out"});
  const Tensor dy = check.randn("dy", {"batch", "out"});
  const auto loss = [=] { return (dy * linear(x, weight, bias)).sum(); };

  const LinearGradients gradients = answer.linear_backward(dy, x, weight);
  check.gradient("dx", gradients.dx, x, loss);
  check.gradient("dw", gradients.dw, weight, loss);
  check.gradient("db", gradients.db, bias, loss);
}
