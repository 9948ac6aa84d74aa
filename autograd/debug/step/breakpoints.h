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

// The innermost call around the op of the module, or of the time step, that is meant: "attention", "rnn.l0, step 3", or
// "step 1.attention", as the debugger prints it. nullptr if the op is in none.
const Scope* call_of(const Node* node, const std::string& wanted);
// Every module of the pass, each once.
std::vector<std::string> modules_of(const View& view);

// A place to stop at, or a gradient that is watched.
struct Breakpoint {
  int number = 0;
  Spot spot;
  std::optional<Expression> watched;  // W.grad[1, 2]: stops when it changes, in the place of the spot
  bool temporary = false;
  bool enabled = true;
  int hits = 0;
};

// "Breakpoint" or "Watch", and what it stops at: "op tanh", "W.grad[1, 2]".
const char* kind_of(const Breakpoint& breakpoint);
std::string to_string(const Breakpoint& breakpoint);
// What is met now, after a move from another position, in lines that may be none; nothing if it is not met.
std::optional<std::string> met(const Breakpoint& breakpoint, std::size_t came_from, const View& view);
// Throws Refused unless it is a gradient.
Expression parse_watched(std::string_view text, const View& view);

}  // namespace autograd::debug
