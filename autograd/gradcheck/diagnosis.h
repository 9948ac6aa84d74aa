// Diagnosis: guesses from the analytic and the numeric gradient which mistake gives exactly these wrong numbers. It
// tries known mistakes from the most specific to the most general, and names the first that explains every element.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "autograd/gradcheck/patterns.h"
#include "autograd/tensor/shape.h"

namespace autograd {

enum class Cause {
  unknown,
  not_connected,       // no gradient arrives
  not_finite,          // NaN or infinite
  zero,                // zero everywhere
  sign,                // the sign is flipped
  factor,              // one constant factor everywhere
  swapped,             // it is the gradient of another input
  pass_through,        // it is the incoming gradient: the local derivative is missing
  transposed,          // the right numbers with two dims exchanged
  flipped,             // the right numbers, backwards along a dim
  shifted,             // the right numbers, moved along a dim
  misplaced,           // the right numbers in another order
  one_slice,           // one slice of what should be summed over a (broadcast) dim
  repeated,            // one of several uses of an element: = where += belongs
  averaged,            // divided by the number of uses
  elementwise_factor,  // a factor x, y, .. missing, or there once too often
  missing_term,        // the difference is constant, whole or along a dim
  some_elements,       // wrong only in one place or region
};

struct Diagnosis {
  Cause cause = Cause::unknown;
  std::string text;  // "exactly 1/4 of the true gradient everywhere, and dim 0 has 4: a mean where a sum belongs?"
};

namespace checker {

// What is known about a gradient that is wrong. The lists hold one number per element.
struct Evidence {
  struct Quantity {
    std::string name;  // "the output"
    Values values;
  };

  std::string name;  // of the input
  bool connected = true;
  Values x;
  Arrays gradient;  // the analytic one is found, the numeric one is right

  // The function's only output; no shape and no values if there are several.
  bool has_output = false;
  Shape output_shape;
  Values output;
  Values cotangent;  // the gradient that came in

  std::vector<Quantity> other_gradients;  // the numeric gradients of the other inputs
  std::vector<Quantity> other_values;     // their values

  // What each output element contributes to the gradient of one element. Takes two evaluations.
  std::function<Values(std::size_t element)> contributions;
};

Diagnosis diagnose(const Evidence& evidence);

}  // namespace checker
}  // namespace autograd
