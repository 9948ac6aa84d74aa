#include "autograd/debug/op_memory.h"

#include <algorithm>
#include <utility>

#include "autograd/debug/kept_tensor.h"
#include "autograd/debug/unobserved.h"
#include "autograd/ops/ops.h"
#include "autograd/tape/node.h"

namespace autograd::debug {
namespace {

bool is_copy_of(const KeptOp& kept, const Tensor& tensor) {
  return kept.output.defined() && kept.version == version_of(tensor) && kept.output.shape() == tensor.shape() &&
         kept.output.dtype() == tensor.dtype();
}

}  // namespace

std::shared_ptr<const KeptOp> OpMemory::find(const Node& node) const {
  const auto place = kept_.find(node.number);
  return place == kept_.end() ? nullptr : place->second.lock();
}

// The copies are freed with the node.
void OpMemory::attach(Node& node, std::shared_ptr<KeptOp> kept) {
  if (kept_.size() >= clean_at_) {
    std::erase_if(kept_, [](const auto& entry) { return entry.second.expired(); });
    clean_at_ = std::max<std::size_t>(1024, 2 * kept_.size());
  }
  kept_[node.number] = kept;
  node.attach().kept.push_back(std::move(kept));
}

// A leaf that is used many times, as a weight in a loop, is copied once, and again after a change.
std::shared_ptr<const KeptOp> OpMemory::keep_leaf(const Tensor& leaf) {
  const Ref<Node> node = gradient_node(leaf);
  std::shared_ptr<const KeptOp> known = find(*node);
  if (known && is_copy_of(*known, leaf)) return known;
  auto kept = std::make_shared<KeptOp>();
  kept->output = copy_of(leaf);
  kept->version = version_of(leaf);
  attach(*node, kept);
  return kept;
}

Tensor OpMemory::copy_of_input(const Tensor& input) {
  if (!input.defined() || !input.requires_grad()) return copy_of(input);
  const std::shared_ptr<const KeptOp> made = input.grad_fn() ? find(*input.grad_fn()) : keep_leaf(input);
  return made && is_copy_of(*made, input) ? made->output : copy_of(input);
}

void OpMemory::note_left_out(Node& node) {
  attach(node, std::make_shared<KeptOp>());
}

void OpMemory::keep(Node& node, const Inputs& inputs, const Tensor& output) {
  const Unobserved unobserved;
  auto kept = std::make_shared<KeptOp>();
  for (const Tensor& input : inputs) kept->inputs.push_back(copy_of_input(input));
  kept->output = copy_of(output);
  kept->version = version_of(output);
  attach(node, std::move(kept));
}

}  // namespace autograd::debug
