#include "autograd/debug/step/breakpoints.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "autograd/debug/step/answers.h"
#include "autograd/debug/step/refused.h"
#include "autograd/debug/unobserved.h"
#include "autograd/ops/all_ops.h"
#include "autograd/ops/ops.h"
#include "autograd/text/printable.h"
#include "autograd/text/words.h"

namespace autograd::debug {
namespace {

constexpr const char* expected_spot =
    "an op, a tensor, a module, FILE:LINE, nan, inf, wrong, norm>NUMBER, or `if CONDITION`";

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// Of the engine, and of this pass, which may have the program's own.
std::set<std::string> known_ops(const View& view) {
  std::set<std::string> names;
  for (const OpInfo* op : all_ops()) names.insert(op->text.name);
  for (const Ref<Node>& node : view.pass->order) {
    if (!node->is_leaf()) names.insert(node->name());
  }
  return names;
}

bool is_file(const std::string& wanted, std::string_view file) {
  return file == wanted || ends_with(file, "/" + wanted);
}

bool is_line(Where where, const Spot& spot) {
  return where.line == spot.line && is_file(spot.text, where.file);
}

// The outermost module call that this line made, if the op is inside one.
const Scope* call_made_at(const Node* node, const Spot& spot) {
  const Scope* call = nullptr;
  if (!node) return nullptr;
  for (const Scope* at = node->scope.get(); at; at = at->parent.get()) {
    if (is_line(at->called_from, spot)) call = at;
  }
  return call;
}

bool has_line(const View& view, const Spot& spot) {
  return std::any_of(view.pass->order.begin(), view.pass->order.end(), [&](const Ref<Node>& node) {
    return is_line(node->called_at, spot) || call_made_at(node.get(), spot);
  });
}

// Which lines of the file have ops, for an error about a line that has none.
std::string lines_with_ops(const View& view, const std::string& file) {
  std::set<int> lines;
  for (const Ref<Node>& node : view.pass->order) {
    if (!node->is_leaf() && is_file(file, node->called_at.file)) lines.insert(node->called_at.line);
    for (const Scope* at = node->scope.get(); at; at = at->parent.get()) {
      if (is_file(file, at->called_from.file)) lines.insert(at->called_from.line);
    }
  }
  std::string text;
  for (const int line : lines) {
    if (text.size() > 60) return text + ", ..";
    text += fmt::format("{}{}", text.empty() ? "" : ", ", line);
  }
  return text.empty() ? "a file with ops of this pass, see `info nodes`" : "one of the lines " + text;
}

std::optional<Spot> parse_line(const std::string& text, const View& view) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return {};
  const std::optional<std::int64_t> line = whole_number(text.substr(colon + 1));
  if (!line || *line < 1 || *line > 100'000'000) return {};
  const Spot spot{Spot::Kind::line, text.substr(0, colon), static_cast<int>(*line), {}};
  if (has_line(view, spot)) return spot;
  throw Refused(fmt::format("no op of this pass was called at {}", printable(text)), lines_with_ops(view, spot.text));
}

bool is_module(const std::string& chain, const std::string& wanted) {
  return !chain.empty() && (chain == wanted || ends_with(chain, "." + wanted));
}

bool is_module_of(const std::string& word, const View& view) {
  return std::any_of(view.pass->order.begin(), view.pass->order.end(),
                     [&](const Ref<Node>& node) { return call_of(node.get(), word) != nullptr; });
}

bool is_named(const std::string& word, const View& view) {
  return word.rfind('%', 0) == 0 || !view.index->named(word).empty() || word.rfind('"', 0) == 0;
}

Spot parse_place(const std::string& text, const View& view) {
  if (text == "nan") return {Spot::Kind::nan, "nan", 0, {}};
  if (text == "inf") return {Spot::Kind::inf, "inf", 0, {}};
  if (text == "wrong") return {Spot::Kind::wrong, "wrong", 0, {}};
  if (known_ops(view).contains(text)) return {Spot::Kind::op, text, 0, {}};
  if (is_named(text, view) || text == "loss") {
    return {Spot::Kind::tensor, label(find_node(text, view)), 0, {}};
  }
  if (is_module_of(text, view)) return {Spot::Kind::module, text, 0, {}};
  if (const auto line = parse_line(text, view)) return *line;
  if (text.find_first_of("<>=!") != std::string::npos) return {Spot::Kind::anywhere, "", 0, parse_condition(text)};
  if (const std::optional<KnownLeaf> leaf = absent_leaf(text, view)) refuse_absent(*leaf, view);
  std::vector<std::string> known = view.index->names();
  for (const std::string& op : known_ops(view)) known.push_back(op);
  for (const std::string& module : modules_of(view)) known.push_back(module);
  throw Refused(fmt::format("'{}' is not a place{}", printable(text), near_text(text, known)), expected_spot);
}

// Where the word "if" begins that introduces a condition.
std::size_t find_if(const std::string& text) {
  if (text.rfind("if ", 0) == 0) return 0;
  const std::size_t at = text.find(" if ");
  return at == std::string::npos ? at : at + 1;
}

const Node* before(const View& view) {
  return view.at == 0 ? nullptr : view.pass->steps[view.at - 1].node.get();
}

bool enters_module(const Spot& spot, const View& view) {
  const Scope* now = call_of(view.current(), spot.text);
  return now && now != call_of(before(view), spot.text);
}

// An op that the line called, or the first one of a module call that it made.
bool reaches_line(const Spot& spot, const View& view) {
  if (is_line(view.current()->called_at, spot)) return true;
  const Scope* now = call_made_at(view.current(), spot);
  return now && now != call_made_at(before(view), spot);
}

}  // namespace

const Scope* call_of(const Node* node, const std::string& wanted) {
  if (!node) return nullptr;
  for (const Scope* at = node->scope.get(); at; at = at->parent.get()) {
    if (!at->is_step() && is_module(module_name(at), wanted)) return at;
    if (is_module(printable(scope_path(Ref<Scope>(const_cast<Scope*>(at)))), wanted)) return at;
  }
  return nullptr;
}

std::vector<std::string> modules_of(const View& view) {
  std::set<std::string> seen;
  std::vector<std::string> modules;
  for (const Ref<Node>& node : view.pass->order) {
    const std::string module = module_name(node->scope.get());
    if (!module.empty() && seen.insert(module).second) modules.push_back(module);
  }
  return modules;
}

Spot parse_spot(std::string_view given, const View& view) {
  const std::string text = trim(given);
  const std::size_t at = find_if(text);
  const std::string place = trim(text.substr(0, at));
  if (place.empty() && at == std::string::npos) throw Refused("no place is given", expected_spot);
  Spot spot;
  if (!place.empty()) spot = parse_place(place, view);
  if (at == std::string::npos) return spot;
  if (spot.condition) throw Refused("there are two conditions", "them joined by `and`");
  spot.condition = parse_condition(text.substr(at + 3));
  return spot;
}

bool is_called_ahead(const Spot& spot, const View& view) {
  const Scope* now = call_of(view.current(), spot.text);
  const auto& order = view.pass->order;
  for (std::size_t i = view.position() + 1; i < order.size(); ++i) {
    const Scope* next = call_of(order[i].get(), spot.text);
    if (next && next != now) return true;
    now = next;
  }
  return false;
}

std::string to_string(const Spot& spot) {
  std::string text;
  switch (spot.kind) {
    case Spot::Kind::anywhere: break;
    case Spot::Kind::op: text = "op " + spot.text; break;
    case Spot::Kind::tensor: text = "tensor " + spot.text; break;
    case Spot::Kind::module: text = "module " + printable(spot.text); break;
    case Spot::Kind::line: text = fmt::format("{}:{}", printable(spot.text), spot.line); break;
    default: text = spot.text; break;
  }
  if (!spot.condition) return text;
  return text + (text.empty() ? "if " : " if ") + printable(spot.condition->text);
}

// ---- NaN and infinity -----------------------------------------------------------------------------------------------

namespace {

std::string odd_elements(const Tensor& tensor, bool nan) {
  {
    const Unobserved unobserved;
    if (!tensor.defined() || !is_floating(tensor.dtype()) || all_finite(tensor)) return "";
  }
  std::int64_t count = 0;
  std::int64_t first = 0;
  const std::vector<double> values = tensor.to_vector();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool odd = nan ? std::isnan(values[i]) : std::isinf(values[i]);
    if (odd && count++ == 0) first = static_cast<std::int64_t>(i);
  }
  if (count == 0) return "";
  const std::string at = tensor.dim() == 0 ? "" : ", the first at " + index_text(index_of(first, tensor.shape()));
  return fmt::format("{} {} of {}{}", count, nan ? "NaN" : "infinite", values.size(), at);
}

// "the gradient that %12 div gave to %10 has 3 NaN of 8, the first at [0, 1]", for the last step; "" if neither what it
// gave nor a sum that this completed has a NaN, or an infinity if `nan` is false.
std::string odd_contribution(const View& view, bool nan) {
  const PassRecord& pass = *view.pass;
  const std::size_t begin = view.at == 0 ? 0 : pass.steps[view.at - 1].first;
  for (std::size_t i = begin; i < pass.contributions_after(view.at); ++i) {
    const Contribution& given = pass.contributions[i];
    if (const std::string odd = odd_elements(pass.value_of(given), nan); !odd.empty()) {
      const std::string giver = given.from ? describe(*given.from) + " gave to" : "the pass started with at";
      return fmt::format("the gradient that {} {} has {}", giver, label(*given.to), odd);
    }
    if (view.at == 0 || pass.arrived(*given.to, view.at) < 2) continue;
    const std::string sum = odd_elements(pass.gradient(*given.to, view.at), nan);  // infinity - infinity is NaN
    if (sum.empty() || !odd_elements(pass.gradient(*given.to, view.at - 1), nan).empty()) continue;
    return fmt::format("the gradients that {} has got add up to {}", label(*given.to), sum);
  }
  return "";
}

}  // namespace

// ---- watches --------------------------------------------------------------------------------------------------------

Expression parse_watched(std::string_view text, const View& view) {
  Expression expression = parse_expression(text);
  const Value value = evaluate(expression, view);
  if (const std::optional<KnownLeaf> leaf = named_absent(expression, view)) refuse_absent(*leaf, view);
  if (!value.is_gradient || !named_node(expression, view)) {
    throw Refused(fmt::format("{} does not change while backward runs", value.title),
                  "a gradient, as in W.grad or W.grad[1,2]");
  }
  return expression;
}

namespace {

// The watched part of a gradient as it was at this position.
std::string amount(const Expression& expression, const View& view) {
  const Value value = evaluate(expression, view);
  if (!value.tensor.defined()) return value.note;
  const std::string text =
      value.tensor.numel() == 1 ? exact(value.tensor.to_vector()[0], value.tensor.dtype()) : size_text(value.tensor);
  return value.note.empty() ? text : fmt::format("{} ({})", text, value.note);
}

bool same_value(const Expression& expression, const View& before, const View& after) {
  const Tensor a = evaluate(expression, before).tensor;
  const Tensor b = evaluate(expression, after).tensor;
  return a.defined() == b.defined() && (!a.defined() || same_bits(a, b));
}

std::string givers(const Node& node, const View& before, const View& after) {
  std::string text;
  const auto given = after.pass->contributions_to(node, after.at);
  for (std::size_t i = before.pass->arrived(node, before.at); i < given.size(); ++i) {
    const std::string giver = given[i]->from ? describe(*given[i]->from) : "the start of the pass";
    text += fmt::format("  By  = {}\n", giver);
  }
  return text;
}

// What the step between two positions did to a watched gradient: the lines to show, "" if nothing.
std::string change_of(const Expression& watched, const View& before, const View& after) {
  const View& later = before.at < after.at ? after : before;
  const View& earlier = before.at < after.at ? before : after;
  try {
    const Node* node = named_node(watched, later);
    // Only a new contribution can change it, which can be looked up quickly.
    if (!node || later.pass->arrived(*node, later.at) == earlier.pass->arrived(*node, earlier.at)) return "";
    if (same_value(watched, earlier, later)) return "";
    return fmt::format("  Old = {}\n  New = {}\n{}", amount(watched, before), amount(watched, after),
                       givers(*node, earlier, later));
  } catch (const std::exception&) {  // this pass has no such tensor
    return "";
  }
}

}  // namespace

// ---- what is met ----------------------------------------------------------------------------------------------------

namespace {

bool stands_at(const Spot& spot, const View& view) {
  const Node* node = view.current();
  switch (spot.kind) {
    case Spot::Kind::nan:
    case Spot::Kind::inf: return !odd_contribution(view, spot.kind == Spot::Kind::nan).empty();
    case Spot::Kind::op: return node && spot.text == node->name();
    case Spot::Kind::tensor: return node && label(*node) == spot.text;
    case Spot::Kind::module: return node && enters_module(spot, view);
    case Spot::Kind::line: return node && reaches_line(spot, view);
    case Spot::Kind::wrong: return node && has_wrong_derivative(view);
    case Spot::Kind::anywhere: break;
  }
  return node != nullptr;
}

}  // namespace

bool matches(const Spot& spot, const View& view) {
  return stands_at(spot, view) && (!spot.condition || holds(*spot.condition, view));
}

const char* kind_of(const Breakpoint& breakpoint) {
  return breakpoint.watched ? "Watch" : "Breakpoint";
}

std::string to_string(const Breakpoint& breakpoint) {
  return breakpoint.watched ? printable(breakpoint.watched->text) : to_string(breakpoint.spot);
}

std::optional<std::string> met(const Breakpoint& breakpoint, std::size_t came_from, const View& view) {
  if (breakpoint.watched) {
    View before = view;
    before.at = came_from;
    const std::string change = change_of(*breakpoint.watched, before, view);
    return change.empty() ? std::nullopt : std::optional(change);
  }
  if (!matches(breakpoint.spot, view)) return {};
  const bool nan = breakpoint.spot.kind == Spot::Kind::nan;
  const bool odd = nan || breakpoint.spot.kind == Spot::Kind::inf;
  return odd ? fmt::format("  {}\n", odd_contribution(view, nan)) : "";
}

}  // namespace autograd::debug
