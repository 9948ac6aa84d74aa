// Where: a place in the user's source, taken by the default argument of every op.
//
//   Tensor tanh(const Tensor& x, Where where = Where::current());
//
// Operators cannot have default arguments; they take their operands as Operand (tensor.h), whose
// constructor captures the place. (Not std::source_location: clang 14 cannot use it with libstdc++ 12.)
#pragma once

namespace autograd {

struct Where {
  const char* file = "";
  int line = 0;

  constexpr Where() = default;  // declared, so that {0, 1} is never taken for a place: x.sum({0, 1})

  static constexpr Where current(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    Where where;
    where.file = file;
    where.line = line;
    return where;
  }
};

}  // namespace autograd
