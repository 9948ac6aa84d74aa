#include "autograd/tape/node.h"

#include <fmt/core.h>

#include "autograd/tape/record.h"
#include "autograd/tensor/checks.h"
#include "autograd/tensor/format.h"

namespace autograd {

// ---- leaves, and how nodes are freed -------------------------------------------------------------------------------------------

namespace {

// Freeing a node releases its inputs' nodes, which release theirs.
constinit thread_local FreedInTurn<Node> nodes_to_free;

}  // namespace

// In a loop, since a graph may be a million ops deep.
void release(OwnedNode* node) {
  nodes_to_free.release(static_cast<Node*>(node), [](Node* one) { delete one; });
}

Node* Tensor::grad_fn() const {
  return node_of(defined_impl("grad_fn"));
}

Leaf::Leaf(const Tensor& x) : tensor(x) {
  op = &op_info<Leaf>;
  leaf = true;
  dtype = x.dtype();
  shape = x.shape();
  number = number_after(0);
  x.impl()->leaf = this;
}

Leaf::~Leaf() {
  tensor.impl()->leaf = nullptr;
}

Ref<Node> gradient_node(const Tensor& tensor) {
  if (!tensor.defined()) fail_undefined("gradient_node");
  const TensorImpl& impl = *tensor.impl();
  if (impl.grad_fn) return Ref<Node>(node_of(impl));
  if (!impl.requires_grad) return Ref<Node>();
  return Ref<Node>(impl.leaf ? impl.leaf : new Leaf(tensor));
}

// ---- what few nodes and tensors have ---------------------------------------------------------------------------

Node::Attachments& Node::attach() {
  if (!attachments) attachments = std::make_unique<Attachments>();
  return *attachments;
}

TensorMeta& meta_of(const Tensor& tensor) {
  TensorImpl& impl = *tensor.impl();
  Node* node = node_of(impl);
  if (!impl.meta && node) impl.meta = node->attach().output_meta;  // another handle may have made it
  if (!impl.meta) impl.meta = Ref<TensorMeta>(new TensorMeta);
  if (node) node->attach().output_meta = impl.meta;
  return *impl.meta;
}

// ---- saved values ----------------------------------------------------------------------------------------------

Tensor Node::reattach(const Saved& output) const {
  Tensor attached = output.value_.detach();
  attached.impl()->grad_fn = Ref<OwnedNode>(const_cast<Node*>(this));
  return attached;
}

void Node::fail_not_saved() const {
  fail(ErrorId::undefined_tensor, name(), called_at, "its backward uses a value that was not saved",
       "keep it where the op is recorded: node->x = node->save(x)");
}

void Node::fail_clobbered(const Tensor& saved, bool is_output) const {
  const Storage::Write& change = *saved.impl()->storage->last_write;
  const std::string changed_at = to_string(change.where);
  const std::string called_from = change.origin.line != 0 ? to_string(change.origin) : changed_at;
  fail(ErrorId::in_place_clobber, name(), called_at,
       fmt::format("it needs its {} {} to compute the gradient, but {} changed it in place at {}{}",
                   is_output ? "output" : "input", saved.shape(), change.op, changed_at,
                   called_from == changed_at ? "" : ", called at " + called_from),
       "use the out-of-place form there, or clone() before changing it");
}

}  // namespace autograd
