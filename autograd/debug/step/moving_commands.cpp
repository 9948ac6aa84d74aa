// Commands that move through the pass, onwards in the real one, back and forth through what is recorded; and those that
// say where to stop, and what is shown there.
#include <fmt/core.h>

#include <algorithm>

#include "autograd/debug/step/commands.h"
#include "autograd/debug/step/debugger.h"
#include "autograd/debug/step/refused.h"
#include "autograd/text/printable.h"
#include "autograd/text/words.h"

namespace autograd::debug {
namespace {

using Kind = Plan::Kind;

constexpr std::int64_t most_times = 1'000'000'000;

template <Kind kind, bool forward> void go(Debugger& debugger, const std::string& arguments) {
  const Node* node = debugger.view().current();
  const std::string times = trim(arguments);
  const bool counts = kind == Kind::step || kind == Kind::next;
  if (!counts && !times.empty()) {
    throw Refused(fmt::format("'{}' is too much", printable(times)), "nothing after the command");
  }
  if (kind == Kind::finish && (!node || depth(*node) == 0)) {
    throw Refused("the current op is in no module call or time step", "an op that is, or `continue`");
  }
  Plan plan;
  plan.kind = kind;
  plan.forward = forward;
  if (!times.empty()) plan.left = parse_count(times, 1, most_times, "number of times");
  plan.depth = node ? depth(*node) : 0;
  if (node) plan.scope = node->scope;
  debugger.go(plan);
}

// Throws Refused for a single op that the position has already passed.
void check_not_passed(const Spot& spot, const View& view) {
  if (spot.kind != Spot::Kind::tensor) return;
  const Node& node = find_node(spot.text[0] == '%' ? spot.text : "\"" + spot.text + "\"", view);
  const bool only_one = view.index->named(spot.text).size() == 1;
  if (!only_one || !view.has_run(node)) return;
  throw Refused(fmt::format("{} has run already, as #{}", describe(node), *view.pass->step_of(node) + 1),
                "an op that is ahead, or `back`");
}

// Throws Refused for an op, or a call of a module, of which the rest of the pass has none.
void check_ahead(const Spot& spot, const View& view) {
  check_not_passed(spot, view);
  if (spot.kind == Spot::Kind::module && !is_called_ahead(spot, view)) {
    throw Refused(fmt::format("no call of {} begins ahead in this pass", printable(spot.text)),
                  "a module from `info modules`, or `back`");
  }
  if (spot.kind != Spot::Kind::op) return;
  const auto& order = view.pass->order;
  for (std::size_t i = view.position() + 1; i < order.size(); ++i) {
    if (spot.text == order[i]->name()) return;
  }
  throw Refused(fmt::format("no {} is ahead in this pass", spot.text), "an op from `info nodes all`, or `back`");
}

void until(Debugger& debugger, const std::string& arguments) {
  Plan plan;
  plan.kind = Kind::until;
  plan.spot = parse_spot(arguments, debugger.view());
  check_ahead(*plan.spot, debugger.view());
  debugger.go(plan);
}

// ---- where to stop --------------------------------------------------------------------------------------------------

constexpr std::size_t most = 1000;  // breakpoints, or displays

void check_room(std::size_t count) {
  if (count >= most) throw Refused(fmt::format("there are {} already", count), "room made by `delete`");
}

void add(Debugger& debugger, Breakpoint breakpoint, const char* note) {
  check_room(debugger.breakpoints.size());
  breakpoint.number = debugger.next_number++;
  debugger.write(fmt::format("{}{} {}: {}{}\n", breakpoint.temporary ? "Temporary " : "", kind_of(breakpoint),
                             breakpoint.number, to_string(breakpoint), note));
  debugger.breakpoints.push_back(std::move(breakpoint));
}

// A module's breakpoint is met where a call begins, which may be behind.
template <bool temporary> void add_breakpoint(Debugger& debugger, const std::string& arguments) {
  Breakpoint breakpoint;
  breakpoint.spot = parse_spot(arguments, debugger.view());
  breakpoint.temporary = temporary;
  const bool is_behind =
      breakpoint.spot.kind == Spot::Kind::module && !is_called_ahead(breakpoint.spot, debugger.view());
  add(debugger, breakpoint, is_behind ? " (no call of it begins ahead in this pass)" : "");
}

void watch(Debugger& debugger, const std::string& arguments) {
  Breakpoint breakpoint;
  breakpoint.watched = parse_watched(arguments, debugger.view());
  add(debugger, breakpoint, "");
}

std::int64_t parse_number(const std::string& arguments) {
  return parse_count(arguments, 1, INT32_MAX, "breakpoint");
}

[[noreturn]] void refuse_number(std::int64_t number) {
  throw Refused(fmt::format("there is no breakpoint or watch {}", number), "a number from `info breakpoints`");
}

template <bool enabled> void set_enabled(Debugger& debugger, const std::string& arguments) {
  const bool all = trim(arguments).empty();
  const std::int64_t number = all ? 0 : parse_number(arguments);
  bool found = all;
  for (Breakpoint& breakpoint : debugger.breakpoints) {
    if (!all && breakpoint.number != number) continue;
    breakpoint.enabled = enabled;
    found = true;
  }
  if (!found) refuse_number(number);
}

void delete_(Debugger& debugger, const std::string& arguments) {
  if (trim(arguments).empty()) {
    debugger.breakpoints.clear();
    return debugger.write("All breakpoints and watches deleted\n");
  }
  const std::int64_t number = parse_number(arguments);
  const auto is_meant = [&](const Breakpoint& item) { return item.number == number; };
  if (std::erase_if(debugger.breakpoints, is_meant) == 0) refuse_number(number);
}

void display(Debugger& debugger, const std::string& arguments) {
  check_room(debugger.displays.size());
  const std::string text = answer_print({debugger.view(), debugger.settings, arguments});  // refuses what is wrong
  const int number = debugger.displays.empty() ? 1 : debugger.displays.back().number + 1;
  debugger.write(fmt::format("{}: {}", number, text));
  debugger.displays.push_back({number, trim(arguments)});
}

void undisplay(Debugger& debugger, const std::string& arguments) {
  if (trim(arguments).empty()) return debugger.displays.clear();
  const std::int64_t number = parse_count(arguments, 1, INT32_MAX, "display");
  const auto is_meant = [&](const Display& item) { return item.number == number; };
  if (std::erase_if(debugger.displays, is_meant) == 0) {
    throw Refused(fmt::format("there is no display {}", number), "a number from `info display`");
  }
}

constexpr const char* break_help =
    "Stop at a place.\n"
    "PLACE is  tanh          before each op of this name\n"
    "          W  or  %17    before the op that made this tensor (its gradient is complete then)\n"
    "          rnn           when a call of this module begins, also as printed: step 1.rnn, or rnn, step 3\n"
    "          model.cpp:40  before the ops called at this line, in a module call too\n"
    "          nan  or  inf  after an op that gave such a gradient\n"
    "          wrong         before an op whose backward disagrees with finite differences; slow\n"
    "          norm>1e3      where this holds; VALUE may be norm, absmax, max, min, mean (of dy), norm(W.grad),\n"
    "                        W.grad[1,2], step (the time step) or at (29 in \"#29 of 245\"). More with `and`.\n"
    "and any of them followed by  if CONDITION.";

}  // namespace

std::vector<Command> moving_commands() {
  return {
      {"step", {"s"}, "[N]", "Run this op's backward (or N), stop before the next.", go<Kind::step, true>, true},
      {"back",
       {"reverse-step", "rs"},
       "[N]",
       "Go back one op (or N).\nValues and gradients are shown as they were then, bit for bit.",
       go<Kind::step, false>,
       true},
      {"next",
       {"n"},
       "[N]",
       "Like step, but over the ops of deeper modules.\n"
       "It stops at the next op that is not inside of more module calls and time steps than this one, as gdb's next\n"
       "steps over function calls.",
       go<Kind::next, true>,
       true},
      {"reverse-next", {"rn"}, "[N]", "Like next, backwards.", go<Kind::next, false>, true},
      {"finish", {"fin"}, "", "Run until this module call or time step is done.", go<Kind::finish, true>},
      {"continue", {"c"}, "", "Run to the next breakpoint or watch, or to the end.", go<Kind::go_on, true>, true},
      {"reverse-continue",
       {"rc"},
       "",
       "Back to the last breakpoint or watch, or to the start.",
       go<Kind::go_on, false>,
       true},
      {"until", {"u"}, "PLACE", "Run until a place, which is written as for break.", until},
      {"break", {"b", "br"}, "PLACE [if CONDITION]", break_help, add_breakpoint<false>},
      {"tbreak", {"tb"}, "PLACE [if CONDITION]", "Like break, for one stop only.", add_breakpoint<true>},
      {"watch",
       {"wa"},
       "NAME.grad[I,J]",
       "Stop when a gradient changes, and say which op did it.\nWithout brackets: when any element of it does.",
       watch},
      {"delete", {"d"}, "[N]", "Delete a breakpoint or watch, or all.", delete_},
      {"enable", {}, "[N]", "Let a breakpoint or watch (or all) stop again.", set_enabled<true>},
      {"disable", {}, "[N]", "Let a breakpoint or watch (or all) stop no more.", set_enabled<false>},
      {"display", {}, "[/s|/h] EXPRESSION", "Print an expression now and at every stop.", display},
      {"undisplay", {}, "[N]", "Print it no more; without a number, none of them.", undisplay},
  };
}

}  // namespace autograd::debug
