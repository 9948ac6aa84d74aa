// What an editor shows as variables: tensors that unfold by rows, and lists of tensors.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "autograd/debug/dap/connection.h"
#include "autograd/debug/step/answers.h"
#include "autograd/debug/step/expression.h"

namespace autograd::debug {

class Adapter;

// Something that the editor may unfold. Its number, the place in Adapter::handles + 1, is the variablesReference.
struct Handle {
  enum class Kind { this_op, last_op, leaves, names, tensor };
  Kind kind = Kind::tensor;
  Tensor tensor;
  std::string expression;  // for the debugger: "W.grad[0]"; "" if it has none
  std::string gradient;  // the expression of the gradient that it is a part of, if it is one: a watch may be set on it
};

const Handle& handle_of(Adapter& adapter, std::int64_t reference);
// The expression of the gradient that a variable under this handle stands for; "" if it is none.
std::string gradient_under(Adapter& adapter, const Handle& handle, const std::string& name);

}  // namespace autograd::debug
