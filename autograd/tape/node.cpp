#include "autograd/tape/node.h"

namespace autograd {

Tensor Node::reattach(const Saved& output) const {
  Tensor attached = output.value_.detach();
  attached.impl()->grad_fn = Ref<Node>(const_cast<Node*>(this));
  return attached;
}

Node::Attachments& Node::attach() {
  if (!attachments) attachments = std::make_unique<Attachments>();
  return *attachments;
}

namespace {

// Plain pointers: tensors with static lifetime are freed when a container here would already be destroyed.
thread_local bool freeing = false;
thread_local Node* waiting_to_be_freed = nullptr;

}  // namespace

// Freeing a node releases its inputs' nodes, which release theirs, a million deep. To spare the stack, a node that is
// released while another is being freed waits in a list.
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
