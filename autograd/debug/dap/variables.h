// What an editor shows as variables: tensors that unfold by rows, and lists of tensors.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "autograd/debug/dap/connection.h"
#include "autograd/debug/step/expression.h"
#include "autograd/debug/step/settings.h"

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

// The reference for a new handle.
std::int64_t add_handle(Adapter& adapter, Handle handle);
const Handle& handle_of(Adapter& adapter, std::int64_t reference);

// One variable in the protocol's form. An undefined tensor shows the note alone.
Json variable(Adapter& adapter, const std::string& name, Handle handle, const std::string& note);
// The variables under a reference; of a tensor, `count` from `start` on, all if it is 0.
Json variables_under(Adapter& adapter, const Handle& handle, std::int64_t start, std::int64_t count);
// "[3, 2] norm 1.719", "[0.4348, 0.019]", "0.7094".
std::string summary(const Tensor& tensor);
// The expression of the gradient that a variable under this handle stands for; "" if it is none.
std::string gradient_under(Adapter& adapter, const Handle& handle, const std::string& name);
// The name of a node's output as an expression, in quotation marks where it needs them.
std::string spelled(const Node& node);

}  // namespace autograd::debug
