#include "autograd/tape/node.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>

#include "autograd/tape/backward.h"
#include "autograd/tape/observer.h"
#include "autograd/tape/pass.h"
#include "autograd/tensor/checks.h"
#include "autograd/tensor/error.h"
#include "autograd/tensor/format.h"

namespace autograd {
namespace {

// Threads take numbers in blocks, so that no two nodes have the same. A node that follows one of another thread takes
// its number from a new block, which comes after all that there are: an op's number is higher than those of its inputs
// in every graph, whoever made which part.
constinit std::atomic<std::uint64_t> numbers_given_out = 0;
constinit thread_local std::uint64_t last_number = 0;
constinit thread_local std::uint64_t block_end = 0;

[[gnu::noinline]] void take_block() {
  constexpr std::uint64_t block = std::uint64_t{1} << 20;
  last_number = numbers_given_out.fetch_add(block);
  block_end = last_number + block;
}

std::uint64_t number_after(std::uint64_t newest_input) {
  if (last_number == block_end || last_number < newest_input) take_block();
  return ++last_number;
}

std::vector<const OpInfo*>& op_list() {
  static std::vector<const OpInfo*> list;
  return list;
}

}  // namespace

const std::vector<const OpInfo*>& all_ops() {
  return op_list();
}

bool register_op(const OpInfo* info) {
  op_list().push_back(info);
  return true;
}

namespace {

// Plain pointers, because tensors with static lifetime are freed after any list would be gone.
thread_local bool freeing = false;
thread_local Node* waiting_to_be_freed = nullptr;

}  // namespace

// Freeing a node lets go of its inputs' nodes, which may let go of theirs, a million deep. So a node that is
// to go while another is being freed waits in a list instead of on the stack.
void release(Node* node) {
  node->next_to_free = waiting_to_be_freed;
  waiting_to_be_freed = node;
  if (freeing) return;
  freeing = true;
  while (waiting_to_be_freed) {
    Node* next = waiting_to_be_freed;
    waiting_to_be_freed = next->next_to_free;
    delete next;
  }
  freeing = false;
}

void Node::fail_clobbered(const Saved& saved) const {
  const Storage::Write& change = *saved.value_.impl()->storage->last_write;
  const bool in_module = change.origin.line != 0;
  fail(ErrorId::in_place_clobber, name(), called_at,
       fmt::format("it needs its {} {} to compute the gradient, but {} changed it in place at {}{}",
                   saved.is_output_ ? "output" : "input", saved.value_.shape(), change.op, to_string(change.where),
                   in_module ? fmt::format(", called at {}", to_string(change.origin)) : ""),
       "use the out-of-place form there, or clone() before changing it");
}

Tensor Node::reattach(const Saved& output) const {
  Tensor attached = output.value_.detach();
  attached.impl()->grad_fn = Ref<Node>(const_cast<Node*>(this));
  return attached;
}

Node::Attachments& Node::attach() {
  if (!attachments) attachments = std::make_unique<Attachments>();
  return *attachments;
}

void Node::register_prehook(PreHook hook) {
  attach().prehooks.push_back(std::move(hook));
}

void Node::register_hook(PostHook hook) {
  attach().posthooks.push_back(std::move(hook));
}

// ---- leaves ----------------------------------------------------------------------------------------

Leaf::Leaf(const Tensor& x) : tensor(x) {
  op = &Registered<Leaf>::info;
  leaf = true;
  dtype = x.dtype();
  shape = x.shape();
  number = number_after(0);
  x.impl()->leaf = this;
}

Leaf::~Leaf() {
  tensor.impl()->leaf = nullptr;
}

namespace {

[[gnu::noinline]] Node* make_leaf(const Tensor& tensor) {
  return new Leaf(tensor);
}

// Of a tensor that has a value; not owned yet, if it is new.
Node* find_gradient_node(const Tensor& tensor) {
  const TensorImpl& impl = *tensor.impl();
  if (impl.grad_fn) return impl.grad_fn.get();
  if (!impl.requires_grad) return nullptr;
  return impl.leaf ? impl.leaf : make_leaf(tensor);
}

}  // namespace

Ref<Node> gradient_node(const Tensor& tensor) {
  if (!tensor.defined()) fail_undefined("gradient_node");
  return Ref<Node>(find_gradient_node(tensor));
}

// ---- recording ---------------------------------------------------------------------------------------

namespace {

// A node made while differentiating belongs to the line and the module of the op being differentiated.
void place(Node& node, Where where) {
  if (const Node* differentiated = running_node()) {
    node.called_at = differentiated->called_at;
    node.scope = differentiated->scope;
    node.backward_of = differentiated->op;
  } else {
    node.called_at = composite_called_at.line != 0 ? composite_called_at : where;
    node.scope = current_scope();
  }
}

void count_as_view(const Tensor& output, InputList inputs) {
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

void announce(Node& node, InputList inputs, const Tensor& output) {
  Inputs values;
  for (const Tensor* input : inputs) values.push_back(*input);
  observer()->recorded(node, values, output);
}

}  // namespace

void enter_on_tape(Node* node, Tensor& output, InputList inputs, Where where) {
  output.impl()->grad_fn = Ref<Node>(node);  // from here on the node has an owner
  node->dtype = output.dtype();
  node->shape = output.shape();
  std::uint64_t newest = 0;  // of the inputs' numbers
  for (const Tensor* input : inputs) {
    Ref<Node> from(input->defined() ? find_gradient_node(*input) : nullptr);
    if (from) newest = std::max(newest, from->number);
    node->inputs.emplace_back(std::move(from));
  }
  node->number = number_after(newest);  // after its leaves, so that they come later in the reverse order
  place(*node, where);
  count_as_view(output, inputs);
  if (observer()) announce(*node, inputs, output);
}

}  // namespace autograd
