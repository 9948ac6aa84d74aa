// Requests about values: variables that unfold, expressions, and the debugger's commands in the editor's console.
#include <fmt/core.h>

#include <algorithm>

#include "autograd/debug/dap/adapter.h"
#include "autograd/debug/dap/requests.h"
#include "autograd/debug/step/commands.h"
#include "autograd/debug/step/refused.h"

namespace autograd::debug {
namespace {

Json scope(Adapter& adapter, const char* name, Handle::Kind kind) {
  Handle handle;
  handle.kind = kind;
  Json json = {{"name", name}, {"variablesReference", add_handle(adapter, handle)}, {"expensive", false}};
  if (kind == Handle::Kind::this_op) json["presentationHint"] = "locals";
  return json;
}

// The same for each frame: an editor shows the first one whose source it has, which may be a module call around the op.
Json scopes(Adapter& adapter, const Arguments& arguments) {
  arguments.whole("frameId");
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

Json variables(Adapter& adapter, const Arguments& arguments) {
  const Handle handle = handle_of(adapter, arguments.whole("variablesReference"));
  const std::int64_t start = arguments.whole_or("start", 0);
  const std::int64_t count = arguments.whole_or("count", 0);
  if (start < 0 || count < 0) throw Refused("a negative start or count", "numbers from 0 on");
  const bool no_indexed = arguments.text_or("filter", "") == "named" && handle.kind == Handle::Kind::tensor;
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

Json evaluate_request(Adapter& adapter, const Arguments& arguments) {
  const std::string line = trim(arguments.text("expression"));
  if (line.empty()) throw Refused("the expression is empty", "a tensor or a command");
  const std::string context = arguments.text_or("context", "");
  if (context == "repl") return from_console(adapter, line);
  return evaluated(adapter, line, context == "hover");  // over the source, y is the program's, and not the op's output
}

Json completions(Adapter& adapter, const Arguments& arguments) {
  const std::string text = arguments.text("text");
  const std::int64_t column = arguments.whole("column") - (adapter.columns_start_at_1 ? 1 : 0);
  const auto typed =
      static_cast<std::size_t>(std::clamp<std::int64_t>(column, 0, static_cast<std::int64_t>(text.size())));
  const std::string before = text.substr(0, typed);
  const std::size_t last = before.find_last_of(" \t/");
  const std::size_t begin = last == std::string::npos ? 0 : last + 1;
  Json targets = Json::array();
  for (const std::string& word : adapter.completions(before)) {
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
