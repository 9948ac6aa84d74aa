// Commands that set where the debugger stops and what it shows there.
#include <fmt/core.h>

#include <algorithm>

#include "autograd/debug/step/commands.h"
#include "autograd/debug/step/debugger.h"
#include "autograd/debug/step/refused.h"
#include "autograd/tensor/characters.h"

namespace autograd::debug {
namespace {

constexpr std::size_t most = 1000;  // of each kind

void check_room(std::size_t count) {
  if (count >= most) throw Refused(fmt::format("there are {} already", count), "room made by `delete`");
}

// A module's breakpoint is met where a call begins, which may be behind.
std::string note_on(const Spot& spot, const View& view) {
  if (spot.kind != Spot::Kind::module || is_called_ahead(spot, view)) return "";
  return " (no call of it begins ahead in this pass)";
}

void add_breakpoint(Debugger& debugger, const std::string& arguments, bool temporary) {
  check_room(debugger.breakpoints.size());
  Breakpoint breakpoint;
  breakpoint.spot = parse_spot(arguments, debugger.view());
  breakpoint.temporary = temporary;
  breakpoint.number = debugger.next_number++;
  debugger.write(fmt::format("{} {}: {}{}\n", temporary ? "Temporary breakpoint" : "Breakpoint", breakpoint.number,
                             to_string(breakpoint.spot), note_on(breakpoint.spot, debugger.view())));
  debugger.breakpoints.push_back(breakpoint);
}

void break_(Debugger& debugger, const std::string& arguments) {
  add_breakpoint(debugger, arguments, false);
}
void tbreak(Debugger& debugger, const std::string& arguments) {
  add_breakpoint(debugger, arguments, true);
}

void watch(Debugger& debugger, const std::string& arguments) {
  check_room(debugger.watches.size());
  Watch watch;
  watch.expression = parse_watched(arguments, debugger.view());
  watch.number = debugger.next_number++;
  debugger.write(fmt::format("Watch {}: {}\n", watch.number, printable(watch.expression.text)));
  debugger.watches.push_back(watch);
}

// Calls change(item) for the breakpoint or watch of this number. False if there is none.
template <class Change> bool with_number(Debugger& debugger, std::int64_t number, Change&& change) {
  for (Breakpoint& breakpoint : debugger.breakpoints) {
    if (breakpoint.number == number) return change(breakpoint), true;
  }
  for (Watch& watch : debugger.watches) {
    if (watch.number == number) return change(watch), true;
  }
  return false;
}

[[noreturn]] void refuse_number(std::int64_t number) {
  throw Refused(fmt::format("there is no breakpoint or watch {}", number), "a number from `info breakpoints`");
}

void set_enabled(Debugger& debugger, const std::string& arguments, bool enabled) {
  if (trim(arguments).empty()) {
    for (Breakpoint& breakpoint : debugger.breakpoints) breakpoint.enabled = enabled;
    for (Watch& watch : debugger.watches) watch.enabled = enabled;
    return;
  }
  const std::int64_t number = parse_count(arguments, 1, INT32_MAX, "breakpoint");
  if (!with_number(debugger, number, [&](auto& item) { item.enabled = enabled; })) refuse_number(number);
}

void enable(Debugger& debugger, const std::string& arguments) {
  set_enabled(debugger, arguments, true);
}
void disable(Debugger& debugger, const std::string& arguments) {
  set_enabled(debugger, arguments, false);
}

void delete_(Debugger& debugger, const std::string& arguments) {
  if (trim(arguments).empty()) {
    debugger.breakpoints.clear();
    debugger.watches.clear();
    debugger.write("All breakpoints and watches deleted\n");
    return;
  }
  const std::int64_t number = parse_count(arguments, 1, INT32_MAX, "breakpoint");
  const auto is_meant = [&](const auto& item) { return item.number == number; };
  if (std::erase_if(debugger.breakpoints, is_meant) + std::erase_if(debugger.watches, is_meant) == 0) {
    refuse_number(number);
  }
}

// "/s W" -> flags "s", and the rest.
void display(Debugger& debugger, const std::string& arguments) {
  check_room(debugger.displays.size());
  const std::string text = answer_print({debugger.view(), debugger.settings, arguments});  // refuses what is wrong
  Display display;
  display.expression = trim(arguments);
  if (display.expression[0] == '/') {
    display.flags = take_word(display.expression).substr(1);
  }
  display.number = debugger.displays.empty() ? 1 : debugger.displays.back().number + 1;
  debugger.write(fmt::format("{}: {}", display.number, text));
  debugger.displays.push_back(display);
}

void undisplay(Debugger& debugger, const std::string& arguments) {
  if (trim(arguments).empty()) return debugger.displays.clear();
  const std::int64_t number = parse_count(arguments, 1, INT32_MAX, "display");
  const auto is_meant = [&](const Display& item) { return item.number == number; };
  if (std::erase_if(debugger.displays, is_meant) == 0) {
    throw Refused(fmt::format("there is no display {}", number), "a number from `info display`");
  }
}

}  // namespace

std::vector<Command> stopping_commands() {
  constexpr const char* place =
      "PLACE is  tanh          before each op of this name\n"
      "          W  or  %17    before the op that made this tensor (its gradient is complete then)\n"
      "          rnn           when a call of this module begins, also as printed: step 1.rnn, or rnn, step 3\n"
      "          model.cpp:40  before the ops called at this line, in a module call too\n"
      "          nan  or  inf  after an op that gave such a gradient\n"
      "          wrong         before an op whose backward disagrees with finite differences; slow\n"
      "          norm>1e3      where this holds; VALUE may be norm, absmax, max, min, mean (of dy), norm(W.grad),\n"
      "                        W.grad[1,2], step (the time step) or at (29 in \"#29 of 245\"). More with `and`.\n"
      "and any of them followed by  if CONDITION.";
  static const std::string break_help = fmt::format("Stop at a place.\n{}", place);
  return {
      {"break", {"b", "br"}, "PLACE [if CONDITION]", break_help.c_str(), nullptr, break_},
      {"tbreak", {"tb"}, "PLACE [if CONDITION]", "Like break, for one stop only.", nullptr, tbreak},
      {"watch",
       {"wa"},
       "NAME.grad[I,J]",
       "Stop when a gradient changes, and say which op did it.\nWithout brackets: when any element of it does.",
       nullptr,
       watch},
      {"delete", {"d"}, "[N]", "Delete a breakpoint or watch, or all.", nullptr, delete_},
      {"enable", {}, "[N]", "Let a breakpoint or watch (or all) stop again.", nullptr, enable},
      {"disable", {}, "[N]", "Let a breakpoint or watch (or all) stop no more.", nullptr, disable},
      {"display", {}, "[/s|/h] EXPRESSION", "Print an expression now and at every stop.", nullptr, display},
      {"undisplay", {}, "[N]", "Print it no more; without a number, none of them.", nullptr, undisplay},
  };
}

}  // namespace autograd::debug
