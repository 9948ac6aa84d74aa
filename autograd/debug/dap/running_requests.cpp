// Requests that move through the pass, each one of the debugger's commands.
#include "autograd/debug/dap/adapter.h"
#include "autograd/debug/dap/requests.h"

namespace autograd::debug {
namespace {

Json next(Adapter& adapter, const Arguments&) {
  adapter.run("next");
  return {};
}

Json step_in(Adapter& adapter, const Arguments&) {
  adapter.run("step");
  return {};
}

Json step_out(Adapter& adapter, const Arguments&) {
  adapter.run("finish");
  return {};
}

Json step_back(Adapter& adapter, const Arguments&) {
  adapter.run("back");
  return {};
}

Json continue_on(Adapter& adapter, const Arguments&) {
  adapter.run("continue");
  return {{"allThreadsContinued", true}};
}

Json reverse_continue(Adapter& adapter, const Arguments&) {
  adapter.run("reverse-continue");
  return {};
}

// At the next op of a backward pass: between passes there is nothing to stand at.
Json pause(Adapter& adapter, const Arguments&) {
  adapter.pause_wanted = !adapter.stopped();
  return {};
}

}  // namespace

std::vector<Request> running_requests() {
  using When = Request::When;
  return {
      {"next", When::stopped, next},
      {"stepIn", When::stopped, step_in},
      {"stepOut", When::stopped, step_out},
      {"stepBack", When::stopped, step_back},
      {"continue", When::stopped, continue_on},
      {"reverseContinue", When::stopped, reverse_continue},
      {"pause", When::initialized, pause},
  };
}

}  // namespace autograd::debug
