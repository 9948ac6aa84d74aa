#include "autograd/tape/record.h"

#include <algorithm>
#include <atomic>

#include "autograd/tape/backward.h"
#include "autograd/tape/observer.h"

// debug/start.cpp has it. Naming it here brings the instruments into every program that records an op, however it is
// linked: from a static library, the linker takes only what is asked for.
extern "C" const bool backstep_instruments_started;

namespace autograd {
namespace {

[[gnu::used]] const bool* const instruments = &backstep_instruments_started;

// Threads take numbers in blocks, so that no two nodes share one.
[[gnu::noinline]] void take_block() {
  constexpr std::uint64_t block = std::uint64_t{1} << 20;
  const Moments* tell = moments_told;
  if (tell && numbers_of_thread.block_end == 0) tell->thread_begins();
  numbers_of_thread.last = given_out.numbers.fetch_add(block);
  numbers_of_thread.block_end = numbers_of_thread.last + block;
}

// A node made while differentiating belongs to the line and the module of the op being differentiated.
void set_origin(Node& node, Where where) {
  if (const Node* differentiated = running_node()) {
    node.called_at = differentiated->called_at;
    node.scope = differentiated->scope;
    node.backward_of = differentiated->op;
  } else {
    node.called_at = line_of_program(where);
    node.scope = current_scope();
  }
}

void mark_if_view(const Tensor& output, InputList inputs) {
  TensorImpl* impl = output.impl();
  if (impl->storage->refs == 1) return;  // new memory
  for (const Tensor* input : inputs) {
    if (input->defined() && input->impl()->storage == impl->storage) {
      impl->is_recorded_view = true;
      ++impl->storage->recorded_views;
      return;
    }
  }
}

void tell_observer(Node& node, InputList inputs, const Tensor& output) {
  Inputs values;
  for (const Tensor* input : inputs) values.push_back(*input);
  observer()->recorded(node, values, output);
}

}  // namespace

void tell_untaped(Untaped::Why why, const char* op, InputList inputs, Where where) {
  if (running_node()) return;
  const char* composite = around_op.composite.op;
  const Untaped use{why, composite && why != Untaped::Why::detached ? composite : op, line_of_program(where)};
  for (const Tensor* input : inputs) {
    if (input->requires_grad()) observer()->untaped(*input, use);
  }
}

// Where an input from another thread has a higher number than this thread's last, a new block begins: an op's number is
// always above those of its inputs.
std::uint64_t number_after(std::uint64_t newest_input) {
  if (numbers_of_thread.last == numbers_of_thread.block_end || numbers_of_thread.last < newest_input) take_block();
  return ++numbers_of_thread.last;
}

void put_on_tape(Node* node, Tensor& output, InputList inputs, Where where) {
  output.impl()->grad_fn = Ref<OwnedNode>(node);  // from here on the node has an owner
  node->dtype = output.dtype();
  node->shape = output.shape();
  std::uint64_t newest = 0;  // of the inputs' numbers
  for (const Tensor* input : inputs) {
    Ref<Node> from = input->defined() ? gradient_node(*input) : Ref<Node>();
    if (from) newest = std::max(newest, from->number);
    node->inputs.emplace_back(std::move(from));
  }
  node->number = number_after(newest);  // above the numbers of its leaves, which may be new
  set_origin(*node, where);
  mark_if_view(output, inputs);
  if (observer()) tell_observer(*node, inputs, output);
}

}  // namespace autograd
