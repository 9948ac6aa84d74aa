// Where the pass stands: the current op, the module calls around it (`where`), and the lines of the program (`list`).
#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "autograd/debug/source_lines.h"
#include "autograd/debug/step/answers.h"
#include "autograd/debug/step/expression.h"
#include "autograd/debug/step/refused.h"
#include "autograd/tensor/error.h"
#include "autograd/tensor/format.h"
#include "autograd/text/printable.h"
#include "autograd/text/words.h"

namespace autograd::debug {

// ---- the lines of the program ---------------------------------------------------------------------------------------

namespace {

constexpr int around = 5;

std::string without_tabs(const std::string& line) {
  std::string text;
  for (const char c : line.substr(0, 500)) text += c == '\t' ? "  " : std::string(1, c);
  return printable(trim_end(text));
}

std::string listing(Where where, const Settings& settings) {
  const std::string file = find_source(where.file, settings.directories);
  if (file.empty()) {
    return fmt::format(
        "{} is not found from here: start the program in the project's folder, or say `directory "
        "FOLDER`\n",
        to_string(where));
  }
  const std::vector<std::string> lines = read_source(file);
  const int last = std::min(static_cast<int>(lines.size()), where.line + around);
  std::string text = fmt::format("{}\n", to_string(where));
  for (int number = std::max(1, where.line - around); number <= last; ++number) {
    const char* mark = number == where.line ? "=>" : "  ";
    const std::string line = without_tabs(lines[static_cast<std::size_t>(number) - 1]);
    text += trim_end(fmt::format("{} {:>4}  {}", mark, number, line)) + "\n";
  }
  return text;
}

}  // namespace

std::string source_line(Where where, const Settings& settings) {
  const std::vector<std::string> lines = read_source(find_source(where.file, settings.directories));
  const auto number = static_cast<std::size_t>(where.line);
  return number < 1 || number > lines.size() ? "" : without_tabs(lines[number - 1]);
}

std::string answer_list(const Question& question) {
  const Node& node = node_or_current(question.arguments, question.view);
  if (node.is_leaf()) {
    throw Refused(fmt::format("{} is a leaf: no op made it", label(node)), "an op, as `info nodes` lists them");
  }
  const Where origin = scope_origin(node.scope);
  std::string text = listing(node.called_at, question.settings);
  if (origin.line == 0 || std::string(origin.file) == "") return text;
  return text + fmt::format("in {}, called by\n", module_of(node)) + listing(origin, question.settings);
}

// ---- the position ---------------------------------------------------------------------------------------------------

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
  std::string text = fmt::format("#{} of {}  {}\n", view.at + 1, view.pass->order.size(), describe(*node));
  text += numbers_line(view, *node);
  if (node->backward_of) text += fmt::format("    made while differentiating {}\n", node->backward_of->text.name);
  const std::string line = source_line(node->called_at, settings);
  return line.empty() ? text : text + fmt::format("{}\t{}\n", node->called_at.line, line);
}

std::string answer_where(const Question& question) {
  const Node& node = node_or_current(question.arguments, question.view);
  std::string text = fmt::format("#0  {}\n", describe(node));
  int level = 0;
  for (const Scope* at = node.scope.get(); at; at = at->parent.get()) {
    text += fmt::format("#{}  {}, called at {}\n", ++level, printable(scope_name(*at)), to_string(at->called_from));
  }
  return text;
}

}  // namespace autograd::debug
