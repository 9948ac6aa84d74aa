// The requests of the protocol: their names, when they may be made, and what answers them.
#pragma once

#include <vector>

#include "autograd/debug/dap/arguments.h"
#include "autograd/debug/dap/connection.h"

namespace autograd::debug {

class Adapter;

struct Request {
  enum class When { first, initialized, stopped };
  const char* command;
  When when;
  Json (*answer)(Adapter& adapter, const Arguments& arguments);  // the body of the response; throws Refused
  void (*afterwards)(Adapter& adapter) = nullptr;                // once the response is sent
};

const std::vector<Request>& requests();

// Each group in the file of its name.
std::vector<Request> session_requests();     // initialize, launch, attach, configurationDone, disconnect ..
std::vector<Request> breakpoint_requests();  // setBreakpoints, dataBreakpointInfo ..
std::vector<Request> running_requests();     // continue, next, stepBack, pause ..
std::vector<Request> stack_requests();       // threads, stackTrace, source, exceptionInfo
std::vector<Request> variable_requests();    // scopes, variables, evaluate, completions

}  // namespace autograd::debug
