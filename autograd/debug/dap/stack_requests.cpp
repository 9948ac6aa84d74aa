// Requests about where the program stands: the op, the module calls that it ran in, and the lines that made them; and
// those that move it on and back.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "autograd/debug/dap/adapter.h"
#include "autograd/debug/dap/requests.h"
#include "autograd/debug/source_lines.h"
#include "autograd/debug/step/answers.h"
#include "autograd/tensor/error.h"
#include "autograd/text/printable.h"

namespace autograd::debug {
namespace {

Json threads(Adapter&, const Json&) {
  return {{"threads", {{{"id", 1}, {"name", "program"}}}}};
}

// ---- the stack ------------------------------------------------------------------------------------------------------

struct Frame {
  std::string name;
  Where where;
};

// "decoder", or "decoder, step 3" for a time step. `at` becomes the outermost scope that the name covers.
Frame frame_of_call(const Scope*& at) {
  Frame frame{printable(scope_name(*at)), at->called_from};
  if (at->is_step() && at->parent && !at->parent->is_step()) {
    at = at->parent.get();
    frame = {fmt::format("{}, {}", printable(at->name), frame.name), at->called_from};
  }
  return frame;
}

// The op first, then the module calls from the innermost on, then the call of backward() if one runs.
std::vector<Frame> frames_of(const View& view) {
  std::vector<Frame> frames;
  if (const Node* node = view.current()) {
    const std::string what = node->is_leaf() ? "gradient of" : node->name();
    frames.push_back({fmt::format("{} {}", what, label(*node)), node->called_at});
    for (const Scope* at = node->scope.get(); at; at = at->parent.get()) frames.push_back(frame_of_call(at));
  }
  if (view.is_forward() && !frames.empty()) return frames;
  const char* pass = view.is_forward() ? "forward pass" : view.pass->captures_only ? "grad()" : "backward()";
  frames.push_back({view.current() ? pass : fmt::format("the end of {}", pass), view.pass->called_at});
  return frames;
}

// An editor would open an empty page for a source that is not found: such a frame says in its name where it is.
Json frame_as_json(const Adapter& adapter, const Frame& frame, std::size_t level) {
  Json json = {{"id", level + 1}, {"name", frame.name}, {"line", 0}, {"column", 0}};
  if (frame.where.line == 0) return json;
  const std::string path = find_source(frame.where.file, adapter.settings.directories);
  if (path.empty()) {
    json["name"] = fmt::format("{} at {}", frame.name, to_string(frame.where));
    json["presentationHint"] = "subtle";
    return json;
  }
  json["line"] = frame.where.line;
  json["column"] = 1;
  json["source"] = {{"name", std::filesystem::path(path).filename().string()}, {"path", path}};
  return json;
}

Json stack_trace(Adapter& adapter, const Json& arguments) {
  const std::vector<Frame> frames = frames_of(adapter.view());
  const auto count = static_cast<std::int64_t>(frames.size());
  const std::int64_t start = std::clamp<std::int64_t>(read<std::int64_t>(arguments, "startFrame", 0), 0, count);
  const std::int64_t levels = read<std::int64_t>(arguments, "levels", 0);
  const std::int64_t end = levels <= 0 ? count : start + std::min(levels, count - start);
  Json list = Json::array();
  for (auto level = static_cast<std::size_t>(start); level < static_cast<std::size_t>(end); ++level) {
    list.push_back(frame_as_json(adapter, frames[level], level));
  }
  return {{"stackFrames", list}, {"totalFrames", count}};
}

// ---- others ---------------------------------------------------------------------------------------------------------

Json exception_info(Adapter& adapter, const Json&) {
  const std::string id = adapter.exception();
  if (id.empty()) throw Refused("the program did not stop for an exception", "a stop whose reason is 'exception'");
  const bool was_checked = id == exception_label("wrong");
  const std::string report = was_checked ? answer_check({adapter.view(), adapter.settings, ""}) : adapter.stop().text;
  return {{"exceptionId", id}, {"description", report}, {"breakMode", "always"}};
}

// Moves by a command of the debugger's.
Json moved(Adapter& adapter, const char* command) {
  adapter.run(command);
  return Json::object();
}

// At the next op of a backward pass: between passes there is nothing to stand at.
Json pause(Adapter& adapter, const Json&) {
  adapter.pause_wanted = !adapter.stopped();
  return {};
}

}  // namespace

std::vector<Request> stack_requests() {
  using When = Request::When;
  return {
      {"threads", When::initialized, threads},
      {"stackTrace", When::stopped, stack_trace},
      {"exceptionInfo", When::stopped, exception_info},
      {"next", When::stopped, [](Adapter& adapter, const Json&) { return moved(adapter, "next"); }},
      {"stepIn", When::stopped, [](Adapter& adapter, const Json&) { return moved(adapter, "step"); }},
      {"stepOut", When::stopped, [](Adapter& adapter, const Json&) { return moved(adapter, "finish"); }},
      {"stepBack", When::stopped, [](Adapter& adapter, const Json&) { return moved(adapter, "back"); }},
      {"continue", When::stopped, [](Adapter& adapter, const Json&) { return moved(adapter, "continue"); }},
      {"reverseContinue", When::stopped,
       [](Adapter& adapter, const Json&) { return moved(adapter, "reverse-continue"); }},
      {"pause", When::initialized, pause},
  };
}

}  // namespace autograd::debug
