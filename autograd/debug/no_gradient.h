// NoGradient: why a tensor gets no gradient in a pass, as far as an instrument saw it. Found by a Trail (trail.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "autograd/tensor/tensor.h"

namespace autograd::debug {

// An op that ran, and where it was called.
struct OpCall {
  std::uint64_t number = 0;  // of its node; 0 if it has none
  const char* op = "";
  Where at;
  Where called_from;   // the line of the program that called the module around it; `at` where there is none
  std::string module;  // "encoder.rnn, step 3"
};

// One path from the tensor, and where it ends before the loss.
struct PathEnd {
  enum class Reason {
    detached,       // detach()
    grad_mode_off,  // used under NoGradGuard
    no_derivative,  // used by an op without derivative
    overwritten,    // its memory was given other values
    other_pass,     // leads to what an earlier pass started from
    none_flowed,    // an op of this pass uses it, and its backward gave no gradient
    not_asked,      // grad() asked for other tensors
    output_unused,  // nothing recorded uses the last op's output
  };
  Reason reason = Reason::output_unused;
  OpCall last;  // the last op on the path; without an op where the tensor itself is the end
  OpCall by;    // what ended it; without an op for output_unused
  Where pass;   // other_pass, not_asked: the line that started it
};

struct NoGradient {
  enum class Reason {
    path_ends,   // see `ends`
    frozen,      // requires_grad_(false)
    not_used,    // by any op since the last pass
    other_pass,  // not used since that pass, which reached it
    not_seen,    // ops of this pass ran before the instrument was attached
  };
  Reason reason = Reason::path_ends;
  std::string name;  // "a.weight"; "" if it has none
  Shape shape;
  Where marked_at;            // requires_grad_() of a leaf
  Where where;                // the line of requires_grad_(false), or of the other pass
  OpCall used_by;             // the first op on its paths; without an op if there is none
  std::vector<PathEnd> ends;  // the most telling first, no two of one line
};

// "detach() at train.cpp:7 took the output of %3 linear at nn/layers/linear.cpp:28 in a, called at train.cpp:6 out of
// the graph"
std::string to_string(const PathEnd& end);
// The reason as one sentence without a subject, and the other ends.
std::string reason_text(const NoGradient& finding);
// For a column of a table: "detached at train.cpp:7".
std::string short_reason(const NoGradient& finding);
// "a.weight [3, 2]", "[3, 2] of train.cpp:12".
std::string title(const NoGradient& finding);
// The line of the program to look at.
Where line_of(const PathEnd& end);
Where line_of(const NoGradient& finding);

}  // namespace autograd::debug
