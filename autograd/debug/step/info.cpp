// info: lists of nodes, leaves, names, modules and others; and graph: the ops around one.
#include <fmt/core.h>

#include <cmath>
#include <map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "autograd/debug/history.h"
#include "autograd/debug/step/answers.h"
#include "autograd/debug/step/breakpoints.h"
#include "autograd/debug/step/expression.h"
#include "autograd/debug/step/refused.h"
#include "autograd/debug/step/view.h"
#include "autograd/tensor/error.h"
#include "autograd/tensor/factories.h"
#include "autograd/tensor/format.h"
#include "autograd/text/printable.h"
#include "autograd/text/words.h"

namespace autograd::debug {
namespace {

constexpr std::size_t nodes_before = 5;  // the current one
constexpr std::size_t nodes_shown = 20;

constexpr std::int64_t wide = 90;  // columns in which a row of a list has room

std::string state_text(const Node& node, const View& view) {
  const bool here = &node == view.current();
  if (view.is_forward()) return here ? "is here" : view.has_run(node) ? "has run" : "runs later";
  return view.has_run(node) ? "has run" : here ? "runs next" : progress_text(view.progress(node));
}

std::string node_line(const Node& node, const Question& question) {
  const char* mark = &node == question.view.current() ? "=>" : "  ";
  const std::string shape = to_string(node.shape);
  const std::string state = state_text(node, question.view);
  if (question.settings.width < wide) return fmt::format("{} {} {}\n     {}\n", mark, describe(node), shape, state);
  return fmt::format("{} {:<56} {:<14} {}\n", mark, describe(node), shape, state);
}

// The nodes around the current one, or all that are meant by `filter`.
std::string nodes_around(const Question& question) {
  const View& view = question.view;
  const std::size_t here = view.position();
  const std::size_t count = view.pass->order.size();
  const std::size_t first = here > nodes_before ? here - nodes_before : 0;
  const std::size_t last = std::min(count, first + nodes_shown);
  std::string text;
  if (first > 0) text += fmt::format("   .. {} before\n", first);
  for (std::size_t i = first; i < last; ++i) text += node_line(*view.pass->order[i], question);
  if (last < count) text += fmt::format("   .. {} more; `info nodes all` shows them\n", count - last);
  return text;
}

std::string chosen_nodes(const Question& question) {
  const View& view = question.view;
  std::optional<Spot> spot;
  if (question.arguments != "all") spot = parse_spot(question.arguments, view);
  std::string text;
  for (const Ref<Node>& node : view.pass->order) {
    const bool in_module = spot && spot->kind == Spot::Kind::module && call_of(node.get(), spot->text);
    const bool is_op = spot && spot->kind == Spot::Kind::op && spot->text == node->name();
    const bool is_tensor = spot && spot->kind == Spot::Kind::tensor && spot->text == label(*node);
    const bool is_line = spot && spot->kind == Spot::Kind::line && spot->line == node->called_at.line;
    if (!spot || in_module || is_op || is_tensor || is_line) text += node_line(*node, question);
  }
  return text.empty() ? "None.\n" : text;
}

std::string nodes(const Question& question) {
  return question.arguments.empty() ? nodes_around(question) : chosen_nodes(question);
}

std::string gradient_text(const Node& node, const View& view) {
  if (view.is_forward()) return "no backward pass yet";
  const Progress progress = view.progress(node);
  const Tensor gradient = view.gradient(node);
  if (!gradient.defined()) return gradient_state(node, view);
  const std::string text = "gradient " + size_text(gradient);
  return progress.complete() ? text : fmt::format("{} ({})", text, progress_text(progress));
}

std::string leaf_line(const std::string& leaf, DType dtype, const Shape& sizes, const std::string& gradient,
                      const Question& question) {
  const std::string shape = to_string(sizes);
  if (question.settings.width < wide) {
    return fmt::format("{} {} {}\n     {}\n", leaf, name(dtype), shape, gradient);
  }
  return fmt::format("{:<32} {:<8} {:<14} {}\n", leaf, name(dtype), shape, gradient);
}

std::string leaves(const Question& question) {
  const View& view = question.view;
  std::string text;
  for (const Ref<Node>& node : view.pass->order) {
    if (!node->is_leaf()) continue;
    text += leaf_line(label(*node), node->dtype, node->shape, gradient_text(*node, view), question);
  }
  for (const KnownLeaf& leaf : absent_leaves(view)) {
    const std::string reason = short_reason(view.recording->why_not(leaf, *view.pass));
    text += leaf_line(label(leaf), leaf.dtype, leaf.shape, "no gradient: " + reason, question);
  }
  return text.empty() ? "This pass has no leaves.\n" : text;
}

std::string local_line(const std::string& name_, const Tensor& tensor, const std::string& what) {
  if (!tensor.defined()) return fmt::format("  {:<4} {}\n", name_, what);
  return trim_end(fmt::format("  {:<4} {:<8} {:<14} {:<16} {}", name_, name(tensor.dtype()), to_string(tensor.shape()),
                              size_text(tensor), what)) +
         "\n";
}

std::string locals(const Question& question) {
  const View& view = question.view;
  const Node& node = node_or_current("", view);
  std::string text = describe(node) + "\n";
  const Call call = view.call(node);
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    const bool tracked = i < call.from.size() && call.from[i];
    const std::string of = tracked ? label(*call.from[i]) : "a constant";
    text += local_line(fmt::format("x{}", i), call.inputs[i], call.inputs[i].defined() ? of : "left out");
  }
  text += local_line("y", call.output, label(node));
  if (view.is_forward()) return text;
  text += local_line("dy", view.dy(), "the gradient of y");
  if (view.is_real()) return text + "  dx   not yet computed: `step` runs this op's backward\n";
  const Grads gradients = view.pass->gradients_of(view.pass->steps[view.at]);
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    text += local_line(fmt::format("dx{}", i), gradients[i], gradients[i].defined() ? "" : "none flows");
  }
  return text;
}

std::string names(const Question& question) {
  const View& view = question.view;
  std::string text;
  for (const std::string& each : view.index->names()) {
    const std::size_t count = view.index->named(each).size();
    text += fmt::format("{} {}{}\n", each, view.index->named(each).front()->shape,
                        count > 1 ? fmt::format(" and {} more of this name", count - 1) : "");
  }
  return text.empty() ? "No tensor of this pass has a name: call set_name(), or use %NUMBER.\n" : text;
}

std::string modules(const Question& question) {
  std::string text;
  for (const std::string& module : modules_of(question.view)) text += module + "\n";
  return text.empty() ? "No op of this pass ran in a module.\n" : text;
}

std::string ops(const Question& question) {
  std::map<std::string, int> counts;
  for (const Ref<Node>& node : question.view.pass->order) ++counts[node->name()];
  std::string text;
  for (const auto& [op, count] : counts) text += fmt::format("{:>5} {}\n", count, op);
  return text;
}

std::string pass(const Question& question) {
  const View& view = question.view;
  const PassRecord& record = *view.pass;
  if (view.is_forward()) {
    return fmt::format("the forward pass, {} so far; no backward pass yet\n", record.all_text());
  }
  std::string text = fmt::format("pass {}: {}() at {}\n", record.number, record.captures_only ? "grad" : "backward",
                                 to_string(record.called_at));
  text += fmt::format("{}; {} of {} have run, seen from before #{}\n", record.all_text(), record.steps.size(),
                      record.order.size(), view.at + 1);
  const std::size_t arrived = record.contributions_after(view.at);
  text += fmt::format("{} contribution{} arrived\n", arrived, arrived == 1 ? " has" : "s have");
  for (const Contribution& start : record.contributions) {
    if (start.from) break;
    text += fmt::format("started at {} with {}\n", describe(*start.to), size_text(start.value.tensor()));
  }
  return text;
}

// Of all passes so far, this one too: norms in the last of them, and the gradient's from the first to the last.
std::string passes(const Question& question) {
  const History& history = question.view.recording->history();
  std::string text = fmt::format("{:<24} {:>10} {:>10} {:>10}  in pass {}\n", "", "gradient", "weight", "update",
                                 history.passes.empty() ? 0 : history.passes.back());
  for (const ModuleHistory& module : history.modules) {
    const ModuleSizes& last = module.sizes.back();
    const auto shown = [](double norm) { return std::isnan(norm) ? std::string("-") : rough(norm); };
    text += fmt::format("{:<24} {:>10} {:>10} {:>10}\n", module.module, shown(last.gradient), shown(last.weight),
                        shown(last.update));
    std::vector<double> gradients;
    for (const ModuleSizes& each : module.sizes) gradients.push_back(each.gradient);
    if (gradients.size() > 1) text += "  gradient " + heatmap(tensor(gradients, float64), question.settings);
  }
  return history.modules.empty() ? "No pass has ended yet.\n" : text;
}

}  // namespace

std::string answer_info(const Question& question) {
  using Topic = std::string (*)(const Question&);
  static const std::map<std::string, Topic> topics = {{"leaves", leaves}, {"locals", locals}, {"modules", modules},
                                                      {"names", names},   {"nodes", nodes},   {"ops", ops},
                                                      {"pass", pass},     {"passes", passes}};
  constexpr const char* expected =
      "nodes, leaves, locals, names, modules, ops, pass, passes, breakpoints, watch or display";
  std::string rest = question.arguments;
  const std::string word = take_word(rest);
  if (word.empty()) throw Refused("no topic is given", expected);
  std::vector<Topic> found;
  for (const auto& [topic, text] : topics) {
    if (topic == word) return text({question.view, question.settings, rest});
    if (topic.rfind(word, 0) == 0) found.push_back(text);
  }
  if (found.size() == 1) return found[0]({question.view, question.settings, rest});
  throw Refused(fmt::format("'{}' is {}", printable(word), found.empty() ? "not a topic" : "not clear"), expected);
}

// ---- graph ----------------------------------------------------------------------------------------------------------
namespace {

constexpr std::size_t most_lines = 60;
constexpr std::int64_t deepest = 50;

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

std::string graph_line(const Node& node, const View& view) {
  const bool has_gradient = !view.is_forward() && &node != view.current();
  return fmt::format("{} {}  {}\n", describe(node), node.shape,
                     has_gradient ? gradient_text(node, view) : state_text(node, view));
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
    text += here.level == 0 ? "=> " : fmt::format("{}x{} = ", indent, here.input);
    text += again ? label(*here.node) + ", see above\n" : graph_line(*here.node, view);
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
