// The text that shows the current position, and `where`: the module calls around the current op.
#include <fmt/core.h>

#include <vector>

#include "autograd/debug/step/answers.h"
#include "autograd/debug/step/expression.h"
#include "autograd/debug/step/refused.h"
#include "autograd/tensor/characters.h"
#include "autograd/tensor/error.h"
#include "autograd/tensor/format.h"

namespace autograd::debug {

std::string step_line(const View& view, std::size_t at) {
  const Node* node = at < view.pass->steps.size() ? view.pass->steps[at].node.get() : view.waiting;
  return fmt::format("#{} of {}  {}", at + 1, view.pass->order.size(), node ? describe(*node) : "the end");
}

namespace {

// The formula, and the number that goes into it: dy; in the forward pass, that which came out.
std::string numbers_line(const View& view, const Node& node) {
  const bool forward = view.pass->is_forward;
  const Tensor tensor = forward ? view.value(node) : view.dy();
  const char* formula = forward ? node.op->text.formula : node.op->text.derivative;
  return fmt::format("    {:<40}  {} {} {}\n", formula, forward ? "y" : "dy", tensor.shape(), size_text(tensor));
}

}  // namespace

std::string place_text(const View& view, const Settings& settings) {
  const Node* node = view.current();
  if (!node) return fmt::format("{}, #{} was the last\n", end_text(view), view.at);
  std::string text = step_line(view, view.at) + "\n" + numbers_line(view, *node);
  if (node->backward_of) text += fmt::format("    made while differentiating {}\n", node->backward_of->text.name);
  const std::string line = source_line(node->called_at, settings);
  return line.empty() ? text : text + fmt::format("{}\t{}\n", node->called_at.line, line);
}

std::string answer_where(const Question& question) {
  const Node& node = node_or_current(question.arguments, question.view);
  std::string text = fmt::format("#0  {}\n", describe(node));
  int level = 0;
  for (const Scope* at = node.scope.get(); at; at = at->parent.get()) {
    text += fmt::format("#{}  {}, called at {}\n", ++level, printable(at->name), to_string(at->called_from));
  }
  return text;
}

}  // namespace autograd::debug
