// Requests about the session: what the adapter can do, how the program was started, and the end.
#include <fmt/core.h>

#include "autograd/debug/dap/adapter.h"
#include "autograd/debug/dap/requests.h"
#include "autograd/debug/step/refused.h"
#include "autograd/text/printable.h"

namespace autograd::debug {
namespace {

Json capabilities() {
  return {
      {"supportsConfigurationDoneRequest", true},
      {"supportsFunctionBreakpoints", true},
      {"supportsConditionalBreakpoints", true},
      {"supportsHitConditionalBreakpoints", true},
      {"supportsLogPoints", true},
      {"supportsDataBreakpoints", true},
      {"supportsEvaluateForHovers", true},
      {"supportsStepBack", true},
      {"supportsCompletionsRequest", true},
      {"completionTriggerCharacters", {" ", ".", "%"}},
      {"supportsExceptionInfoRequest", true},
      {"supportsExceptionFilterOptions", true},
      {"supportsTerminateRequest", true},
      {"supportTerminateDebuggee", true},
      {"exceptionBreakpointFilters", exception_filters()},
  };
}

Json initialize(Adapter& adapter, const Json& arguments) {
  if (read<std::string>(arguments, "pathFormat", "path") != "path") throw Refused("files as URIs", "pathFormat 'path'");
  if (!read<bool>(arguments, "linesStartAt1", true) || !read<bool>(arguments, "columnsStartAt1", true)) {
    throw Refused("lines or columns are counted from 0", "from 1");
  }
  adapter.initialized = true;
  return capabilities();
}

void say_initialized(Adapter& adapter) {
  adapter.event("initialized", {});
}

// "first": the first backward(); else as `set stop-at`.
void set_stop_at(Adapter& adapter, const std::string& where) {
  if (where != "first" && where != "backward" && where != "all" && where != "none") {
    throw Refused(fmt::format("stopAt is '{}'", printable(where)), "first, backward, all or none");
  }
  adapter.only_first_pass = where == "first";
  adapter.settings.stop_at = where == "first" ? "backward" : where;
}

Json attach(Adapter& adapter, const Json& arguments) {
  const std::string stop_at = read<std::string>(arguments, "stopAt", "first");
  const bool at_end = read<bool>(arguments, "stopAtEnd", true);
  const std::vector<std::string> folders = read<std::vector<std::string>>(arguments, "directories", {{}});
  set_stop_at(adapter, stop_at);
  adapter.settings.stop_at_end = at_end;
  for (const std::string& folder : folders) adapter.settings.directories.push_back(folder);
  return {};
}

Json launch(Adapter& adapter, const Json& arguments) {
  adapter.without_debugging = read<bool>(arguments, "noDebug", false);
  attach(adapter, arguments);
  adapter.launched = true;
  return {};
}

Json configuration_done(Adapter& adapter, const Json&) {
  adapter.configured = true;
  return {};
}

void leave_if_without_debugging(Adapter& adapter) {
  if (adapter.without_debugging) adapter.detach();
}

Json terminate(Adapter&, const Json&) {
  return {};
}

void kill_program(Adapter& adapter) {
  adapter.kill();
}

Json disconnect(Adapter& adapter, const Json& arguments) {
  adapter.launched = read<bool>(arguments, "terminateDebuggee", adapter.launched);
  return {};
}

void leave(Adapter& adapter) {
  if (adapter.launched) return adapter.kill();
  adapter.detach();
}

}  // namespace

std::vector<Request> session_requests() {
  using When = Request::When;
  return {
      {"initialize", When::first, initialize, say_initialized},
      {"launch", When::initialized, launch},
      {"attach", When::initialized, attach},
      {"configurationDone", When::initialized, configuration_done, leave_if_without_debugging},
      {"terminate", When::initialized, terminate, kill_program},
      {"disconnect", When::initialized, disconnect, leave},
  };
}

}  // namespace autograd::debug
