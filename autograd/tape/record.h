// Recording: an op that has run leaves a node on the tape, connected to the nodes of its inputs.
#pragma once

#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "autograd/tape/mode.h"
#include "autograd/tape/node.h"
#include "autograd/tape/observer.h"

namespace autograd {

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

template <class Op> inline constexpr OpInfo op_info{Op::text, Broadcasts<Op>, kind_of<Op>(), Piecewise<Op>};

using InputList = std::span<const Tensor* const>;

// Is gradient recording on, and does any of these need one?
inline bool needs_gradient(InputList inputs) {
  if (!grad_enabled()) return false;
  for (const Tensor* input : inputs) {
    if (input->requires_grad()) return true;
  }
  return false;
}

// The numbers that this thread gives to its nodes. Instruments put them back, so that what they record leaves no gap.
struct Numbers {
  std::uint64_t last = 0;
  std::uint64_t block_end = 0;
};
inline constinit thread_local Numbers numbers_of_thread;
// The numbers given out to all threads, which take those of nodes in blocks.
struct GivenOut {
  std::atomic<std::uint64_t> numbers = 0;  // of nodes
  std::atomic<std::uint32_t> passes = 0;
};
inline constinit GivenOut given_out;
// The thread's next number, higher than that of the newest input.
std::uint64_t number_after(std::uint64_t newest_input);

// Numbers the node, connects it to the nodes of its inputs and makes it the output's.
void put_on_tape(Node* node, Tensor& output, InputList inputs, Where where);

// Tells the observer of every input that needs a gradient; in a backward pass, nothing.
void tell_untaped(Untaped::Why why, const char* op, InputList inputs, Where where);

// An op without a derivative says so, for instruments that look for lost gradients.
inline void no_derivative(const char* op, std::initializer_list<const Tensor*> inputs, Where where) {
  if (observer()) tell_untaped(Untaped::Why::no_derivative, op, InputList(inputs.begin(), inputs.size()), where);
}

// Puts an op on the tape: `output` was computed from `inputs` at `where`. Returns the new node, in which the op keeps
// what its derivative needs, or nullptr if no gradient can be asked for.
template <class Op> Op* record(Tensor& output, InputList inputs, Where where) {
  if (!needs_gradient(inputs)) {
    if (observer() && !grad_enabled()) tell_untaped(Untaped::Why::grad_mode_off, Op::text.name, inputs, where);
    return nullptr;
  }
  Op* node = new Op;
  node->op = &op_info<Op>;
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
