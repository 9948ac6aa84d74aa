#include "autograd/debug/step/view.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "autograd/debug/step/refused.h"
#include "autograd/debug/unobserved.h"
#include "autograd/ops/ops.h"
#include "autograd/tape/node.h"
#include "autograd/tensor/error.h"
#include "autograd/tensor/format.h"
#include "autograd/text/printable.h"
#include "autograd/text/words.h"

namespace autograd::debug {

// ---- one position ---------------------------------------------------------------------------------------------------

const Node* View::current() const {
  return is_real() ? waiting : pass->steps[at].node.get();
}

Tensor View::dy() const {
  if (!is_real()) return pass->dy_of(pass->steps[at]);
  return its_dy ? *its_dy : Tensor();
}

std::size_t View::position() const {
  const Node* node = current();
  return node ? pass->position(*node).value_or(pass->order.size()) : pass->order.size();
}

bool View::has_run(const Node& node) const {
  const std::optional<std::size_t> step = pass->step_of(node);
  return step && *step < at;
}

Progress View::progress(const Node& node) const {
  Progress progress;
  progress.in_pass = pass->position(node).has_value();
  progress.arrived = pass->arrived(node, at);
  const bool ended = !waiting && is_real();
  if (ended || has_run(node)) return progress;
  const std::size_t here = position();
  const std::span<const Use> uses = pass->uses(node);  // in the order of the pass
  const auto next =
      std::partition_point(uses.begin(), uses.end(), [&](const Use& use) { return pass->position(*use.user) < here; });
  progress.to_come = static_cast<std::size_t>(uses.end() - next);
  return progress;
}

Tensor View::gradient(const Node& node) const {
  if (&node == current()) return dy();  // after hooks
  return pass->gradient(node, at);
}

Tensor View::value(const Node& node) const {
  const KeptCall* made = recording->kept(node);
  return made ? recording->output_of(*made) : Tensor();
}

Call View::call(const Node& node) const {
  if (const std::optional<Call> made = recording->call(node)) return *made;
  throw Refused(fmt::format("the values of {} were not recorded", describe(node)),
                "an op that ran after the debugger was attached");
}

void check_is_backward(const View& view) {
  if (!view.is_forward()) return;
  throw Refused("there is no backward pass yet: this is the forward pass", "a value, or `continue`");
}

const char* end_text(const View& view) {
  return view.is_forward() ? "after the last op of the forward pass" : "at the end of the pass";
}

std::string progress_text(const Progress& progress) {
  if (!progress.in_pass) return "is not part of this pass: gets no gradient in it";
  if (progress.none_comes()) return "gets no gradient in this pass";
  const std::size_t all = progress.arrived + progress.to_come;
  if (progress.arrived == 0) return fmt::format("not yet computed (0 of {})", counted(all, "contribution"));
  if (progress.to_come > 0) return fmt::format("partial, {} of {} contributions", progress.arrived, all);
  return "complete";
}

std::size_t depth(const Node& node) {
  std::size_t count = 0;
  for (const Scope* at = node.scope.get(); at; at = at->parent.get()) ++count;
  return count;
}

bool is_inside(const Node& node, const Scope& scope) {
  for (const Scope* at = node.scope.get(); at; at = at->parent.get()) {
    if (at == &scope) return true;
  }
  return false;
}

// ---- what gets no gradient ------------------------------------------------------------------------------------------

std::string label(const KnownLeaf& leaf) {
  return leaf.name.empty() ? "the leaf of " + to_string(leaf.marked_at) : printable(leaf.name);
}

std::vector<KnownLeaf> absent_leaves(const View& view) {
  std::vector<KnownLeaf> absent = living_leaves();
  std::erase_if(absent, [&](const KnownLeaf& leaf) {
    const Node* node = leaf.tensor->leaf;
    const bool is_present = node && view.pass->position(*node);
    const bool can_be_told = !leaf.name.empty() || (leaf.marked_at.line != 0 && !is_in_library(leaf.marked_at));
    return view.pass->is_forward || is_present || !can_be_told;
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

// ---- text -----------------------------------------------------------------------------------------------------------

std::string exact(double number, DType dtype) {
  if (std::isnan(number)) return "nan";  // its sign says nothing
  if (dtype == DType::boolean) return number != 0.0 ? "true" : "false";
  if (dtype == DType::float32) return fmt::format("{}", static_cast<float>(number));
  return fmt::format("{}", number);
}

std::string rough(double number) {
  if (std::isnan(number)) return "nan";
  return fmt::format("{:.4g}", number == 0.0 ? 0.0 : number);  // not "-0"
}

double norm_of(const Tensor& tensor) {
  double sum = 0.0;
  for (const double value : tensor.to_vector()) sum += value * value;
  return std::sqrt(sum);
}

std::string size_text(const Tensor& tensor) {
  if (tensor.numel() == 0) return "empty";
  if (tensor.numel() == 1) return exact(tensor.to_vector()[0], tensor.dtype());
  return is_floating(tensor.dtype()) ? fmt::format("norm {}", rough(norm_of(tensor)))
                                     : std::string(name(tensor.dtype()));
}

std::string index_text(const std::vector<std::int64_t>& index) {
  return index.empty() ? "" : fmt::format("{}", index);
}

Tensor element_of(const Tensor& tensor, const std::vector<std::int64_t>& index) {
  const Unobserved unobserved;
  Tensor element = tensor;
  for (const std::int64_t i : index) element = element.select(0, i);
  return element;
}

bool same_bits(const Tensor& a, const Tensor& b) {
  const Unobserved unobserved;
  if (a.dtype() != b.dtype() || !(a.shape() == b.shape())) return false;
  const Tensor a_ = a.detach().clone();
  const Tensor b_ = b.detach().clone();
  const auto bytes = static_cast<std::size_t>(a_.numel() * element_size(a_.dtype()));
  return bytes == 0 || std::memcmp(a_.impl()->storage->data, b_.impl()->storage->data, bytes) == 0;
}

}  // namespace autograd::debug
