#include "autograd/debug/finding.h"

#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <vector>

#include "autograd/debug/recording.h"
#include "autograd/tape/backward.h"
#include "autograd/tape/pass.h"
#include "autograd/text/printable.h"

namespace autograd::debug {
namespace {

thread_local std::vector<FindingListener*> listeners;

}  // namespace

FindingListener::FindingListener() {
  listeners.push_back(this);
}

FindingListener::~FindingListener() {
  std::erase(listeners, this);
}

bool tell(const Finding& finding) {
  bool shown = false;
  for (FindingListener* listener : std::vector<FindingListener*>(listeners)) shown |= listener->found(finding);
  return shown;
}

// ---- uncaught exceptions --------------------------------------------------------------------------------------------

namespace {

std::terminate_handler handler_before = nullptr;

std::string message_of(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "an exception that is not a std::exception";
  }
}

void tell_of(const std::exception_ptr& exception) {
  Finding finding;
  finding.kind = Finding::Kind::exception;
  finding.node = running_node();
  const std::string message = message_of(exception);
  const std::string at = finding.node ? ", in the derivative of " + describe(*finding.node) : "";
  finding.title = fmt::format("uncaught exception{}: {}", at, printable(message.substr(0, message.find('\n'))));
  finding.report = fmt::format("uncaught exception{}\n{}", at, message);
  tell(finding);
}

[[noreturn]] void handle() {
  if (const std::exception_ptr exception = std::current_exception()) {
    try {
      tell_of(exception);
    } catch (...) {  // the program must end as it would have
    }
  }
  if (handler_before) handler_before();
  std::abort();
}

}  // namespace

void tell_of_uncaught_exceptions() {
  const std::terminate_handler now = std::get_terminate();
  if (now == handle) return;
  handler_before = now;
  std::set_terminate(handle);
}

// ---- the end --------------------------------------------------------------------------------------------------------

void print_after_output(const std::string& text) {
  std::cout.flush();
  std::clog.flush();
  std::fflush(nullptr);
  fmt::print(stderr, "{}", text);
  std::fflush(stderr);
}

void end_program(const std::string& last_words) {
  print_after_output(last_words);
  std::_Exit(1);
}

}  // namespace autograd::debug
