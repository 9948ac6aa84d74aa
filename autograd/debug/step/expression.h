// Expressions: the operands of print, watch, cell, why and bump, and of conditions.
//
//   W   %17   encoder.rnn.weight_hh_l0   "a name with spaces"     a tensor of the program
//   y   x   x0  x1 ..   dy   dx   dx0  dx1 ..                     output, inputs and gradients of the current op
//   loss                                                          where the pass started
//   NAME.grad                                                     its gradient in this pass, as far as it has arrived
//   ...[1, 2]   [0, :]   [1:3]   [-1]   [::2]                     some of its elements, as in Python
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "autograd/debug/step/pick.h"
#include "autograd/debug/step/view.h"

namespace autograd::debug {

struct Expression {
  std::string text;     // as it was written
  std::string target;   // without .grad and brackets
  bool quoted = false;  // a tensor of the program, whatever y, x0, dy and loss are here
  std::vector<Pick> picks;
  bool has_picks = false;
};

// Throws Refused.
Expression parse_expression(std::string_view text);

// The value of an expression.
struct Value {
  std::string title;           // "W.grad[0, :]"
  Tensor tensor;               // undefined if there is none yet; then `note` says why
  std::string note;            // "partial, 1 of 3 contributions", or ""
  const Node* node = nullptr;  // whose output or gradient it is; nullptr for a constant
  bool is_gradient = false;
  std::vector<std::int64_t> element;  // the index, if the expression picks exactly one element
  bool is_element = false;
};
// Throws Refused for what does not exist, with names near to it.
Value evaluate(const Expression& expression, const View& view);
// The same, but nothing for what does not exist: a search for names near to it takes too long for a condition.
std::optional<Value> find_value(const Expression& expression, const View& view);
inline Value evaluate(std::string_view text, const View& view) {
  return evaluate(parse_expression(text), view);
}

// One element of a tensor of the program, or of its gradient: its node and index.
struct Element {
  const Node* node = nullptr;
  std::vector<std::int64_t> index;
  std::string title;  // "W[1, 2]"
};
Element evaluate_element(std::string_view text, const View& view);

// The node that an expression names, itself or by its .grad, without computing anything; nullptr if it names none.
const Node* named_node(const Expression& expression, const View& view);
// The leaf that an expression names, itself or by its .grad, if it is not part of the pass.
std::optional<KnownLeaf> named_absent(const Expression& expression, const View& view);
// Throws Refused: it gets no gradient, and why.
[[noreturn]] void refuse_absent(const KnownLeaf& leaf, const View& view);
// The node that a name or %number stands for. Throws Refused with names near to it.
const Node& find_node(std::string_view text, const View& view);
// The node named in a command, or the current one if `text` is empty.
const Node& node_or_current(std::string_view text, const View& view);

// ---- conditions -----------------------------------------------------------------------------------------------------

// TERM [and TERM ..], a TERM being  nan, inf, or VALUE < NUMBER with <, <=, >, >=, == or !=. A VALUE is norm, max, min,
// mean or absmax of dy, any of these with an expression in brackets, the op's time step `step`, its number `at` in the
// order of the pass ("#29 of 245"), or an expression for one element.
struct Term {
  std::string function;  // "norm", "" for an expression alone
  std::string argument;  // "dy", "W.grad[1,2]"
  std::string comparison;
  double number = 0.0;
};
struct Condition {
  std::string text;
  std::vector<Term> terms;
};
Condition parse_condition(std::string_view text);
// False if a value does not exist, or not yet.
bool holds(const Condition& condition, const View& view);
// Of "<", "<=", ">", ">=", "==" and "!=".
bool is_comparison(const std::string& sign);
bool compare(double left, const std::string& comparison, double right);

}  // namespace autograd::debug
