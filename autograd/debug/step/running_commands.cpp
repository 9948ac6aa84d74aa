// Commands that move through the pass: onwards in the real pass, back and forth through what is recorded.
#include <fmt/core.h>

#include "autograd/debug/step/commands.h"
#include "autograd/debug/step/debugger.h"
#include "autograd/debug/step/refused.h"
#include "autograd/tensor/characters.h"

namespace autograd::debug {
namespace {

constexpr std::int64_t most_times = 1'000'000'000;

std::int64_t count_of(const std::string& arguments) {
  return trim(arguments).empty() ? 1 : parse_count(arguments, 1, most_times, "number of times");
}

void go(Debugger& debugger, Plan::Kind kind, bool forward, const std::string& arguments) {
  Plan plan;
  plan.kind = kind;
  plan.forward = forward;
  plan.left = count_of(arguments);
  const Node* node = debugger.view().current();
  plan.depth = node ? depth(*node) : 0;
  if (node) plan.scope = node->scope;
  debugger.go(plan);
}

void no_arguments(const std::string& arguments) {
  if (trim(arguments).empty()) return;
  throw Refused(fmt::format("'{}' is too much", printable(trim(arguments))), "nothing after the command");
}

void step(Debugger& debugger, const std::string& arguments) {
  go(debugger, Plan::Kind::step, true, arguments);
}
void back(Debugger& debugger, const std::string& arguments) {
  go(debugger, Plan::Kind::step, false, arguments);
}
void next(Debugger& debugger, const std::string& arguments) {
  go(debugger, Plan::Kind::next, true, arguments);
}
void reverse_next(Debugger& debugger, const std::string& arguments) {
  go(debugger, Plan::Kind::next, false, arguments);
}

void finish(Debugger& debugger, const std::string& arguments) {
  no_arguments(arguments);
  const Node* node = debugger.view().current();
  if (!node || depth(*node) == 0) {
    throw Refused("the current op is in no module call or time step", "an op that is, or `continue`");
  }
  go(debugger, Plan::Kind::finish, true, "");
}

void continue_(Debugger& debugger, const std::string& arguments) {
  no_arguments(arguments);
  go(debugger, Plan::Kind::go_on, true, "");
}
void reverse_continue(Debugger& debugger, const std::string& arguments) {
  no_arguments(arguments);
  go(debugger, Plan::Kind::go_on, false, "");
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
  plan.kind = Plan::Kind::until;
  plan.spot = parse_spot(arguments, debugger.view());
  check_ahead(*plan.spot, debugger.view());
  debugger.go(plan);
}

}  // namespace

std::vector<Command> running_commands() {
  return {
      {"step", {"s"}, "[N]", "Run this op's backward (or N), stop before the next.", nullptr, step, true},
      {"back",
       {"reverse-step", "rs"},
       "[N]",
       "Go back one op (or N).\nValues and gradients are shown as they were then, bit for bit.",
       nullptr,
       back,
       true},
      {"next",
       {"n"},
       "[N]",
       "Like step, but over the ops of deeper modules.\n"
       "It stops at the next op that is not inside of more module calls and time steps than this one, as gdb's next\n"
       "steps over function calls.",
       nullptr,
       next,
       true},
      {"reverse-next", {"rn"}, "[N]", "Like next, backwards.", nullptr, reverse_next, true},
      {"finish", {"fin"}, "", "Run until this module call or time step is done.", nullptr, finish},
      {"continue", {"c"}, "", "Run to the next breakpoint or watch, or to the end.", nullptr, continue_, true},
      {"reverse-continue",
       {"rc"},
       "",
       "Back to the last breakpoint or watch, or to the start.",
       nullptr,
       reverse_continue,
       true},
      {"until", {"u"}, "PLACE", "Run until a place, which is written as for break.", nullptr, until},
  };
}

}  // namespace autograd::debug
