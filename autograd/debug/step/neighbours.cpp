// graph: the ops around one, as text.
#include <fmt/core.h>

#include <unordered_set>
#include <utility>

#include "autograd/debug/step/answers.h"
#include "autograd/debug/step/expression.h"
#include "autograd/debug/step/refused.h"
#include "autograd/tensor/format.h"

namespace autograd::debug {
namespace {

constexpr std::size_t most_lines = 60;
constexpr std::int64_t deepest = 50;

std::string state_of(const Node& node, const View& view) {
  if (view.is_forward()) return &node == view.current() ? "is here" : view.has_run(node) ? "has run" : "runs later";
  if (&node == view.current()) return "runs next";
  const Tensor gradient = view.gradient(node);
  const std::string progress = progress_text(view.progress(node));
  return gradient.defined() ? fmt::format("grad {}, {}", size_text(gradient), progress) : progress;
}

std::string line_of(const Node& node, const View& view) {
  return fmt::format("{} {}  {}\n", describe(node), node.shape, state_of(node, view));
}

// The inputs of a node, even if {.release_graph = true} has cut them off.
std::vector<const Node*> inputs_of(const Node& node, const View& view) {
  std::vector<const Node*> inputs;
  if (const KeptCall* call = view.recording->kept(node)) {
    for (const Ref<Node>& from : call->from) inputs.push_back(from.get());
  } else {
    for (const Ref<Node>& from : node.inputs) inputs.push_back(from.get());
  }
  return inputs;
}

std::string users_text(const Node& node, const View& view) {
  std::string text;
  std::size_t count = 0;
  for (const Use& use : view.pass->uses(node)) {
    if (++count > 20) return text + fmt::format("   .. {} more\n", view.pass->uses(node).size() - 20);
    text += fmt::format("   {} uses it as x{}\n", describe(*use.user), use.input);
  }
  const char* nobody = view.is_forward() ? "   (no op uses it yet)\n" : "   (the pass starts here)\n";
  return text.empty() ? nobody : text;
}

// The ops that the node was computed from, down to `levels` levels. Without recursion; each op is expanded once.
std::string inputs_text(const Node& root, std::int64_t levels, const View& view) {
  struct Waiting {
    const Node* node;
    std::size_t input;
    std::int64_t level;
  };
  std::string text;
  std::size_t lines = 0;
  std::unordered_set<const Node*> opened;
  std::vector<Waiting> stack = {{&root, 0, 0}};
  while (!stack.empty()) {
    const Waiting here = stack.back();
    stack.pop_back();
    if (++lines > most_lines) return text + "   ..\n";
    const bool again = !opened.insert(here.node).second;
    const std::string indent(static_cast<std::size_t>(here.level) * 3, ' ');
    const std::string from = here.level == 0 ? "=> " : fmt::format("{}x{} = ", indent, here.input);
    text += from + (again ? label(*here.node) + ", see above\n" : line_of(*here.node, view));
    if (again || here.level == levels) continue;
    const std::vector<const Node*> inputs = inputs_of(*here.node, view);
    for (std::size_t i = inputs.size(); i-- > 0;) {
      if (inputs[i]) stack.push_back({inputs[i], i, here.level + 1});
    }
  }
  return text;
}

}  // namespace

std::string answer_graph(const Question& question) {
  std::string rest = question.arguments;
  std::int64_t levels = 2;
  const std::size_t space = rest.find_last_of(' ');
  const std::string last = space == std::string::npos ? rest : rest.substr(space + 1);
  if (whole_number(last)) {
    levels = parse_count(last, 1, deepest, "depth");
    rest = trim(std::string_view(rest).substr(0, rest.size() - last.size()));
  }
  const Node& node = node_or_current(rest, question.view);
  return users_text(node, question.view) + inputs_text(node, levels, question.view);
}

}  // namespace autograd::debug
