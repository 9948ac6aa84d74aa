// The requests of the protocol: their names, when they may be made, and what answers them.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "autograd/debug/dap/connection.h"
#include "autograd/debug/step/refused.h"

namespace autograd::debug {

class Adapter;

struct Request {
  enum class When { first, initialized, stopped };
  const char* command;
  When when;
  Json (*answer)(Adapter& adapter, const Json& arguments);  // the body of the response; throws Refused
  void (*afterwards)(Adapter& adapter) = nullptr;           // once the response is sent
};

const std::vector<Request>& requests();

// Each group in the file of its name.
std::vector<Request> session_requests();     // initialize, launch, attach, configurationDone, disconnect ..
std::vector<Request> stack_requests();       // threads, stackTrace, exceptionInfo; continue, next, stepBack ..
std::vector<Request> breakpoint_requests();  // wanted.cpp: setBreakpoints, dataBreakpointInfo ..
std::vector<Request> variable_requests();    // variables.cpp: scopes, variables, evaluate, completions

// A member of a request's arguments, or what is given otherwise. Throws Refused if it is missing or of another type.
template <class T> T read(const Json& arguments, const char* name, const std::optional<T>& otherwise = {}) {
  const bool is_there = arguments.is_object() && arguments.contains(name) && !arguments[name].is_null();
  if (!is_there && otherwise) return *otherwise;
  const Json member = is_there ? arguments[name] : Json();
  constexpr bool is_whole = std::is_same_v<T, std::int64_t>;
  constexpr bool is_object = std::is_same_v<T, Json>;
  const char* expected = is_whole                         ? "a whole number"
                         : is_object                      ? "an object"
                         : std::is_same_v<T, bool>        ? "true or false"
                         : std::is_same_v<T, std::string> ? "a string"
                                                          : "a list";
  try {
    const bool fits = (!is_whole || member.is_number_integer()) && (!is_object || member.is_object());
    if (is_there && fits) return member.get<T>();
  } catch (const Json::exception&) {  // another type
  }
  throw Refused(fmt::format("'{}' is {}", name, is_there ? std::string("of type ") + member.type_name() : "missing"),
                expected);
}

}  // namespace autograd::debug
