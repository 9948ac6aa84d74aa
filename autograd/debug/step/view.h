// View: a backward pass as seen from one position between two of its ops. Nothing here changes the pass: going back
// means looking at the record from an earlier position.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "autograd/debug/recording.h"
#include "autograd/debug/step/pass_index.h"
#include "autograd/gradcheck/positions.h"

namespace autograd::debug {

using checker::index_of;

// How many contributions to the gradient of a node's output have arrived.
struct Progress {
  std::size_t arrived = 0;
  std::size_t to_come = 0;  // at most
  bool in_pass = true;

  bool none_comes() const { return arrived + to_come == 0; }
  bool complete() const { return arrived > 0 && to_come == 0; }
};

struct View {
  const Recording* recording = nullptr;
  const PassRecord* pass = nullptr;
  const PassIndex* index = nullptr;
  std::size_t at = 0;              // steps done
  Node* waiting = nullptr;         // the op that runs next in the real pass; none when it has ended
  const Tensor* its_dy = nullptr;  // the gradient that it is about to get
  bool is_real() const { return at == pass->steps.size(); }
  bool is_forward() const { return pass->is_forward; }
  // The forward pass stopped while this op was put on the tape: it has its output, but cannot run again.
  bool is_unready(const Node& node) const { return is_forward() && &node == waiting; }

  // The op whose backward runs next from here; nullptr at the end.
  const Node* current() const;
  // The gradient of the current op's output. Undefined at the end.
  Tensor dy() const;
  // The place of the current op in PassRecord::order; its size at the end.
  std::size_t position() const;

  Progress progress(const Node& node) const;
  // The sum of the contributions so far; undefined while there are none.
  Tensor gradient(const Node& node) const;
  // What the op computed, or the leaf's value. Undefined if that was not recorded.
  Tensor value(const Node& node) const;
  // The recorded call. Throws Refused if the op ran before the debugger was attached.
  Call call(const Node& node) const;
  // Has the node's backward run before this position?
  bool has_run(const Node& node) const;
};

// Throws Refused in the forward pass.
void check_is_backward(const View& view);
// "at the end of the pass", for where there is no current op.
const char* end_text(const View& view);
// "not yet computed (0 of 3 contributions)", "partial, 1 of 3 contributions", "complete", "gets no gradient in this
// pass".
std::string progress_text(const Progress& progress);
// The number of module calls and time steps that an op is inside of.
std::size_t depth(const Node& node);
// Did the op run in this call or in one that it made?
bool is_inside(const Node& node, const Scope& scope);

// ---- what gets no gradient ------------------------------------------------------------------------------------------

// The leaves of the program that no path of the pass leads to, and have a name or a line. They are found by their name.
std::vector<KnownLeaf> absent_leaves(const View& view);
std::optional<KnownLeaf> absent_leaf(const std::string& name, const View& view);
// "a.weight"; for a leaf without a name, "the leaf of train.cpp:12".
std::string label(const KnownLeaf& leaf);

// "gets no gradient in this pass: detach() at ..".
std::string absence_text(const KnownLeaf& leaf, const View& view);
// progress_text(), and where no gradient comes, the reason.
std::string gradient_state(const Node& node, const View& view);

// ---- text -----------------------------------------------------------------------------------------------------------

// The shortest text that stands for exactly this number in this dtype.
std::string exact(double number, DType dtype);
// Four digits.
std::string rough(double number);
// "norm 1.25", for a gradient or a value, with a note of NaN and infinities.
std::string size_text(const Tensor& tensor);
double norm_of(const Tensor& tensor);
std::string index_text(const std::vector<std::int64_t>& index);  // "[1, 2]", "" without dims
// The element as a tensor without dims, a view.
Tensor element_of(const Tensor& tensor, const std::vector<std::int64_t>& index);
bool same_bits(const Tensor& a, const Tensor& b);

}  // namespace autograd::debug
