#include "autograd/debug/dap/variables.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "autograd/debug/dap/adapter.h"
#include "autograd/debug/dap/requests.h"
#include "autograd/debug/step/commands.h"
#include "autograd/debug/step/refused.h"
#include "autograd/debug/step/view.h"
#include "autograd/debug/unobserved.h"
#include "autograd/ops/ops.h"
#include "autograd/tensor/error.h"
#include "autograd/tensor/format.h"
#include "autograd/text/words.h"

namespace autograd::debug {
namespace {

constexpr std::size_t most_handles = 1'000'000;
constexpr std::int64_t most_at_once = 10'000;  // variables in one answer
constexpr std::int64_t short_row = 8;          // elements shown in the row's own line

Handle tensor_handle(const Tensor& tensor, const std::string& expression, const std::string& gradient) {
  Handle handle;
  handle.tensor = tensor;
  handle.expression = expression;
  handle.gradient = gradient;
  return handle;
}

// "W.grad[0" and "W.grad[0, 1]": an index more.
std::string with_index(const std::string& expression, std::int64_t index) {
  if (expression.empty()) return "";
  if (expression.back() != ']') return fmt::format("{}[{}]", expression, index);
  return fmt::format("{}, {}]", expression.substr(0, expression.size() - 1), index);
}

// The name of a node's output as an expression, in quotation marks where it needs them.
std::string spelled(const Node& node) {
  const std::string name = label(node);
  const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '%';
  });
  return plain ? name : '"' + name + '"';
}

std::string short_text(const Tensor& row) {
  std::string text;
  for (const double value : row.to_vector()) {
    const bool rounded = is_floating(row.dtype());
    text += (text.empty() ? "" : ", ") + (rounded ? rough(value) : exact(value, row.dtype()));
  }
  return "[" + text + "]";
}

// "[3, 2] norm 1.719", "[0.4348, 0.019]", "0.7094".
std::string summary(const Tensor& tensor) {
  if (tensor.dim() == 1 && tensor.numel() > 0 && tensor.numel() <= short_row) return short_text(tensor);
  if (tensor.numel() == 1 && tensor.dim() == 0) return size_text(tensor);
  return fmt::format("{} {}", tensor.shape(), size_text(tensor));
}

// The reference for a new handle.
std::int64_t add_handle(Adapter& adapter, Handle handle) {
  if (adapter.handles.size() >= most_handles)
    throw Refused("a million variables are open", "a step, which closes them");
  adapter.handles.push_back(std::move(handle));
  return static_cast<std::int64_t>(adapter.handles.size());
}

Json text_variable(const std::string& name, const std::string& text) {
  return {{"name", name}, {"value", text}, {"variablesReference", 0}};
}

// One variable in the protocol's form. An undefined tensor shows the note alone.
Json variable(Adapter& adapter, const std::string& name, Handle handle, const std::string& note) {
  if (!handle.tensor.defined()) return text_variable(name, note.empty() ? "not recorded" : note);
  const Tensor tensor = handle.tensor;
  Json json = text_variable(name, summary(tensor) + (note.empty() ? "" : " (" + note + ")"));
  json["type"] = fmt::format("{} {}", autograd::name(tensor.dtype()), tensor.shape());
  if (!handle.expression.empty()) json["evaluateName"] = handle.expression;
  if (tensor.dim() == 0 || tensor.numel() == 0) return json;
  json["indexedVariables"] = tensor.shape()[0];
  json["variablesReference"] = add_handle(adapter, std::move(handle));
  return json;
}

// "softmax weights, %151"; the call stack shows where it was called.
std::string op_text(const Node& node) {
  const std::string name = label(node);
  const std::string number = fmt::format("%{}", node.number);
  const std::string what = fmt::format("{} {}", node.is_leaf() ? "gradient of" : node.name(), name);
  return name == number ? what : fmt::format("{}, {}", what, number);
}

// ---- lists ----------------------------------------------------------------------------------------------------------

void add_inputs(Adapter& adapter, const Node& node, Json& list) {
  const Call call = adapter.view().call(node);
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    const bool tracked = i < call.from.size() && call.from[i];
    const std::string name = fmt::format("x{}", i);
    const std::string of = tracked ? label(*call.from[i]) : call.inputs[i].defined() ? "a constant" : "left out";
    list.push_back(variable(adapter, name, tensor_handle(call.inputs[i], name, ""), of));
  }
  list.push_back(variable(adapter, "y", tensor_handle(call.output, "y", ""), label(node)));
}

// The expression of the gradient that the node's i-th input gets; "" if it gets none.
std::string gradient_of_input(const Node& node, std::size_t i, const View& view) {
  const KeptCall* call = view.recording->kept(node);
  const bool tracked = call && i < call->from.size() && call->from[i];
  return tracked ? spelled(*call->from[i]) + ".grad" : "";
}

// What a backward returned. dx0 is an expression only for the current op.
void add_returned(Adapter& adapter, const Step& step, bool is_current, Json& list) {
  const Grads gradients = adapter.view().pass->gradients_of(step);
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const std::string name = fmt::format("dx{}", i);
    const std::string note = gradients[i].defined() ? "" : "none flows";
    list.push_back(variable(adapter, name, tensor_handle(gradients[i], is_current ? name : "", ""), note));
  }
}

Json this_op(Adapter& adapter) {
  const View& view = adapter.view();
  Json list = Json::array();
  const Node* node = view.current();
  if (!node) return list;
  list.push_back(text_variable("op", op_text(*node)));
  if (!node->is_leaf()) list.push_back(text_variable("forward", node->op->text.formula));
  if (!view.is_forward()) {
    list.push_back(text_variable("backward", node->is_leaf() ? ".grad += dy" : node->op->text.derivative));
    list.push_back(variable(adapter, "dy", tensor_handle(view.dy(), "dy", spelled(*node) + ".grad"), ""));
  }
  if (!node->is_leaf() && view.recording->kept(*node)) add_inputs(adapter, *node, list);
  if (node->is_leaf() || view.is_forward()) return list;
  if (view.is_real()) {
    list.push_back(text_variable("dx", "not yet computed: a step runs this op's backward"));
  } else {
    add_returned(adapter, view.pass->steps[view.at], true, list);
  }
  return list;
}

Json last_op(Adapter& adapter) {
  const View& view = adapter.view();
  Json list = Json::array();
  if (view.at == 0) return list;
  const Step& step = view.pass->steps[view.at - 1];
  list.push_back(text_variable("op", op_text(*step.node)));
  add_returned(adapter, step, false, list);
  return list;
}

Json gradient_variable(Adapter& adapter, const Node& node) {
  const View& view = adapter.view();
  const Progress progress = view.progress(node);
  const std::string name = spelled(node) + ".grad";
  const std::string note = progress.complete() ? "" : gradient_state(node, view);
  return variable(adapter, name, tensor_handle(view.gradient(node), name, name), note);
}

Json leaves(Adapter& adapter) {
  Json list = Json::array();
  for (const Ref<Node>& node : adapter.view().pass->order) {
    if (node->is_leaf()) list.push_back(gradient_variable(adapter, *node));
  }
  for (const KnownLeaf& leaf : absent_leaves(adapter.view())) {
    list.push_back(text_variable(label(leaf) + ".grad", absence_text(leaf, adapter.view())));
  }
  return list;
}

Json named(Adapter& adapter) {
  const View& view = adapter.view();
  Json list = Json::array();
  for (const std::string& name : view.index->names()) {
    for (const Node* node : view.index->named(name)) {
      const bool only_one = view.index->named(name).size() == 1;
      const std::string expression = only_one ? spelled(*node) : fmt::format("%{}", node->number);
      const std::string title = only_one ? name : fmt::format("{} (%{})", name, node->number);
      list.push_back(variable(adapter, title, tensor_handle(view.value(*node), expression, ""), ""));
    }
  }
  return list;
}

Json chosen(const Json& list, std::int64_t start, std::int64_t count) {
  const auto size = static_cast<std::int64_t>(list.size());
  const std::int64_t begin = std::min(start, size);
  const std::int64_t end = count == 0 ? size : begin + std::min(count, size - begin);
  return Json(list.begin() + begin, list.begin() + end);
}

// ---- a tensor's rows ------------------------------------------------------------------------------------------------

Json rows(Adapter& adapter, const Handle& handle, std::int64_t start, std::int64_t count) {
  Json list = Json::array();
  if (!handle.tensor.defined() || handle.tensor.dim() == 0) return list;
  const Unobserved unobserved;
  const std::int64_t size = handle.tensor.shape()[0];
  const std::int64_t begin = std::min(start, size);
  const std::int64_t wanted = std::min(count == 0 ? size : count, size - begin);
  const std::int64_t end = begin + std::min(wanted, most_at_once);
  for (std::int64_t i = begin; i < end; ++i) {
    const Handle row =
        tensor_handle(handle.tensor.select(0, i), with_index(handle.expression, i), with_index(handle.gradient, i));
    list.push_back(variable(adapter, fmt::format("[{}]", i), row, ""));
  }
  if (wanted > most_at_once) {
    list.push_back(text_variable("..", fmt::format("{} more: ask with start and count", wanted - most_at_once)));
  }
  return list;
}

// The variables under a reference; of a tensor, `count` from `start` on, all if it is 0.
Json variables_under(Adapter& adapter, const Handle& handle, std::int64_t start, std::int64_t count) {
  switch (handle.kind) {
    case Handle::Kind::this_op: return chosen(this_op(adapter), start, count);
    case Handle::Kind::last_op: return chosen(last_op(adapter), start, count);
    case Handle::Kind::leaves: return chosen(leaves(adapter), start, count);
    case Handle::Kind::names: return chosen(named(adapter), start, count);
    case Handle::Kind::tensor: break;
  }
  return rows(adapter, handle, start, count);
}

}  // namespace

const Handle& handle_of(Adapter& adapter, std::int64_t reference) {
  if (reference < 1 || reference > static_cast<std::int64_t>(adapter.handles.size())) {
    throw Refused(fmt::format("there is no variable {}", reference), "a variablesReference given since the last stop");
  }
  return adapter.handles[static_cast<std::size_t>(reference - 1)];
}

std::string gradient_under(Adapter& adapter, const Handle& handle, const std::string& name) {
  const View& view = adapter.view();
  if (handle.kind == Handle::Kind::tensor) {
    const std::optional<std::int64_t> index = name.size() > 2 && name.front() == '['
                                                  ? whole_number(std::string_view(name).substr(1, name.size() - 2))
                                                  : std::nullopt;
    return index ? with_index(handle.gradient, *index) : "";
  }
  if (handle.kind == Handle::Kind::leaves) return name;
  const bool of_last = handle.kind == Handle::Kind::last_op && view.at > 0;
  const Node* node = of_last ? view.pass->steps[view.at - 1].node.get() : view.current();
  if (!node || handle.kind == Handle::Kind::names) return name + ".grad";
  if (name == "dy") return spelled(*node) + ".grad";
  if (name.rfind("dx", 0) != 0) return "";
  const std::optional<std::int64_t> input = whole_number(std::string_view(name).substr(2));
  return input && *input >= 0 ? gradient_of_input(*node, static_cast<std::size_t>(*input), view) : "";
}

// ---- the requests about values ----------------------------------------------------------------------------------------
namespace {

Json scope(Adapter& adapter, const char* name, Handle::Kind kind) {
  Handle handle;
  handle.kind = kind;
  Json json = {{"name", name}, {"variablesReference", add_handle(adapter, handle)}, {"expensive", false}};
  if (kind == Handle::Kind::this_op) json["presentationHint"] = "locals";
  return json;
}

// The same for each frame: an editor shows the first one whose source it has, which may be a module call around the op.
Json scopes(Adapter& adapter, const Json& arguments) {
  read<std::int64_t>(arguments, "frameId");
  Json list = Json::array();
  const View& view = adapter.view();
  const bool backward = !view.is_forward();
  if (view.current()) list.push_back(scope(adapter, "This op", Handle::Kind::this_op));
  if (backward && view.at > 0)
    list.push_back(scope(adapter, "Gradients returned by the last op", Handle::Kind::last_op));
  if (backward) list.push_back(scope(adapter, "Gradients of parameters and inputs", Handle::Kind::leaves));
  list.push_back(scope(adapter, "Named tensors", Handle::Kind::names));
  return {{"scopes", list}};
}

Json variables(Adapter& adapter, const Json& arguments) {
  const Handle handle = handle_of(adapter, read<std::int64_t>(arguments, "variablesReference"));
  const std::int64_t start = read<std::int64_t>(arguments, "start", 0);
  const std::int64_t count = read<std::int64_t>(arguments, "count", 0);
  if (start < 0 || count < 0) throw Refused("a negative start or count", "numbers from 0 on");
  const bool no_indexed = read<std::string>(arguments, "filter", "") == "named" && handle.kind == Handle::Kind::tensor;
  return {{"variables", no_indexed ? Json::array() : variables_under(adapter, handle, start, count)}};
}

// ---- expressions and commands ---------------------------------------------------------------------------------------

Json evaluated(Adapter& adapter, const std::string& text, bool names_only = false) {
  Expression expression = parse_expression(text);
  expression.quoted |= names_only;
  const Value value = evaluate(expression, adapter.view());
  Handle handle;
  handle.tensor = value.tensor;
  handle.expression = text;
  if (value.is_gradient && value.node) handle.gradient = text;
  const Json found = variable(adapter, "", handle, value.note);
  Json body = {{"result", found["value"]}, {"variablesReference", found["variablesReference"]}};
  for (const char* member : {"type", "indexedVariables"}) {
    if (found.contains(member)) body[member] = found[member];
  }
  return body;
}

bool is_full_command(const std::string& line) {
  std::string rest = line;
  const std::string word = take_word(rest);
  return std::any_of(commands().begin(), commands().end(), [&](const Command& each) { return word == each.name; });
}

// In the console, a tensor goes before a command's short form: `h` is help only if nothing is called h.
Json from_console(Adapter& adapter, const std::string& line) {
  if (!is_full_command(line)) {
    try {
      return evaluated(adapter, line);
    } catch (const Refused&) {  // a command, then
    }
  }
  const std::string text = adapter.run(line);
  adapter.moved_by_command = true;  // if it did move
  return {{"result", trim_end(text)}, {"variablesReference", 0}};
}

Json evaluate_request(Adapter& adapter, const Json& arguments) {
  const std::string line = trim(read<std::string>(arguments, "expression"));
  if (line.empty()) throw Refused("the expression is empty", "a tensor or a command");
  const std::string context = read<std::string>(arguments, "context", "");
  if (context == "repl") return from_console(adapter, line);
  return evaluated(adapter, line, context == "hover");  // over the source, y is the program's, and not the op's output
}

Json completions(Adapter& adapter, const Json& arguments) {
  const std::string text = read<std::string>(arguments, "text");
  const std::int64_t column = read<std::int64_t>(arguments, "column") - 1;
  const auto typed =
      static_cast<std::size_t>(std::clamp<std::int64_t>(column, 0, static_cast<std::int64_t>(text.size())));
  const std::string before = text.substr(0, typed);
  const std::size_t last = before.find_last_of(" \t/");
  const std::size_t begin = last == std::string::npos ? 0 : last + 1;
  Json targets = Json::array();
  for (const std::string& word : complete_command(adapter, before)) {
    targets.push_back({{"label", word}, {"start", begin}, {"length", typed - begin}});
  }
  return {{"targets", targets}};
}

}  // namespace

std::vector<Request> variable_requests() {
  using When = Request::When;
  return {
      {"scopes", When::stopped, scopes},
      {"variables", When::stopped, variables},
      {"evaluate", When::stopped, evaluate_request},
      {"completions", When::stopped, completions},
  };
}

}  // namespace autograd::debug
