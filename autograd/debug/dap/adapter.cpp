#include "autograd/debug/dap/adapter.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "autograd/debug/dap/requests.h"
#include "autograd/debug/step/answers.h"
#include "autograd/debug/step/refused.h"
#include "autograd/debug/unobserved.h"
#include "autograd/text/printable.h"

namespace autograd::debug {
namespace {

// The first line, without brackets and without the folders of files: an editor has little room for it.
std::string in_words(const Stop& stop) {
  std::string words;
  for (const char c : stop.text.substr(0, stop.text.find('\n'))) {
    if (c == '/') words.erase(words.find_last_of(' ') + 1);
    if (c != '/' && c != '[' && c != ']') words += c;
  }
  return words;
}

const Wanted* find_wanted(const Adapter& adapter, int number) {
  for (const Wanted& each : adapter.wanted) {
    if (each.number == number) return &each;
  }
  return nullptr;
}

// The protocol's word for why the program stands still, unless it is an exception.
std::string reason_of(const Adapter& adapter, const Stop& stop) {
  switch (stop.kind) {
    case Stop::Kind::pass_begins: return "entry";
    case Stop::Kind::watch: return "data breakpoint";
    case Stop::Kind::breakpoint: break;
    default: return "step";
  }
  const Wanted* met = find_wanted(adapter, stop.numbers.front());
  return met && met->kind == Wanted::Kind::function ? "function breakpoint" : "breakpoint";
}

std::vector<Request> all_requests() {
  std::vector<Request> all;
  for (const auto& group : {session_requests(), stack_requests(), breakpoint_requests(), variable_requests()}) {
    all.insert(all.end(), group.begin(), group.end());
  }
  return all;
}

const Request& find_request(const std::string& command) {
  std::vector<std::string> names;
  for (const Request& request : requests()) {
    if (command == request.command) return request;
    names.emplace_back(request.command);
  }
  throw Refused(fmt::format("the request '{}' is not supported{}", printable(command), near_text(command, names)),
                "one that `initialize` offers");
}

void check_order(const Adapter& adapter, const Request& request) {
  const bool is_first = request.when == Request::When::first;
  if (is_first == adapter.initialized) {
    throw Refused(fmt::format("'{}' came {}", request.command, is_first ? "twice" : "too early"),
                  "`initialize` once, before all others");
  }
  if (request.when == Request::When::stopped && !adapter.stopped()) {
    throw Refused(fmt::format("'{}' came while the program runs", request.command), "`pause` first, or a breakpoint");
  }
}

}  // namespace

const std::vector<Request>& requests() {
  static const std::vector<Request> table = all_requests();
  return table;
}

Adapter::Adapter(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}

// ---- while the program runs -----------------------------------------------------------------------------------------

void Adapter::recorded(Node& node, const Inputs& inputs, const Tensor& output) {
  if (!is_detached()) serve(false);
  Debugger::recorded(node, inputs, output);
}

Grads Adapter::run(Node& node, const Tensor& dy) {
  if (!is_detached()) serve(false);
  return Debugger::run(node, dy);
}

void Adapter::pass_begins(Pass& pass) {
  Debugger::pass_begins(pass);
  if (is_detached() || !is_in_pass()) return;
  const Unobserved unobserved;
  place_wanted(*this);
}

// ---- while it stands still ------------------------------------------------------------------------------------------

void Adapter::configure() {
  while (!configured && !is_detached()) serve(true);
}

void Adapter::talk(const Stop& stop) {
  report(stop);
  while (!is_detached()) {
    serve(true);
    if (!take_move()) {
      moved_by_command = false;
      continue;
    }
    if (std::exchange(moved_by_command, false)) event("continued", {{"threadId", 1}, {"allThreadsContinued", true}});
    const std::optional<Stop> next = move();
    if (!next) break;
    report(*next);
  }
  stop_.reset();
  handles.clear();
}

std::string Adapter::exception() const {
  if (stop_->kind == Stop::Kind::exception) return stop_->title;
  for (const int number : stop_->numbers) {
    const Wanted* met = find_wanted(*this, number);
    if (met && met->kind == Wanted::Kind::exception) return exception_label(met->name);
  }
  return "";
}

void Adapter::report(const Stop& stop) {
  stop_ = stop;
  handles.clear();
  Json body = {{"reason", reason_of(*this, stop)}, {"threadId", 1}, {"allThreadsStopped", true}};
  if (std::exchange(pause_wanted, false) && stop.kind == Stop::Kind::step) body["reason"] = "pause";
  if (!stop.text.empty()) body["description"] = in_words(stop);
  if (const std::string thrown = exception(); !thrown.empty()) {
    body["reason"] = "exception";
    body["description"] = thrown;
    body["text"] = stop.text;
  }
  if (!stop.numbers.empty()) body["hitBreakpointIds"] = stop.numbers;
  if (!stop.text.empty()) print(stop.text);
  if (!displays.empty()) print(displays_text());
  if (only_first_pass) settings.stop_at = "none";
  event("stopped", body);
}

bool Adapter::stops(const Breakpoint& breakpoint) {
  const Wanted* met = find_wanted(*this, breakpoint.number);
  if (!met) return true;
  if (!met->hits.empty() && !counts(met->hits, breakpoint.hits)) return false;
  if (met->log.empty()) return true;
  print(filled_in(met->log, view(), settings) + "\n");
  return false;
}

// ---- messages -------------------------------------------------------------------------------------------------------

// Serves the next request; without `wait`, all that have arrived.
void Adapter::serve(bool wait) {
  try {
    while (const std::optional<std::string> text = connection_->receive(wait)) {
      handle(*text);
      if (wait) return;
    }
  } catch (const Refused& refused) {
    print(fmt::format("BACKSTEP=dap: {}. The program goes on without an editor.\n", refused.what()), "stderr");
    connection_->close();
  }
  if (!connection_->is_open()) detach();
}

void Adapter::handle(const std::string& text) {
  const Json message = Json::parse(text, nullptr, false);
  const Unobserved unobserved;
  if (message.is_discarded()) {
    refuse({}, "the message is no JSON");
  } else {
    answer_request(message);
  }
}

void Adapter::answer_request(const Json& message) {
  try {
    const auto type = read<std::string>(message, "type");
    if (type == "response") return;  // to a request of ours; there are none
    if (type != "request") throw Refused(fmt::format("a message of type '{}'", printable(type)), "a request");
    read<std::int64_t>(message, "seq");
    const Request& request = find_request(read<std::string>(message, "command"));
    check_order(*this, request);
    respond(message, request.answer(*this, read<Json>(message, "arguments", Json::object())));
    if (request.afterwards) request.afterwards(*this);
  } catch (const std::exception& problem) {
    refuse(message, problem.what());
  }
}

void Adapter::respond(const Json& request, const Json& body) {
  Json message = {{"seq", ++sent_},
                  {"type", "response"},
                  {"request_seq", request["seq"]},
                  {"success", true},
                  {"command", request["command"]}};
  if (!body.is_null()) message["body"] = body;
  connection_->send(message);
}

// The request may be of any form.
void Adapter::refuse(const Json& request, const std::string& why) {
  const auto member = [&](const char* name, bool (Json::*is_right)() const noexcept, const Json& otherwise) {
    const bool there = request.is_object() && request.contains(name) && (request[name].*is_right)();
    return there ? request[name] : otherwise;
  };
  connection_->send({{"seq", ++sent_},
                     {"type", "response"},
                     {"request_seq", member("seq", &Json::is_number_integer, 0)},
                     {"success", false},
                     {"command", member("command", &Json::is_string, "")},
                     {"message", why},
                     {"body", {{"error", {{"id", 1}, {"format", "{why}"}, {"variables", {{"why", why}}}}}}}});
}

void Adapter::event(const std::string& name, const Json& body) {
  Json message = {{"seq", ++sent_}, {"type", "event"}, {"event", name}};
  if (!body.is_null()) message["body"] = body;
  connection_->send(message);
}

void Adapter::print(const std::string& text, const char* category) {
  event("output", {{"category", category}, {"output", text}});
}

// ---- commands -------------------------------------------------------------------------------------------------------

void Adapter::write(const std::string& text) {
  if (captured_) {
    *captured_ += text;
  } else {
    print(text);
  }
}

std::string Adapter::run(const std::string& command) {
  std::string written;
  captured_ = &written;
  bool repeats = false;
  const bool done = answer(command, repeats);
  captured_ = nullptr;
  if (!done) throw std::runtime_error(last_refusal());
  return written;
}

void Adapter::detach() {
  if (is_detached()) return;
  Debugger::detach();
  connection_->close();
}

void Adapter::kill() {
  say_goodbye(1);
  captured_ = nullptr;
  Debugger::detach();
  Debugger::kill();
}

void Adapter::read_script(const std::string&) {
  throw Refused("scripts belong to the terminal's debugger", "one command at a time");
}

void Adapter::say_goodbye(int exit_code) {
  if (!connection_->is_open()) return;
  event("exited", {{"exitCode", exit_code}});
  event("terminated", {});
  connection_->close();
}

// ---- BACKSTEP=dap ---------------------------------------------------------------------------------------------------

namespace {

Adapter* of_this_program = nullptr;

void when_program_ends(int exit_code, void*) {
  of_this_program->say_goodbye(exit_code);
}

}  // namespace

Observer* make_adapter(const std::string& address) {
  // Never freed, because static destructors may still run a pass.
  of_this_program = new Adapter(wait_for_editor(address));
  ::on_exit(when_program_ends, nullptr);  // std::atexit() does not tell the exit code
  of_this_program->configure();
  return of_this_program;
}

}  // namespace autograd::debug
