#include "autograd/debug/step/debugger.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "autograd/debug/step/answers.h"
#include "autograd/debug/step/commands.h"
#include "autograd/debug/step/refused.h"
#include "autograd/debug/unobserved.h"
#include "autograd/tensor/error.h"
#include "autograd/text/printable.h"

namespace autograd::debug {
namespace {

std::string pass_text(const PassRecord& pass) {
  return fmt::format("{}() of {}", pass.captures_only ? "grad" : "backward", to_string(pass.called_at));
}

}  // namespace

// ---- what the engine reports ----------------------------------------------------------------------------------------

void Debugger::pass_begins(Pass& pass) {
  Recording::pass_begins(pass);
  if (is_detached()) return;
  auto session = std::make_unique<Session>();
  session->index = PassIndex(*running());
  session->view = View{this, running(), &session->index, 0, nullptr, nullptr};
  sessions_.push_back(std::move(session));
}

// The op is about to run, and the record of all before it is complete.
Grads Debugger::run(Node& node, const Tensor& dy) {
  if (is_detached() || sessions_.empty()) return Recording::run(node, dy);
  Session& session = *sessions_.back();
  session.view.waiting = &node;
  session.view.its_dy = &dy;
  arrive();
  const Grads gradients = Recording::run(node, dy);
  session.view.waiting = nullptr;
  session.view.its_dy = nullptr;
  return gradients;
}

void Debugger::pass_ends(Pass& pass) {
  const PassRecord* ended = running();
  Recording::pass_ends(pass);
  if (running() == ended) return;  // it was not recorded
  try {
    end_session(pass);
  } catch (...) {  // the answer could not be written; the program must go on
  }
  sessions_.pop_back();
  if (!sessions_.empty()) return;
  forget_last();
  if (is_detached()) forget();
}

void Debugger::end_session(const Pass& pass) {
  Session& session = *sessions_.back();
  if (is_detached()) return;
  session.view.pass = last();
  session.view.waiting = nullptr;  // an op that threw
  session.view.its_dy = nullptr;
  session.ending = pass.has_ended() ? "ended" : "was left by an exception";
  arrive();
}

// ---- stopping -------------------------------------------------------------------------------------------------------

// Called when the real pass has reached its next position.
void Debugger::arrive() {
  if (is_detached()) return;
  Session& session = *sessions_.back();
  session.view.at = session.view.pass->steps.size();
  const std::optional<Stop> stop = reason_to_stop(session.view.at == 0 ? 0 : session.view.at - 1);
  if (stop) talk(*stop);
}

// The reason to stop at this position, if there is one.
std::optional<Stop> Debugger::reason_to_stop(std::size_t came_from) {
  Session& session = *sessions_.back();
  Stop stop;
  add_breakpoints(stop, came_from);
  const bool planned = plan_is_done() || (view().current() && take_pause());
  if (const std::optional<Stop> of_pass = reason_of_pass()) {
    stop.kind = of_pass->kind;
    stop.text = of_pass->text + stop.text;
  }
  if (!planned && stop.kind == Stop::Kind::step) return {};
  session.plan = Plan();
  session.opened = true;
  return stop;
}

// At the beginning and at the end of the passes that the debugger opens.
std::optional<Stop> Debugger::reason_of_pass() {
  const Session& session = *sessions_.back();
  const PassRecord& pass = *session.view.pass;
  const bool opens = settings.stop_at == "all" || (settings.stop_at == "backward" && !pass.captures_only);
  if (session.view.waiting && session.view.at == 0 && opens && !session.opened) {
    return Stop{Stop::Kind::pass_begins, fmt::format("[{} begins: {} to run]\n", pass_text(pass), pass.all_text()), {}};
  }
  const bool at_end = session.view.is_real() && !session.ending.empty();
  const bool left = !pass.completed;  // by an exception
  if (!at_end || !session.opened || !(settings.stop_at_end || left)) return {};
  const bool missed = session.plan.kind == Plan::Kind::until;
  return Stop{left ? Stop::Kind::exception : Stop::Kind::pass_ends,
              (missed ? fmt::format("[{} was not reached]\n", to_string(*session.plan.spot)) : "") +
                  fmt::format("[{} {}: {} ran]\n", pass_text(pass), session.ending, pass.ran_text()),
              {},
              left ? "C++ exception" : ""};
}

void Debugger::add_breakpoints(Stop& stop, std::size_t came_from) {
  for (Breakpoint& breakpoint : breakpoints) {
    const std::optional<std::string> found = breakpoint.enabled ? met(breakpoint, came_from, view()) : std::nullopt;
    if (!found) continue;
    ++breakpoint.hits;
    if (!stops(breakpoint)) continue;
    if (!breakpoint.watched) stop.kind = Stop::Kind::breakpoint;
    if (stop.kind == Stop::Kind::step) stop.kind = Stop::Kind::watch;
    stop.numbers.push_back(breakpoint.number);
    stop.text += fmt::format("{} {}, {}\n{}", kind_of(breakpoint), breakpoint.number, to_string(breakpoint), *found);
  }
  std::erase_if(breakpoints, [&](const Breakpoint& breakpoint) {
    const auto is_it = [&](int number) { return number == breakpoint.number; };
    return breakpoint.temporary && std::any_of(stop.numbers.begin(), stop.numbers.end(), is_it);
  });
}

bool Debugger::plan_is_done() {
  Plan& plan = sessions_.back()->plan;
  const Node* node = view().current();
  if (!node) return false;
  switch (plan.kind) {
    case Plan::Kind::go_on: return false;
    case Plan::Kind::step: break;
    case Plan::Kind::next:
      if (depth(*node) > plan.depth) return false;
      break;
    case Plan::Kind::finish:
      if (is_inside(*node, *plan.scope)) return false;
      break;
    case Plan::Kind::until:
      if (!matches(*plan.spot, view())) return false;
      break;
  }
  return --plan.left <= 0;
}

// ---- what other instruments find --------------------------------------------------------------------------------------

bool Debugger::found(const Finding& finding, const Node* node, const std::string& report) {
  if (is_detached()) return false;
  const bool forward = sessions_.empty();
  std::unique_ptr<PassRecord> computed;
  if (forward) {
    computed = program(node);
    sessions_.push_back(forward_session(*computed, node));
  }
  stop_for(finding, node, report);
  if (!forward) return !is_detached();
  sessions_.pop_back();
  if (is_detached()) forget();
  return !is_detached();
}

// Stops at the op, which has run if it is the last step; otherwise it runs now.
void Debugger::stop_for(const Finding& finding, const Node* node, const std::string& report) {
  Session& session = *sessions_.back();
  const std::deque<Step>& steps = session.view.pass->steps;
  const bool has_run = !steps.empty() && steps.back().node.get() == node;
  session.view.at = steps.size() - (has_run ? 1 : 0);
  session.plan = Plan();
  session.opened = true;
  talk({Stop::Kind::exception, report + "\n\n", {}, title(finding)});
  flush();  // after an uncaught exception nobody else does
}

// A session in the forward pass: the steps, through which it goes back, are the ops that the program has run.
std::unique_ptr<Debugger::Session> Debugger::forward_session(PassRecord& program, const Node* node) {
  auto session = std::make_unique<Session>();
  Node* waiting = nullptr;
  for (const Ref<Node>& op : program.order) {
    if (op.get() == node) {
      waiting = op.get();
    } else {
      program.add(Step{op, {}, {}, 0});
    }
  }
  session->index = PassIndex(program);
  session->view = View{this, &program, &session->index, program.steps.size(), waiting, nullptr};
  return session;
}

// Follows the plan through what is recorded. Nothing if the real pass must run on to complete it.
std::optional<Stop> Debugger::move() {
  Session& session = *sessions_.back();
  while (true) {
    const std::size_t came_from = session.view.at;
    if (session.plan.forward && session.view.is_real()) return {};
    if (!session.plan.forward && came_from == 0) {
      session.plan = Plan();
      return Stop{Stop::Kind::beginning, "[the beginning of the pass]\n", {}};
    }
    session.view.at = session.plan.forward ? came_from + 1 : came_from - 1;
    if (const std::optional<Stop> stop = reason_to_stop(came_from)) return stop;
  }
}

// ---- commands -------------------------------------------------------------------------------------------------------

bool Debugger::answer(const std::string& line, bool& repeats) {
  last_refusal_.clear();
  has_failed_ = false;
  try {
    const Unobserved unobserved;
    repeats = run_command(*this, line);
    return true;
  } catch (const Refused& refused) {
    last_refusal_ = printable(refused.what());
  } catch (const Error& error) {
    has_failed_ = true;
    last_refusal_ = printable(error.summary());
  } catch (const std::exception& problem) {
    has_failed_ = true;
    last_refusal_ = printable(problem.what());
  } catch (...) {
    has_failed_ = true;
    last_refusal_ = "the command failed with an exception of an unknown type";
  }
  write(last_refusal_ + "\n");
  moving_ = false;
  return false;
}

std::string Debugger::displays_text() const {
  std::string all;
  for (const Display& display : displays) {
    std::string text;
    try {
      text = answer_print({view(), settings, display.arguments});
    } catch (const std::exception& problem) {
      text = printable(problem.what()) + "\n";
    }
    all += fmt::format("{}: {}", display.number, text);
  }
  return all;
}

// ---- what commands ask for ------------------------------------------------------------------------------------------

void Debugger::go(const Plan& plan) {
  sessions_.back()->plan = plan;
  moving_ = true;
}

void Debugger::kill() {
  write("[killed]\n");
  flush();
  if (settings.kill) return settings.kill();
  std::fflush(nullptr);
  std::_Exit(1);  // destructors would see an unfinished pass
}

}  // namespace autograd::debug
