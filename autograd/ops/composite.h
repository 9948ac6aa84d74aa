// What a composite starts from.
#pragma once

#include "autograd/ops/op.h"

namespace autograd {

// An operator's node belongs to the line of its right operand. In a composite that is the user's: x * at(y).
class At {
 public:
  explicit At(Where where) : where_(where) {}
  Operand operator()(const Tensor& x) const { return Operand(x, where_); }
  Operand operator()(double number) const { return Operand(number, where_); }

 private:
  Where where_;
};

}  // namespace autograd
