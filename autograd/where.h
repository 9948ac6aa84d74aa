// Where: a place in the user's source, taken by the default argument of every op.
//
//   Tensor tanh(const Tensor& x, Where where = Where::current());
//
// Operators cannot have default arguments; they take their operands as Operand (tensor.h), whose
// constructor captures the place. std::source_location would do, but clang 14 cannot use it with
// libstdc++ 12.
#pragma once

namespace autograd {

struct Where {
  const char* file = "";
  int line = 0;

  static constexpr Where current(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return Where{file, line};
  }
};

}  // namespace autograd
