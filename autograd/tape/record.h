// Recording: an op that has run leaves a node on the tape, connected to the nodes of its inputs.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "autograd/tape/grad_mode.h"
#include "autograd/tape/node.h"
#include "autograd/tape/observer.h"

namespace autograd {

// Every primitive op, in no particular order. A test compares the list with its table of cases.
const std::vector<const OpInfo*>& all_ops();

bool register_op(const OpInfo* info);

template <class Op>
concept Broadcasts = requires {
  requires Op::broadcasts;
};

template <class Op>
concept Piecewise = requires {
  requires Op::piecewise;
};
template <class Op> constexpr OpKind kind_of() {
  if constexpr (requires { Op::kind; }) return Op::kind;
  return OpKind::general;
}

// A node that replaces a composite: it is left out of all_ops(), the list of primitives.
template <class Op>
concept StandsForComposite = requires {
  Op::stands_for_composite;
};

// The op's OpInfo. Code that names `done` puts the op into all_ops().
template <class Op> struct Registered {
  static inline constinit OpInfo info{Op::text, Broadcasts<Op>, kind_of<Op>(), Piecewise<Op>};
  static inline const bool done = StandsForComposite<Op> || register_op(&info);
};

using InputList = std::span<const Tensor* const>;

// Is gradient recording on, and does any of these need one?
inline bool needs_gradient(InputList inputs) {
  if (!grad_enabled()) return false;
  for (const Tensor* input : inputs) {
    if (input->requires_grad()) return true;
  }
  return false;
}

// The next number of this thread's program, higher than that of the newest input.
std::uint64_t number_after(std::uint64_t newest_input);

// For instruments: nodes that were made while one lived, and are gone before it, leave no gap in the program's numbers.
class NumbersGuard {
 public:
  NumbersGuard();
  ~NumbersGuard();
  NumbersGuard(const NumbersGuard&) = delete;
  NumbersGuard& operator=(const NumbersGuard&) = delete;

 private:
  const std::uint64_t last_before_;
  const std::uint64_t end_before_;
};

// Numbers the node, connects it to the nodes of its inputs and makes it the output's.
void put_on_tape(Node* node, Tensor& output, InputList inputs, Where where);

// Tells the observer of every input that needs a gradient. Not of what a backward does.
void tell_untaped(Untaped::Why why, const char* op, InputList inputs, Where where);

// An op without a derivative says so, for instruments that look for lost gradients.
inline void no_derivative(const char* op, std::initializer_list<const Tensor*> inputs, Where where) {
  if (attached_observer) tell_untaped(Untaped::Why::no_derivative, op, InputList(inputs.begin(), inputs.size()), where);
}

// Puts an op on the tape: `output` was computed from `inputs` at `where`. Returns the new node, in which the op keeps
// what its derivative needs, or nullptr if no gradient can be asked for.
template <class Op> Op* record(Tensor& output, InputList inputs, Where where) {
  (void)Registered<Op>::done;  // naming it makes the compiler initialise it
  if (!needs_gradient(inputs)) {
    if (attached_observer && !grad_enabled()) tell_untaped(Untaped::Why::grad_mode_off, Op::text.name, inputs, where);
    return nullptr;
  }
  Op* node = new Op;
  node->op = &Registered<Op>::info;
  put_on_tape(node, output, inputs, where);
  return node;
}
template <class Op> Op* record(Tensor& output, std::initializer_list<const Tensor*> inputs, Where where) {
  return record<Op>(output, InputList(inputs.begin(), inputs.size()), where);
}
template <class Op> Op* record(Tensor& output, const std::vector<Tensor>& inputs, Where where) {
  std::vector<const Tensor*> pointers;
  for (const Tensor& input : inputs) pointers.push_back(&input);
  return record<Op>(output, InputList(pointers), where);
}

}  // namespace autograd
