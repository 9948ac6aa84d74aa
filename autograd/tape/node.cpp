#include "autograd/tape/node.h"

namespace autograd {

// ---- saved values and attachments ----------------------------------------------------------------------------

Tensor Node::reattach(const Saved& output) const {
  Tensor attached = output.value_.detach();
  attached.impl()->grad_fn = Ref<Node>(const_cast<Node*>(this));
  return attached;
}

Node::Attachments& Node::attach() {
  if (!attachments) attachments = std::make_unique<Attachments>();
  return *attachments;
}

// ---- freeing -------------------------------------------------------------------------------------------------

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

}  // namespace autograd
