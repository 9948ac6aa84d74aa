// Requests that say where to stop.
#include <fmt/core.h>

#include <algorithm>

#include "autograd/debug/dap/adapter.h"
#include "autograd/debug/dap/requests.h"
#include "autograd/debug/step/refused.h"
#include "autograd/tensor/characters.h"

namespace autograd::debug {
namespace {

Wanted wanted_from(Wanted::Kind kind, const Arguments& arguments) {
  Wanted wanted;
  wanted.kind = kind;
  wanted.condition = arguments.text_or("condition", "");
  wanted.hits = arguments.text_or("hitCondition", "");
  return wanted;
}

Json set_breakpoints(Adapter& adapter, const Arguments& arguments) {
  const std::string source = arguments.object("source").text("path");
  std::vector<Wanted> asked;
  for (const Arguments& each : arguments.objects("breakpoints")) {
    Wanted wanted = wanted_from(Wanted::Kind::line, each);
    wanted.source = source;
    const std::int64_t line = each.whole("line") + (adapter.lines_start_at_1 ? 0 : 1);
    if (line < 1 || line > INT32_MAX) throw Refused(fmt::format("there is no line {}", line), "one from 1 on");
    wanted.line = static_cast<int>(line);
    wanted.log = each.text_or("logMessage", "");
    asked.push_back(wanted);
  }
  return {{"breakpoints", set_wanted(adapter, Wanted::Kind::line, source, asked)}};
}

Json set_function_breakpoints(Adapter& adapter, const Arguments& arguments) {
  std::vector<Wanted> asked;
  for (const Arguments& each : arguments.objects("breakpoints")) {
    asked.push_back(wanted_from(Wanted::Kind::function, each));
    asked.back().name = each.text("name");
  }
  return {{"breakpoints", set_wanted(adapter, Wanted::Kind::function, "", asked)}};
}

Json set_data_breakpoints(Adapter& adapter, const Arguments& arguments) {
  std::vector<Wanted> asked;
  for (const Arguments& each : arguments.objects("breakpoints")) {
    asked.push_back(wanted_from(Wanted::Kind::data, each));
    asked.back().name = each.text("dataId");
  }
  return {{"breakpoints", set_wanted(adapter, Wanted::Kind::data, "", asked)}};
}

Json set_exception_breakpoints(Adapter& adapter, const Arguments& arguments) {
  std::vector<Wanted> asked;
  for (const std::string& filter : arguments.texts("filters")) {
    asked.emplace_back();
    asked.back().name = filter;
  }
  for (const Arguments& each : arguments.objects("filterOptions")) {
    asked.push_back(wanted_from(Wanted::Kind::exception, each));
    asked.back().name = each.text("filterId");
  }
  for (Wanted& each : asked) each.kind = Wanted::Kind::exception;
  return {{"breakpoints", set_wanted(adapter, Wanted::Kind::exception, "", asked)}};
}

// The gradient that a variable, or an expression, stands for.
std::string watchable(Adapter& adapter, const Arguments& arguments) {
  const std::string name = arguments.text("name");
  if (arguments.has("variablesReference")) {
    return gradient_under(adapter, handle_of(adapter, arguments.whole("variablesReference")), name);
  }
  if (name.find(".grad") != std::string::npos) return name;
  const std::size_t brackets = std::min(name.find('['), name.size());
  return name.substr(0, brackets) + ".grad" + name.substr(brackets);
}

Json data_breakpoint_info(Adapter& adapter, const Arguments& arguments) {
  const std::string gradient = watchable(adapter, arguments);
  if (gradient.empty()) {
    const std::string name = printable(arguments.text("name"));
    return {{"dataId", nullptr},
            {"description", fmt::format("{} does not change while backward runs; watch a gradient", name)}};
  }
  try {
    parse_watched(gradient, adapter.view());
  } catch (const Refused& refused) {
    return {{"dataId", nullptr}, {"description", refused.what()}};
  }
  return {{"dataId", gradient},
          {"description", gradient},
          {"accessTypes", {"write"}},
          {"canPersist", gradient[0] != '%'}};  // a number stands for another op in the next pass
}

}  // namespace

std::vector<Request> breakpoint_requests() {
  using When = Request::When;
  return {
      {"setBreakpoints", When::initialized, set_breakpoints},
      {"setFunctionBreakpoints", When::initialized, set_function_breakpoints},
      {"dataBreakpointInfo", When::stopped, data_breakpoint_info},
      {"setDataBreakpoints", When::initialized, set_data_breakpoints},
      {"setExceptionBreakpoints", When::initialized, set_exception_breakpoints},
  };
}

}  // namespace autograd::debug
