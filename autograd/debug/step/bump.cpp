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
#include "autograd/tensor/error.h"

namespace autograd::debug {
namespace {

using Outputs = std::unordered_map<const Node*, Tensor>;

bool depends(const Call& call, const Outputs& changed) {
  for (const Ref<Node>& from : call.from) {
    if (from && changed.contains(from.get())) return true;
  }
  return false;
}

Inputs changed_inputs(const Call& call, const Outputs& changed) {
  Inputs inputs = call.inputs;
  for (std::size_t i = 0; i < call.from.size(); ++i) {
    const auto place = changed.find(call.from[i].get());
    if (call.from[i] && place != changed.end()) inputs[i] = place->second;
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
    loss += dot(start.value, place == changed.end() ? view.call(*start.to).output : place->second);
  }
  return loss;
}

Replay replay(const View& view, const Node& moved, const Tensor& value) {
  Outputs changed = {{&moved, value}};
  Replay result;
  for (auto it = view.recording->calls().upper_bound(moved.number); it != view.recording->calls().end(); ++it) {
    const Call& call = it->second;
    if (!view.index->position(*call.node) || !depends(call, changed)) continue;
    changed[call.node] = forward_in_float64(*call.node, changed_inputs(call, changed));
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

// Large enough for the change to exceed the rounding, small enough for the function to be nearly linear.
double usual_delta(double value) {
  return 1e-4 * std::max(1.0, std::abs(value));
}

std::string gradient_line(const View& view, const Element& element) {
  const Tensor gradient = view.gradient(*element.node);
  const Progress progress = view.progress(*element.node);
  if (!gradient.defined()) return fmt::format("gradient {}\n", progress_text(progress));
  const std::string note = progress.complete() ? "" : " (" + progress_text(progress) + ")";
  return fmt::format("gradient {}{}\n", rough(element_of(gradient, element.index).item()), note);
}

double read_delta(const std::string& text, double value) {
  if (text.empty()) return usual_delta(value);
  const std::optional<double> delta = real_number(text);
  if (delta && std::isfinite(*delta) && *delta != 0.0) return *delta;
  throw Refused(fmt::format("'{}' is no change", printable(text)), "a number that is not 0, as in 0.01");
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
  const Call& call = view.call(*element.node);
  if (!view.index->position(*element.node)) {
    throw Refused(fmt::format("{} is not part of this pass", element.title), "a tensor that the loss depends on");
  }
  if (call.output.numel() == 0) throw Refused(fmt::format("{} is empty", element.title), "a tensor with elements");
}

}  // namespace

std::string answer_bump(const Question& question) {
  const View& view = question.view;
  std::string target = question.arguments;
  const std::string delta_text = take_delta(target);
  const Element element = evaluate_element(target, view);
  check_bumpable(view, element);
  const Unobserved unobserved;
  const Tensor& value = view.call(*element.node).output;
  const double before = element_of(value, element.index).item();
  const double delta = read_delta(delta_text, before);
  const Replay same = replay(view, *element.node, moved_value(value, element.index, 0.0));
  const Replay up = replay(view, *element.node, moved_value(value, element.index, delta));
  const Replay down = replay(view, *element.node, moved_value(value, element.index, -delta));
  std::string text =
      fmt::format("{} from {} to {}, {} op{} computed again\n", element.title, exact(before, value.dtype()),
                  fmt::format("{:.8g}", before + delta), up.ops, up.ops == 1 ? "" : "s");
  text += fmt::format("loss     {} -> {} ({:+.4g})\n", fmt::format("{:.8g}", same.loss), fmt::format("{:.8g}", up.loss),
                      up.loss - same.loss);
  text += fmt::format("slope    {} (from {:+.3g} and {:+.3g})\n", rough((up.loss - down.loss) / (2.0 * delta)), delta,
                      -delta);
  return text + gradient_line(view, element);
}

}  // namespace autograd::debug
