// What gets no gradient in a pass, and why. A leaf that no path leads to is not a node of the pass: it is found by its
// name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "autograd/debug/step/view.h"

namespace autograd::debug {

// The leaves of the program that are not part of the pass, and have a name or a line.
std::vector<KnownLeaf> absent_leaves(const View& view);
std::optional<KnownLeaf> absent_leaf(const std::string& name, const View& view);
// "a.weight"; for a leaf without a name, "the leaf of train.cpp:12".
std::string label(const KnownLeaf& leaf);

// "gets no gradient in this pass: detach() at ..".
std::string absence_text(const KnownLeaf& leaf, const View& view);
// progress_text(), and where no gradient comes, the reason.
std::string gradient_state(const Node& node, const View& view);

}  // namespace autograd::debug
