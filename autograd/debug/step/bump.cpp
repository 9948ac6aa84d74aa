// bump: what if this number had been a little different?
#include <fmt/core.h>

#include <cmath>
#include <unordered_map>

#include "autograd/debug/step/answers.h"
#include "autograd/debug/step/expression.h"
#include "autograd/debug/step/refused.h"
#include "autograd/debug/step/replay.h"
#include "autograd/debug/unobserved.h"
#include "autograd/ops/ops.h"
#include "autograd/tensor/characters.h"
#include "autograd/tensor/error.h"

namespace autograd::debug {
namespace {

using Outputs = std::unordered_map<const Node*, Tensor>;

bool depends(const KeptCall& call, const Outputs& changed) {
  for (const Ref<Node>& from : call.from) {
    if (from && changed.contains(from.get())) return true;
  }
  return false;
}

Inputs changed_inputs(const KeptCall& call, const Outputs& changed, const Recording& recording) {
  Inputs inputs;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    const auto place = i < call.from.size() && call.from[i] ? changed.find(call.from[i].get()) : changed.end();
    inputs.push_back(place == changed.end() ? recording.input_of(call, i) : place->second);
  }
  return inputs;
}

Inputs converted(const Inputs& inputs, DType dtype) {
  Inputs result;
  for (const Tensor& input : inputs) {
    const bool floating = input.defined() && is_floating(input.dtype());
    result.push_back(floating ? input.to(dtype) : input);
  }
  return result;
}

// In float64, so that a small change is not lost in the rounding of a large loss; in float32 for an op that keeps a
// float32 tensor (dropout, the weights of a loss).
Tensor forward_in_float64(const Node& node, const Inputs& inputs) {
  try {
    return node.forward(converted(inputs, float64));
  } catch (const Error& error) {
    if (error.id() != ErrorId::dtype_mismatch) throw;
  }
  return node.forward(converted(inputs, node.dtype)).to(float64);
}

// Runs the program again from this node on, in its own order, with another value at one element.
struct Replay {
  double loss = 0.0;
  std::size_t ops = 0;
};

// What the pass differentiates: the sum of its roots, each times the gradient that it started with.
double loss_of(const View& view, const Outputs& changed) {
  double loss = 0.0;
  for (const Contribution& start : view.pass->contributions) {
    if (start.from) break;
    const auto place = changed.find(start.to);
    loss += dot(start.value.tensor(), place == changed.end() ? view.value(*start.to) : place->second);
  }
  return loss;
}

// Lets go of the inputs that no later op of the pass uses. (Known for backward() alone.)
void let_go(const KeptCall& call, const View& view, Outputs& changed) {
  if (view.pass->captures_only || view.pass->is_forward) return;
  for (const Ref<Node>& from : call.from) {
    if (!from || view.pass->arrived(*from, 0) > 0) continue;   // loss_of() needs what the pass started from
    const std::span<const Use> uses = view.pass->uses(*from);  // the program's last comes first
    if (!uses.empty() && uses.front().user == call.node) changed.erase(from.get());
  }
}

Replay replay(const View& view, const Node& moved, const Tensor& value) {
  Outputs changed = {{&moved, value}};
  Replay result;
  for (auto it = view.recording->calls().upper_bound(moved.number); it != view.recording->calls().end(); ++it) {
    const KeptCall& call = it->second;
    if (!view.pass->position(*call.node) || !depends(call, changed)) continue;
    changed[call.node] = forward_in_float64(*call.node, changed_inputs(call, changed, *view.recording));
    let_go(call, view, changed);
    ++result.ops;
  }
  result.loss = loss_of(view, changed);
  return result;
}

Tensor moved_value(const Tensor& value, const std::vector<std::int64_t>& index, double delta) {
  const Tensor copy = value.detach().to(float64).clone();
  const Tensor element = element_of(copy, index);
  element.fill_(element.item() + delta);
  return copy;
}

// The loss with the element moved up and down.
struct Moves {
  double delta = 0.0;
  double up = 0.0;
  double down = 0.0;
  double slope() const { return (up - down) / (2.0 * delta); }
};

Moves measured(const View& view, const Element& element, double delta) {
  const Tensor value = view.call(*element.node).output;
  const Replay up = replay(view, *element.node, moved_value(value, element.index, delta));
  const Replay down = replay(view, *element.node, moved_value(value, element.index, -delta));
  return {delta, up.loss, down.loss};
}

// How much two slopes differ, as a part of them.
double difference(const Moves& a, const Moves& b) {
  const double apart = std::abs(a.slope() - b.slope()) / std::max(std::abs(a.slope()), std::abs(b.slope()));
  if (a.slope() == b.slope()) return 0.0;
  return std::isfinite(apart) ? apart : INFINITY;
}

// A step is too wide where the loss bends, and too narrow where the change drowns in rounding. So steps get narrower
// until two slopes agree; if none do, the two that differ least are taken.
Moves measured_with_usual_delta(const View& view, const Element& element, double value) {
  constexpr double close = 1e-6;
  const double unit = std::max(1.0, std::abs(value));
  Moves last = measured(view, element, 1e-4 * unit);
  Moves best = last;
  double least = INFINITY;
  for (const double part : {1e-6, 1e-8, 1e-10}) {
    const Moves next = measured(view, element, part * unit);
    const double apart = difference(last, next);
    if (apart < least) best = last;
    least = std::min(least, apart);
    if (apart < close) break;
    last = next;
  }
  return best;
}

std::string gradient_line(const View& view, const Element& element) {
  const Tensor gradient = view.gradient(*element.node);
  const Progress progress = view.progress(*element.node);
  if (!gradient.defined()) return fmt::format("gradient {}\n", progress_text(progress));
  const std::string note = progress.complete() ? "" : " (" + progress_text(progress) + ")";
  return fmt::format("gradient {}{}\n", rough(element_of(gradient, element.index).item()), note);
}

double read_delta(const std::string& text, double value) {
  const std::optional<double> delta = real_number(text);
  if (!delta || !std::isfinite(*delta) || *delta == 0.0) {
    throw Refused(fmt::format("'{}' is no change", printable(text)), "a number that is not 0, as in 0.01");
  }
  if (value + *delta != value && value - *delta != value) return *delta;
  throw Refused(
      fmt::format("{} and {:g} are the same number in float64", fmt::format("{} + {:g}", value, *delta), value),
      "a larger change");
}

// A slope of 0 is measured where the gradient is 0 too. Elsewhere the change was lost on the way to the loss.
std::string slope_line(const View& view, const Element& element, const Moves& moves) {
  const Tensor gradient = view.gradient(*element.node);
  const bool flows = gradient.defined() && element_of(gradient, element.index).item() != 0.0;
  if (moves.up == moves.down && flows) {
    return "slope    not known: the change is lost in the rounding of the loss; a larger one may not be\n";
  }
  return fmt::format("slope    {} (from {:+.3g} and {:+.3g})\n", rough(moves.slope()), moves.delta, -moves.delta);
}

// "W[1, 2] 0.01" -> the expression and the change: the last word after the brackets or the name.
std::string take_delta(std::string& text) {
  text = trim(text);
  const std::size_t bracket = text.find_last_of("]\"");
  const std::size_t space = text.find_last_of(" \t");
  if (space == std::string::npos || (bracket != std::string::npos && space < bracket)) return "";
  const std::string delta = trim(text.substr(space));
  text = trim(text.substr(0, space));
  return delta;
}

void check_bumpable(const View& view, const Element& element) {
  const Call call = view.call(*element.node);
  if (!view.pass->position(*element.node)) {
    throw Refused(fmt::format("{} is not part of this pass", element.title), "a tensor that the loss depends on");
  }
  if (call.output.numel() == 0) throw Refused(fmt::format("{} is empty", element.title), "a tensor with elements");
}

}  // namespace

std::string answer_bump(const Question& question) {
  check_is_backward(question.view);
  const View& view = question.view;
  std::string target = question.arguments;
  const std::string delta_text = take_delta(target);
  const Element element = evaluate_element(target, view);
  check_bumpable(view, element);
  const Unobserved unobserved;
  const Tensor value = view.call(*element.node).output;
  const double before = element_of(value, element.index).item();
  const Moves moves = delta_text.empty() ? measured_with_usual_delta(view, element, before)
                                         : measured(view, element, read_delta(delta_text, before));
  const Replay same = replay(view, *element.node, moved_value(value, element.index, 0.0));
  std::string text =
      fmt::format("{} from {} to {:.8g}, {} op{} computed again\n", element.title, exact(before, value.dtype()),
                  before + moves.delta, same.ops, same.ops == 1 ? "" : "s");
  text += fmt::format("loss     {:.8g} -> {:.8g} ({:+.4g})\n", same.loss, moves.up, moves.up - same.loss);
  text += slope_line(view, element, moves);
  return text + gradient_line(view, element);
}

}  // namespace autograd::debug
