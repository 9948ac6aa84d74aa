#include "autograd/debug/finding.h"

#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <utility>
#include <vector>

#include "autograd/debug/recording.h"
#include "autograd/tape/backward.h"
#include "autograd/tape/pass.h"
#include "autograd/tensor/error.h"
#include "autograd/tensor/scope.h"
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

bool tell(const Finding& finding, const Node* node, const std::string& report) {
  bool shown = false;
  for (FindingListener* listener : std::vector<FindingListener*>(listeners)) {
    shown |= listener->found(finding, node, report);
  }
  return shown;
}

std::string title(const Finding& finding) {
  return fmt::format("{}{}{}", finding.kind == Finding::Kind::exception ? "uncaught exception: " : "", finding.text,
                     finding.line == 0 ? "" : fmt::format(", at {}:{}", finding.file, finding.line));
}

Finding finding_at(const Node& node, Finding::Kind kind, std::string text) {
  const Where where = is_in_library(node.called_at) ? scope_origin(node.scope) : node.called_at;
  return {.kind = kind,
          .text = std::move(text),
          .op = node.name(),
          .file = where.line == 0 ? "" : file_from_here(where.file),
          .line = where.line,
          .node = node.number};
}

// ---- uncaught exceptions --------------------------------------------------------------------------------------------

namespace {

std::terminate_handler handler_before = nullptr;

// Fills in what the exception says of itself. Returns all of that.
std::string fill_in(Finding& finding, const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const Error& error) {
    finding.text = error.op() + ": " + error.found();
    finding.id = name(error.id());
    finding.op = error.op();
    if (error.where().line != 0) {
      finding.file = file_from_here(error.where().file);
      finding.line = error.where().line;
    }
    return error.what();
  } catch (const std::exception& error) {
    const std::string message = error.what();
    finding.text = printable(message.substr(0, message.find('\n')));
    return message;
  } catch (...) {
    return finding.text = "an exception that is not a std::exception";
  }
}

void tell_of(const std::exception_ptr& exception) {
  const Node* node = running_node();
  Finding finding = node ? finding_at(*node, Finding::Kind::exception, "") : Finding();
  const std::string message = fill_in(finding, exception);
  const std::string at = node ? ", in the derivative of " + describe(*node) : "";
  tell(finding, node, fmt::format("uncaught exception{}\n{}", at, message));
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
