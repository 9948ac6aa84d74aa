// One element of a value or of a gradient: which elements it came from, and which come from it. Of a gradient the exact
// account: who gave what, and that this is all of it.
//
// The slopes are the op's own derivative, with the numbers of this pass: a row of its Jacobian for what a value came
// from, a column for what came from it, and the other way round for gradients. So custom ops need nothing of their own.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "autograd/debug/step/expression.h"

namespace autograd::debug {

// A contribution to one element of a gradient.
struct AmountGiven {
  const Contribution* contribution = nullptr;
  KeptTensor value;  // of the element
  double amount = 0.0;
};

// The contributions so far, in the order of their arrival.
std::vector<AmountGiven> amounts_given(const Node& node, const std::vector<std::int64_t>& index, const View& view);
// A few lines for each place in the program that made some, the largest sum first, with the largest contributions of
// each, and whether they cancel: a weight of a recurrent layer gets one at each time step, all from a few lines.
std::string groups_text(const std::vector<AmountGiven>& all);
// " = 12.5%", "" if the whole is 0.
std::string percent(double part, double whole);

struct CellTerm {
  const Node* node = nullptr;       // whose output or gradient it is an element of; nullptr for a constant
  std::string label;                // "keys", "keys.grad", or "x1" for a constant without a name
  std::vector<std::int64_t> index;  // in that tensor
  std::optional<double> value;      // none for a gradient that is not known yet
  double slope = 0.0;               // how much the one changes with the other
  std::size_t input = 0;            // of the op between them, to which the term belongs
};

// The elements on the other side of one op, or one contribution to a gradient.
struct CellPart {
  const Node* op = nullptr;          // nullptr for the gradient that the pass started with
  std::size_t input = 0;             // of the op, where the element is one of its inputs
  std::optional<AmountGiven> given;  // what this part adds to a gradient
  std::vector<CellTerm> terms;       // those with a slope other than 0, input by input
  bool slopes_are_known = true;      // not of an op that is being put on the tape, nor of a small contribution
};

struct Cell {
  const Node* node = nullptr;
  std::vector<std::int64_t> index;
  bool is_gradient = false;
  std::optional<double> value;
  std::vector<CellPart> from;  // one part for a value; for a gradient one for each contribution, as they arrived
  std::vector<CellPart> to;
  std::size_t more_to = 0;
};

// Finds the slopes of a few parts to either side, of contributions the largest. Throws Refused for an op that ran
// before the debugger was attached.
Cell cell_of(const Element& element, bool is_gradient, const View& view);

}  // namespace autograd::debug
