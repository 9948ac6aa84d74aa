#include "autograd/debug/step/expression.h"

#include <fmt/core.h>

#include <algorithm>

#include "autograd/debug/step/refused.h"
#include "autograd/debug/step/view.h"
#include "autograd/debug/unobserved.h"
#include "autograd/ops/ops.h"
#include "autograd/tensor/format.h"
#include "autograd/text/printable.h"
#include "autograd/text/words.h"

namespace autograd::debug {
namespace {

constexpr const char* expected_expression = "NAME, %NUMBER, dy, y, x0 or dx0, then .grad or [1, 0:2] if you like";

// ---- reading --------------------------------------------------------------------------------------------------------

std::optional<std::int64_t> bound(std::string_view text, std::int64_t otherwise) {
  const std::string word = trim(text);
  return word.empty() ? otherwise : whole_number(word);
}

[[noreturn]] void refuse_index(std::string_view part) {
  throw Refused(fmt::format("'{}' is not an index", printable(part)),
                "a whole number or start:stop:step, as in [1, 0:2]");
}

Pick parse_pick(std::string_view part) {
  const std::size_t colon = part.find(':');
  Pick pick;
  if (colon == std::string_view::npos) {
    const std::optional<std::int64_t> number = whole_number(trim(part));
    if (!number) refuse_index(part);
    pick.start = *number;
    return pick;
  }
  const std::string_view rest = part.substr(colon + 1);
  const std::size_t second = std::min(rest.find(':'), rest.size());
  const std::optional<std::int64_t> start = bound(part.substr(0, colon), 0);
  const std::optional<std::int64_t> stop = bound(rest.substr(0, second), INT64_MAX);
  const std::optional<std::int64_t> step = second == rest.size() ? 1 : bound(rest.substr(second + 1), 1);
  if (!start || !stop || !step || *step < 1) refuse_index(part);
  return {true, *start, *stop, *step};
}

void parse_picks(std::string_view inside, Expression& expression) {
  expression.has_picks = true;
  std::size_t begin = 0;
  while (begin <= inside.size()) {
    const std::size_t end = std::min(inside.find(',', begin), inside.size());
    expression.picks.push_back(parse_pick(inside.substr(begin, end - begin)));
    begin = end + 1;
  }
}

// "[1, 0:2]", or "[1][0:2]" as in C++.
void parse_brackets(const std::string& text, Expression& expression) {
  std::size_t begin = 0;
  while (begin < text.size()) {
    const bool after_range =
        std::any_of(expression.picks.begin(), expression.picks.end(), [](const Pick& pick) { return pick.is_range; });
    if (after_range) {
      throw Refused(fmt::format("'{}' picks from a range", printable(text)), "one pair of brackets, as in [0:2, 1]");
    }
    const std::size_t end = text.find(']', begin);
    parse_picks(std::string_view(text).substr(begin + 1, end - begin - 1), expression);
    begin = text.find_first_not_of(" \t", end + 1);
    if (begin != std::string::npos && text[begin] != '[') {
      throw Refused(fmt::format("'{}' is not expected", printable(text.substr(begin))), "brackets such as [1, 0:2]");
    }
  }
}

}  // namespace

Expression parse_expression(std::string_view given) {
  Expression expression;
  expression.text = trim(given);
  std::string rest = expression.text;
  if (rest.empty()) throw Refused("nothing is named", expected_expression);
  if (rest[0] == '"') {
    const std::size_t end = rest.find('"', 1);
    if (end == std::string::npos) throw Refused("the name has no end", "a second \"");
    expression.quoted = true;
    expression.target = rest.substr(1, end - 1);
    rest = trim(std::string_view(rest).substr(end + 1));
    if (rest.rfind(".grad", 0) == 0) {
      expression.target += ".grad";
      rest = trim(std::string_view(rest).substr(5));
    }
  } else {
    const std::size_t bracket = std::min(rest.find('['), rest.size());
    expression.target = trim(std::string_view(rest).substr(0, bracket));
    rest = rest.substr(bracket);
  }
  if (!rest.empty()) {
    if (rest.front() != '[' || rest.back() != ']') {
      throw Refused(fmt::format("'{}' does not end", printable(rest)), "brackets such as [1, 0:2]");
    }
    parse_brackets(rest, expression);
  }
  if (expression.target.empty()) throw Refused("nothing is named", expected_expression);
  return expression;
}

// ---- looking up -----------------------------------------------------------------------------------------------------

namespace {

// The number in "x12" after the letters, 0 if there is none.
std::optional<std::size_t> local_number(std::string_view word, std::string_view letters) {
  if (word.substr(0, letters.size()) != letters) return {};
  const std::string_view digits = word.substr(letters.size());
  if (digits.empty()) return 0;
  const std::optional<std::int64_t> number = whole_number(digits);
  if (!number || *number < 0 || *number > 1000) return {};
  return static_cast<std::size_t>(*number);
}

const Node& current_op(const View& view, std::string_view asked) {
  if (const Node* node = view.current()) return *node;
  throw Refused(fmt::format("there is no current op {}, so no {}", end_text(view), asked), "a name, or `back`");
}

const Node* loss_of(const View& view) {
  const auto& contributions = view.pass->contributions;
  return contributions.empty() || contributions[0].from ? nullptr : contributions[0].to;
}

// The node of this name in the pass or among the recorded calls; nullptr if there is none.
const Node* lookup(const std::string& name, bool quoted, const View& view) {
  if (name.size() > 1 && name[0] == '%') {
    const std::optional<std::int64_t> number = whole_number(std::string_view(name).substr(1));
    if (!number || *number < 0) return nullptr;
    const auto key = static_cast<std::uint64_t>(*number);
    if (const Node* node = view.pass->numbered(key)) return node;
    const auto recorded = view.recording->calls().find(key);
    return recorded == view.recording->calls().end() ? nullptr : recorded->second.node;
  }
  const std::vector<const Node*>& named = view.index->named(name);
  if (!named.empty()) return named.front();
  if (const Node* node = view.index->recorded(name)) return node;
  return name == "loss" && !quoted ? loss_of(view) : nullptr;
}

[[noreturn]] void refuse_name(std::string_view name, const View& view) {
  if (name == "loss") check_is_backward(view);
  if (const std::optional<KnownLeaf> leaf = absent_leaf(std::string(name), view)) refuse_absent(*leaf, view);
  std::vector<std::string> names = view.index->names();
  if (!view.is_forward()) names.insert(names.end(), {"loss", "dy"});
  throw Refused(fmt::format("no tensor of this pass is called '{}'{}", printable(name), near_text(name, names)),
                "a name from `info names`, or %NUMBER from `info nodes`");
}

Value value_of(const Node& node, const View& view) {
  Value value;
  value.node = &node;
  value.title = label(node);
  value.tensor = view.value(node);
  if (!value.tensor.defined()) value.note = "was not recorded: the debugger was attached after it ran";
  return value;
}

// Of a leaf that is not part of the pass: its value as it is now.
Value value_of(const KnownLeaf& leaf) {
  Value value;
  value.title = label(leaf);
  value.tensor = Tensor(Ref<TensorImpl>(leaf.tensor)).detach();
  return value;
}

Value gradient_of(const KnownLeaf& leaf, const View& view) {
  Value value;
  value.is_gradient = true;
  value.title = label(leaf) + ".grad";
  value.note = absence_text(leaf, view);
  return value;
}

Value gradient_of(const Node& node, const View& view) {
  check_is_backward(view);
  Value value;
  value.node = &node;
  value.is_gradient = true;
  value.title = label(node) + ".grad";
  const Progress progress = view.progress(node);
  if (!progress.complete()) value.note = gradient_state(node, view);
  return value;  // the tensor is filled in once the wanted elements are known
}

[[noreturn]] void refuse_input(const Node& node, std::string_view asked, std::size_t count) {
  throw Refused(fmt::format("{} has no {}", describe(node), asked),
                count == 0 ? "y or dy: it has no inputs" : fmt::format("x0 .. x{}", count - 1));
}

Value input_of(const View& view, std::size_t i, const std::string& asked) {
  const Node& node = current_op(view, asked);
  const Call call = view.call(node);
  if (i >= call.inputs.size()) refuse_input(node, asked, call.inputs.size());
  Value value;
  value.title = asked;
  value.tensor = call.inputs[i];
  value.node = i < call.from.size() ? call.from[i].get() : nullptr;
  if (!value.tensor.defined()) value.note = "is undefined: this input was left out";
  return value;
}

// The gradient that the current op's backward returns for its i-th input, known once it has run.
Value input_gradient_of(const View& view, std::size_t i, const std::string& asked) {
  check_is_backward(view);
  const Node& node = current_op(view, asked);
  const Call call = view.call(node);
  if (i >= call.inputs.size()) refuse_input(node, asked, call.inputs.size());
  Value value;
  value.title = asked;
  value.is_gradient = true;
  if (view.is_real()) {
    value.note = "not yet computed: this op's backward runs next, `step` runs it";
    return value;
  }
  const Grads gradients = view.pass->gradients_of(view.pass->steps[view.at]);
  if (i < gradients.size()) value.tensor = gradients[i];
  if (!value.tensor.defined()) value.note = "is undefined: none flows to this input";
  return value;
}

std::optional<Value> local(const std::string& word, const View& view) {
  if (word == "y") return value_of(current_op(view, word), view);
  if (word == "dy") {
    Value value = gradient_of(current_op(view, word), view);
    value.title = "dy";
    value.note = "";
    return value;
  }
  if (const auto i = local_number(word, "dx")) return input_gradient_of(view, *i, word);
  if (const auto i = local_number(word, "x")) return input_of(view, *i, word);
  return {};
}

// "W" of "W.grad", and of "W".
std::string without_grad(const std::string& target) {
  return target.substr(0, target.size() - (target.ends_with(".grad") ? 5 : 0));
}

std::optional<Value> whole_gradient(const std::string& name, bool quoted, const View& view) {
  if (const Node* node = lookup(name, quoted, view)) return gradient_of(*node, view);
  const std::optional<Value> of_op = quoted ? std::nullopt : local(name, view);
  if (of_op && of_op->node && !of_op->is_gradient) return gradient_of(*of_op->node, view);
  if (const std::optional<KnownLeaf> leaf = absent_leaf(name, view)) return gradient_of(*leaf, view);
  if (!of_op && !view.index->input(name).defined()) return {};
  throw Refused(fmt::format("{} needs no gradient", printable(name)), "a tensor on the way to a parameter");
}

std::optional<Value> whole(const Expression& expression, const View& view) {
  const std::string& target = expression.target;
  if (const Node* node = lookup(target, expression.quoted, view)) return value_of(*node, view);
  const std::string name = without_grad(target);
  if (name != target) return whole_gradient(name, expression.quoted, view);
  if (!expression.quoted) {
    if (std::optional<Value> value = local(target, view)) return value;
  }
  if (const std::optional<KnownLeaf> leaf = absent_leaf(target, view)) return value_of(*leaf);
  Value value;  // a tensor without a node, such as a mask or the targets
  value.title = printable(target);
  value.tensor = view.index->input(target);
  return value.tensor.defined() ? std::optional(value) : std::nullopt;
}

// ---- picking --------------------------------------------------------------------------------------------------------

void check_picks(const Expression& expression, const std::string& title, const Shape& shape) {
  const auto count = static_cast<int>(expression.picks.size());
  if (count > shape.dim()) {
    throw Refused(fmt::format("{} has {} dims, {} are indexed", title, shape.dim(), count),
                  fmt::format("at most {} indices for {}", shape.dim(), shape));
  }
  for (int dim = 0; dim < count; ++dim) {
    const Pick& pick = expression.picks[static_cast<std::size_t>(dim)];
    if (pick.is_range || (pick.start >= -shape[dim] && pick.start < shape[dim])) continue;
    throw Refused(
        fmt::format("index {} is out of range for dim {} of {} {}", pick.start, dim, title, shape),
        shape[dim] == 0 ? "another tensor: this one is empty" : fmt::format("{} .. {}", -shape[dim], shape[dim] - 1));
  }
}

// The gradient as far as it has arrived, or some of its elements.
Tensor picked_gradient(const Node& node, const View& view, const std::vector<Pick>& picks) {
  if (&node == view.current() || view.has_run(node)) return pick_from(view.gradient(node), picks);
  return view.index->sum(node, picks, view.pass->arrived(node, view.at));
}

bool picks_one_element(const std::vector<Pick>& picks, const Shape& shape) {
  if (static_cast<int>(picks.size()) != shape.dim()) return false;
  return std::none_of(picks.begin(), picks.end(), [](const Pick& pick) { return pick.is_range; });
}

const Shape* shape_of(const Value& value) {
  if (value.tensor.defined()) return &value.tensor.shape();
  return value.node ? &value.node->shape : nullptr;
}

}  // namespace

Value evaluate(const Expression& expression, const View& view) {
  if (std::optional<Value> value = find_value(expression, view)) return *value;
  refuse_name(without_grad(expression.target), view);
}

std::optional<Value> find_value(const Expression& expression, const View& view) {
  std::optional<Value> found = whole(expression, view);
  const Shape* const shape_found = found ? shape_of(*found) : nullptr;
  if (!shape_found) return found;
  Value& value = *found;
  const Shape shape = *shape_found;
  check_picks(expression, value.title, shape);
  value.is_element = picks_one_element(expression.picks, shape);
  if (value.is_element) {
    for (std::size_t dim = 0; dim < expression.picks.size(); ++dim) {
      const std::int64_t i = expression.picks[dim].start;
      value.element.push_back(i < 0 ? i + shape[static_cast<std::int64_t>(dim)] : i);
    }
  }
  if (expression.has_picks) value.title += value.is_element ? index_text(value.element) : text_of(expression.picks);
  if (value.is_gradient && value.node) {
    value.tensor = picked_gradient(*value.node, view, expression.picks);
  } else if (expression.has_picks && value.tensor.defined()) {
    value.tensor = pick_from(value.tensor, expression.picks);
  }
  return found;
}

Element evaluate_element(std::string_view text, const View& view) {
  const Expression expression = parse_expression(text);
  const Value value = evaluate(expression, view);
  if (!value.node) {
    if (const std::optional<KnownLeaf> leaf = named_absent(expression, view)) refuse_absent(*leaf, view);
    throw Refused(fmt::format("{} needs no gradient", value.title), "an element of a tensor on the tape, as in W[1,2]");
  }
  Element element{value.node, value.element, ""};
  if (!value.is_element) {
    if (expression.has_picks || value.node->shape.numel() != 1) {
      throw Refused(fmt::format("{} is {}, not one element", value.title, value.node->shape),
                    fmt::format("{} indices, as in W[1,2]", value.node->shape.dim()));
    }
    element.index.assign(static_cast<std::size_t>(value.node->shape.dim()), 0);
  }
  element.title = label(*value.node) + index_text(element.index);
  return element;
}

std::optional<KnownLeaf> named_absent(const Expression& expression, const View& view) {
  if (std::optional<KnownLeaf> leaf = absent_leaf(expression.target, view)) return leaf;
  return absent_leaf(without_grad(expression.target), view);
}

void refuse_absent(const KnownLeaf& leaf, const View& view) {
  throw Refused(fmt::format("{} {}", label(leaf), absence_text(leaf, view)), "a tensor that a path leads to");
}

const Node* named_node(const Expression& expression, const View& view) {
  if (const Node* node = lookup(expression.target, expression.quoted, view)) return node;
  return lookup(without_grad(expression.target), expression.quoted, view);
}

const Node& find_node(std::string_view text, const View& view) {
  Expression expression = parse_expression(text);
  if (!expression.has_picks) {
    if (const Node* node = lookup(expression.target, expression.quoted, view)) return *node;
  }
  const Value value = evaluate(expression, view);
  if (value.node) return *value.node;
  throw Refused(fmt::format("{} was made by no recorded op", value.title), "a name or %NUMBER on the tape");
}

const Node& node_or_current(std::string_view text, const View& view) {
  if (!trim(text).empty()) return find_node(text, view);
  if (const Node* node = view.current()) return *node;
  throw Refused(fmt::format("there is no current op {}", end_text(view)), "a name or %NUMBER, or `back`");
}

}  // namespace autograd::debug
