// check: compares the current op's backward with finite differences, at its inputs in this pass.
#include <fmt/core.h>

#include <cmath>
#include <string>

#include "autograd/debug/step/answers.h"
#include "autograd/debug/step/expression.h"
#include "autograd/debug/step/refused.h"
#include "autograd/debug/step/replay.h"
#include "autograd/debug/unobserved.h"
#include "autograd/gradcheck/check_node.h"
#include "autograd/text/printable.h"

namespace autograd::debug {
namespace {

constexpr double most_work = 2e9;  // multiplications, roughly; some seconds

// Refuses an op that is too large: a check runs it some twenty times for each element of each input.
void check_size(const Node& node, const Call& call) {
  double elements = 0.0;
  double size = static_cast<double>(node.shape.numel());
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    if (!call.inputs[i].defined()) continue;
    size += static_cast<double>(call.inputs[i].numel());
    if (node.needs(i)) elements += static_cast<double>(call.inputs[i].numel());
  }
  if (elements * size * 20.0 <= most_work) return;
  throw Refused(fmt::format("{} has {} elements to move one by one: too many", describe(node), elements),
                "a smaller op, or BACKSTEP=check, which takes samples");
}

std::string verdict_line(const InputReport& input) {
  const ElementReport& worst = input.worst;
  const bool has_bar = worst.error_bar > 0.0 && std::isfinite(worst.error_bar);  // 0 where it is exact
  const std::string bar = has_bar ? fmt::format(" +- {:.1g}", worst.error_bar) : "";
  const std::string numeric =
      std::isnan(worst.numeric) ? "none (no differences can be taken there)" : rough(worst.numeric) + bar;
  return fmt::format("  {}: {}, {} elements, {} wrong; the worst is {}: backward {}, numeric {}\n",
                     printable(input.name), name(input.verdict), input.checked, input.bad, index_text(worst.index),
                     rough(worst.analytic), numeric);
}

NodeReport check_of(const Node& node, const View& view) {
  check_is_backward(view);
  if (node.is_leaf() || node.released) run_backward(node, Tensor());  // refuses
  const Call call = view.call(node);
  check_size(node, call);
  const Ran ran = ran_of(node, view);
  if (!ran.dy.defined()) {
    throw Refused(fmt::format("{} has not run yet, so its dy is not known", describe(node)),
                  "an op that has run, or the current one");
  }
  const Unobserved unobserved;
  return check_node(node, call.inputs, ran.dy, ran.gradients);
}

}  // namespace

bool has_wrong_derivative(const View& view) {
  const Node* node = view.current();
  if (!node || node->is_leaf()) return false;
  try {
    return check_of(*node, view).verdict == Verdict::fail;
  } catch (const Refused&) {  // it cannot be checked
    return false;
  }
}

std::string answer_check(const Question& question) {
  check_is_backward(question.view);
  const Node& node = node_or_current(question.arguments, question.view);
  const NodeReport report = check_of(node, question.view);
  std::string text = fmt::format("{}: {}\n  {}\n", name(report.verdict), describe(node), node.op->text.derivative);
  for (const InputReport& input : report.inputs) text += verdict_line(input);
  return text;
}

}  // namespace autograd::debug
