// bump: what if this number had been a little different?
#include <fmt/core.h>

#include <cmath>
#include <unordered_map>

#include "autograd/debug/step/answers.h"
#include "autograd/debug/step/expression.h"
#include "autograd/debug/step/refused.h"
#include "autograd/debug/step/replay.h"
#include "autograd/debug/unobserved.h"
#include "autograd/gradcheck/check_node.h"
#include "autograd/gradcheck/numeric_derivative.h"
#include "autograd/ops/ops.h"
#include "autograd/tensor/error.h"
#include "autograd/tensor/factories.h"
#include "autograd/text/printable.h"
#include "autograd/text/words.h"

namespace autograd::debug {
namespace {

constexpr double usual_delta = 1e-4;

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

// In float64, so that a small change is not lost in the rounding of a large loss; in float32 for an op that keeps a
// float32 tensor (dropout, the weights of a loss).
Tensor forward_in_float64(const Node& node, const Inputs& inputs) {
  try {
    return node.forward(checker::converted(inputs, float64));
  } catch (const Error& error) {
    if (error.id() != ErrorId::dtype_mismatch) throw;
  }
  return node.forward(checker::converted(inputs, node.dtype)).to(float64);
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

// The tensor that the element is in, a copy that may be changed.
class Copy {
 public:
  Copy(const View& view, const Element& element)
      : node_(*element.node),
        values_(view.call(node_).output.detach().to(float64).clone()),
        number_(*element_of(values_, element.index).data_ptr<double>()) {}

  double& number() const { return number_; }
  Replay replayed(const View& view) const { return replay(view, node_, values_); }

 private:
  const Node& node_;
  Tensor values_;
  double& number_;
};

// The numeric derivative at the widest scale that is narrow enough for the loss.
checker::Estimate slope_of(const Copy& copy, const View& view) {
  constexpr double close = 1e-6;
  const Tensor one = tensor(1.0, float64);
  const checker::Probe probe([&] { return std::vector<Tensor>{tensor(copy.replayed(view).loss, float64)}; }, {one});
  checker::Estimate best;
  for (const double part : {1e-2, 1e-4, 1e-6, 1e-8}) {
    const checker::Estimate next = checker::ridders(probe, copy.number(), part * checker::step_unit(copy.number()));
    if (next.finite && next.error < best.error) best = next;
    if (best.error <= close * std::abs(best.value)) break;
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
    throw Refused(fmt::format("'{}' is not a change", printable(text)), "a number that is not 0, as in 0.01");
  }
  if (value + *delta != value && value - *delta != value) return *delta;
  throw Refused(
      fmt::format("{} and {:g} are the same number in float64", fmt::format("{} + {:g}", value, *delta), value),
      "a larger change");
}

// A slope of 0 is measured where the gradient is 0 too. Elsewhere the change was lost on the way to the loss.
std::string slope_line(const View& view, const Element& element, const checker::Estimate& slope) {
  const Tensor gradient = view.gradient(*element.node);
  const bool flows = gradient.defined() && element_of(gradient, element.index).item() != 0.0;
  if (!std::isfinite(slope.value)) return "slope    not known: the loss is not finite beside this value\n";
  if (slope.flat && flows) {
    return "slope    not known: the change is lost in the rounding of the loss; a larger one may not be\n";
  }
  return fmt::format("slope    {} ± {:.1g}\n", rough(slope.value), slope.error);
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
  const Copy copy(view, element);
  const double before = copy.number();
  const double delta = delta_text.empty() ? usual_delta * checker::step_unit(before) : read_delta(delta_text, before);
  const Replay same = copy.replayed(view);
  copy.number() = before + delta;
  const double after = copy.replayed(view).loss;
  copy.number() = before;
  std::string text = fmt::format("{} from {} to {:.8g}, {} computed again\n", element.title,
                                 exact(before, element.node->dtype), before + delta, counted(same.ops, "op"));
  text += fmt::format("loss     {:.8g} -> {:.8g} ({:+.4g})\n", same.loss, after, after - same.loss);
  text += slope_line(view, element, slope_of(copy, view));
  return text + gradient_line(view, element);
}

}  // namespace autograd::debug
