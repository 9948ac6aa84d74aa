#include "autograd/debug/step/debugger.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "autograd/debug/step/answers.h"
#include "autograd/debug/step/commands.h"
#include "autograd/debug/step/refused.h"
#include "autograd/debug/unobserved.h"
#include "autograd/tensor/error.h"

namespace autograd::debug {
namespace {

constexpr const char* prompt = "(backstep) ";
constexpr std::size_t deepest_script = 10;

std::string pass_text(const PassRecord& pass) {
  return fmt::format("{}() of {}", pass.captures_only ? "grad" : "backward", to_string(pass.called_at));
}

std::string ops_text(std::size_t count) {
  return fmt::format("{} op{}", count, count == 1 ? "" : "s");
}

}  // namespace

Debugger::Debugger(std::unique_ptr<Lines> lines, std::ostream& out) : out_(out) {
  lines_.push_back(std::move(lines));
}

// ---- what the engine reports ----------------------------------------------------------------------------------------

void Debugger::recorded(Node& node, const Inputs& inputs, const Tensor& output) {
  if (detached_) return ForwardingObserver::recorded(node, inputs, output);
  Recording::recorded(node, inputs, output);
}

void Debugger::accumulated(const Node& from, std::size_t input, const Tensor& contribution) {
  if (detached_) return ForwardingObserver::accumulated(from, input, contribution);
  Recording::accumulated(from, input, contribution);
}

void Debugger::pass_begins(Pass& pass) {
  if (detached_) {
    ++unrecorded_passes_;
    return ForwardingObserver::pass_begins(pass);
  }
  Recording::pass_begins(pass);
  auto session = std::make_unique<Session>();
  session->index = PassIndex(*running(), pass);
  session->view = View{this, running(), &session->index, 0, nullptr, nullptr};
  sessions_.push_back(std::move(session));
}

// The op is about to run, and the record of all before it is complete.
Grads Debugger::run(Node& node, const Tensor& dy) {
  if (detached_ || sessions_.empty()) return ForwardingObserver::run(node, dy);
  Session& session = *sessions_.back();
  session.view.waiting = &node;
  session.view.its_dy = &dy;
  arrive();
  session.view.waiting = nullptr;
  session.view.its_dy = nullptr;
  if (detached_) return ForwardingObserver::run(node, dy);
  return Recording::run(node, dy);
}

void Debugger::pass_ends(Pass& pass) {
  if (unrecorded_passes_ > 0) {
    --unrecorded_passes_;
    return ForwardingObserver::pass_ends(pass);
  }
  Recording::pass_ends(pass);
  if (sessions_.empty()) return;
  try {
    end_session(pass);
  } catch (...) {  // the answer could not be written; the program must go on
  }
  sessions_.pop_back();
  if (!sessions_.empty()) return;
  forget_last();
  if (detached_) forget();
}

void Debugger::end_session(const Pass& pass) {
  Session& session = *sessions_.back();
  if (detached_ || !last()) return;
  session.view.pass = last();
  session.ending = pass.has_ended() ? "ended" : "was left by an exception";
  arrive();
}

// ---- stopping -------------------------------------------------------------------------------------------------------

// Called when the real pass has reached its next position.
void Debugger::arrive() {
  if (detached_) return;
  Session& session = *sessions_.back();
  session.view.at = session.view.pass->steps.size();
  const std::optional<std::string> reason = reason_to_stop(session.view.at == 0 ? 0 : session.view.at - 1);
  if (!reason) return;
  write(*reason);
  talk();
}

// The reason to stop at this position, in lines to show; no value if there is none.
std::optional<std::string> Debugger::reason_to_stop(std::size_t came_from) {
  Session& session = *sessions_.back();
  std::string text = reason_of_breakpoints() + reason_of_watches(came_from);
  const bool planned = plan_is_done();
  const std::optional<std::string> of_pass = reason_of_pass();
  if (of_pass) text = *of_pass + text;
  if (!planned && !of_pass && text.empty()) return {};
  session.plan = Plan();
  session.opened = true;
  return text;
}

// At the beginning and at the end of the passes that the debugger opens.
std::optional<std::string> Debugger::reason_of_pass() {
  const Session& session = *sessions_.back();
  const PassRecord& pass = *session.view.pass;
  const bool opens = settings.stop_at == "all" || (settings.stop_at == "backward" && !pass.captures_only);
  if (session.view.waiting && session.view.at == 0 && opens && !session.opened) {
    return fmt::format("[{} begins: {} to run]\n", pass_text(pass), ops_text(pass.order.size()));
  }
  const bool at_end = session.view.is_real() && !session.view.waiting;
  if (!at_end || !session.opened) return {};
  return fmt::format("[{} {}: {} ran]\n", pass_text(pass), session.ending, ops_text(pass.steps.size()));
}

std::string Debugger::reason_of_breakpoints() {
  std::string text;
  std::vector<int> done;
  for (Breakpoint& breakpoint : breakpoints) {
    if (!breakpoint.enabled || !matches(breakpoint.spot, view())) continue;
    ++breakpoint.hits;
    text += fmt::format("Breakpoint {}, {}\n", breakpoint.number, to_string(breakpoint.spot));
    if (breakpoint.spot.kind == Spot::Kind::nan || breakpoint.spot.kind == Spot::Kind::inf) {
      text += fmt::format("  {}\n", odd_contribution(view(), breakpoint.spot.kind == Spot::Kind::nan));
    }
    if (breakpoint.temporary) done.push_back(breakpoint.number);
  }
  std::erase_if(breakpoints, [&](const Breakpoint& breakpoint) {
    return std::find(done.begin(), done.end(), breakpoint.number) != done.end();
  });
  return text;
}

std::string Debugger::reason_of_watches(std::size_t came_from) {
  if (came_from == view().at) return "";
  View before = view();
  before.at = came_from;
  std::string text;
  for (Watch& watch : watches) {
    const std::string change = watch.enabled ? watched_change(watch, before, view()) : "";
    if (change.empty()) continue;
    ++watch.hits;
    text += fmt::format("Watch {}, {}\n{}", watch.number, printable(watch.expression.text), change);
  }
  return text;
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

// ---- talking --------------------------------------------------------------------------------------------------------

void Debugger::talk() {
  show_place();
  while (!detached_) {
    const std::optional<std::string> line = next_line();
    if (!line) {
      write("[no more commands: the program goes on]\n");
      return detach();
    }
    if (!answer(*line) || !moving_) continue;
    moving_ = false;
    if (move()) return;
    show_place();
  }
}

// Follows the plan through what is recorded. True if the real pass must run on to complete it.
bool Debugger::move() {
  Session& session = *sessions_.back();
  while (true) {
    const std::size_t came_from = session.view.at;
    if (session.plan.forward && session.view.is_real()) return true;
    if (!session.plan.forward && came_from == 0) {
      write("[the beginning of the pass]\n");
      session.plan = Plan();
      return false;
    }
    session.view.at = session.plan.forward ? came_from + 1 : came_from - 1;
    const std::optional<std::string> reason = reason_to_stop(came_from);
    if (!reason) continue;
    write(*reason);
    return false;
  }
}

void Debugger::show_place() {
  write(place_text(view(), settings));
  for (const Display& display : displays) {
    std::string text;
    try {
      const std::string flags = display.flags.empty() ? "" : "/" + display.flags + " ";
      text = answer_print({view(), settings, flags + display.expression});
    } catch (const std::exception& problem) {
      text = printable(problem.what()) + "\n";
    }
    write(fmt::format("{}: {}", display.number, text));
  }
}

// The next line of the innermost script that has one left.
std::optional<std::string> Debugger::next_line() {
  while (!lines_.empty()) {
    out_.flush();
    const std::optional<std::string> line = lines_.back()->read(prompt);
    if (line) {
      if (!lines_.back()->is_terminal()) write(fmt::format("{}{}\n", prompt, printable(*line)));
      return line;
    }
    lines_.pop_back();
  }
  return {};
}

// Runs a command and prints its answer. An exception becomes the answer, because the pass must go on; the result is
// then false.
bool Debugger::answer(const std::string& line) {
  last_refusal_.clear();
  try {
    perform(line);
    return true;
  } catch (const std::exception& problem) {
    const std::string text = problem.what();
    last_refusal_ = printable(text.substr(0, text.find('\n')));
  } catch (...) {
    last_refusal_ = "the command failed with an exception of an unknown type";
  }
  write(last_refusal_ + "\n");
  moving_ = false;
  return false;
}

void Debugger::perform(const std::string& given) {
  std::string line = trim(given);
  const bool at_terminal = !lines_.empty() && lines_.back()->is_terminal();
  if (line.empty() && at_terminal) line = last_repeatable_;
  if (line.empty() || line[0] == '#') return;
  const Unobserved unobserved;
  last_repeatable_ = run_command(*this, line) ? line : "";
}

// ---- what commands ask for ------------------------------------------------------------------------------------------

void Debugger::go(const Plan& plan) {
  sessions_.back()->plan = plan;
  moving_ = true;
}

void Debugger::detach() {
  detached_ = true;
  out_.flush();
}

void Debugger::kill() {
  write("[killed]\n");
  out_.flush();
  if (settings.kill) return settings.kill();
  std::fflush(nullptr);
  std::_Exit(1);  // destructors would see an unfinished pass
}

void Debugger::read_script(const std::string& file) {
  const auto reads = [&](const std::unique_ptr<Lines>& lines) { return lines->file() == file; };
  if (std::any_of(lines_.begin(), lines_.end(), reads)) {
    throw Refused(fmt::format("'{}' is being read already", printable(file)), "a script that does not source itself");
  }
  if (lines_.size() > deepest_script) {
    throw Refused(fmt::format("scripts are nested {} deep", lines_.size() - 1),
                  fmt::format("at most {}", deepest_script));
  }
  lines_.push_back(lines_of_file(file));
}

std::vector<std::string> Debugger::completions(const std::string& line) const {
  return complete_command(*this, line);
}

// ---- BACKSTEP=step --------------------------------------------------------------------------------------------------

namespace {

// Writes through stdio, so that the output of the program and of the debugger appear in the right order.
class StandardOutput : public std::streambuf {
  int overflow(int character) override { return character == EOF ? 0 : std::fputc(character, stdout); }
  std::streamsize xsputn(const char* text, std::streamsize count) override {
    return static_cast<std::streamsize>(std::fwrite(text, 1, static_cast<std::size_t>(count), stdout));
  }
  int sync() override { return std::fflush(stdout); }
};

}  // namespace

Observer* make_debugger(const std::string& script) {
  // Never freed, because static destructors may still run a pass.
  static std::ostream& out = *new std::ostream(new StandardOutput);
  static Debugger* debugger = nullptr;
  const Completer complete = [](const std::string& line) { return debugger->completions(line); };
  try {
    debugger = new Debugger(script.empty() ? lines_of_standard_input(complete) : lines_of_file(script), out);
  } catch (const Refused& refused) {
    throw std::invalid_argument(refused.what());
  }
  return debugger;
}

}  // namespace autograd::debug
