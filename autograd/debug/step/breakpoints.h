// Places at which the debugger stops: breakpoints, and watches of gradients.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "autograd/debug/step/expression.h"
#include "autograd/debug/step/view.h"

namespace autograd::debug {

// A kind of place: before an op of this name, before the op that made this tensor, when a module's ops begin, at a
// line or a module call that it made, after an op that gave a NaN or an infinity, or before one whose backward
// disagrees with finite differences.
struct Spot {
  enum class Kind { anywhere, op, tensor, module, line, nan, inf, wrong };
  Kind kind = Kind::anywhere;
  std::string text;  // the op, tensor, module or file
  int line = 0;
  std::optional<Condition> condition;
};

// Throws Refused if the pass has no such place.
Spot parse_spot(std::string_view text, const View& view);
// Is the pass, seen from this position, at the spot?
bool matches(const Spot& spot, const View& view);
std::string to_string(const Spot& spot);
// For a module: does a call of it begin after this position?
bool is_called_ahead(const Spot& spot, const View& view);

// The module that an op ran in, without time steps: "decoder.attention". "" outside of any.
std::string module_name(const Scope* scope);
// The innermost call around the op of the module, or of the time step, that is meant: "attention", "rnn.l0, step 3", or
// "step 1.attention", as the debugger prints it. nullptr if the op is in none.
const Scope* call_of(const Node* node, const std::string& wanted);
// Every module of the pass, each once.
std::vector<std::string> modules_of(const View& view);

// "the gradient that %12 div gave to %10 has 3 NaN of 8, the first at [0, 1]", for the last step; "" if neither what it
// gave, nor a sum that this completed, nor what hooks made of its own has a NaN, or an infinity if `nan` is false.
std::string odd_contribution(const View& view, bool nan);

struct Breakpoint {
  int number = 0;
  Spot spot;
  bool temporary = false;
  bool enabled = true;
  int hits = 0;
};

struct Watch {
  int number = 0;
  Expression expression;  // W.grad[1, 2]
  bool enabled = true;
  int hits = 0;
};

// Throws Refused unless it is a gradient.
Expression parse_watched(std::string_view text, const View& view);
// What the step from `before` to `after` did to a watched gradient: the lines to show, empty if nothing.
std::string watched_change(const Watch& watch, const View& before, const View& after);

}  // namespace autograd::debug
