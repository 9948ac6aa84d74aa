#include "autograd/debug/step/absent.h"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_set>

#include "autograd/tape/leaf.h"
#include "autograd/tensor/characters.h"
#include "autograd/tensor/error.h"

namespace autograd::debug {

std::string label(const KnownLeaf& leaf) {
  return leaf.name.empty() ? "the leaf of " + to_string(leaf.marked_at) : printable(leaf.name);
}

std::vector<KnownLeaf> absent_leaves(const View& view) {
  std::unordered_set<const TensorImpl*> present;
  for (const Ref<Node>& node : view.pass->order) {
    if (node->is_leaf()) present.insert(static_cast<const Leaf&>(*node).tensor.impl());
  }
  std::vector<KnownLeaf> absent = living_leaves();
  std::erase_if(absent, [&](const KnownLeaf& leaf) {
    const bool can_be_told = !leaf.name.empty() || (leaf.marked_at.line != 0 && !is_in_library(leaf.marked_at));
    return view.pass->is_forward || present.contains(leaf.tensor) || !can_be_told;
  });
  return absent;
}

std::optional<KnownLeaf> absent_leaf(const std::string& name, const View& view) {
  for (const KnownLeaf& leaf : absent_leaves(view)) {
    if (!leaf.name.empty() && printable(leaf.name) == name) return leaf;
  }
  return {};
}

std::string absence_text(const KnownLeaf& leaf, const View& view) {
  return "gets no gradient in this pass: " + reason_text(view.recording->why_not(leaf, *view.pass));
}

std::string gradient_state(const Node& node, const View& view) {
  const Progress progress = view.progress(node);
  if (view.pass->is_forward || (progress.in_pass && !progress.none_comes())) return progress_text(progress);
  return fmt::format("{}: {}", progress.in_pass ? "gets no gradient in this pass" : "is not part of this pass",
                     reason_text(view.recording->why_not(node, *view.pass)));
}

}  // namespace autograd::debug
