// Observation: one thing that a check saw an answer do. A run of a check is a list of them, its record. The answer is
// judged by comparing its record with the solution's, and a mistake is recognised by comparing it with the mistake's.
#pragma once

#include <autograd/autograd.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "judge/thrown.h"

namespace judge {

using autograd::Tensor;

// Part of a value that the diagnosis may name: "padding", "positions of a repeated id".
struct Region {
  std::string name;
  Tensor mask;  // boolean, broadcasts to the value
};

// The derivative of the loss with respect to one entry of the value, found numerically.
using NumericDerivative = std::function<double(std::int64_t entry)>;

struct Observation {
  enum class Kind {
    value,           // a tensor or a number, compared with the solution's
    text,            // likewise, as text
    property,        // holds or not
    bound,           // a measured number that must reach a bound
    changed_input,   // `text` is its name
    forbidden_call,  // likewise
    threw,           // the answer ended with an exception; nothing follows
    unwritten        // the answer ended with todo()
  };
  Kind kind = Kind::value;
  std::string name;
  Tensor value;  // float64, contiguous, a copy; undefined if the answer returned an undefined tensor
  autograd::DType dtype = autograd::float64;  // what it was before the copy
  std::string text;                           // of a text; what it means that a property does not hold; of todo()
  Thrown thrown;
  bool holds = true;           // of a property or a bound
  double tolerance = 1e-8;     // relative to the largest entry
  double rounding = 0.0;       // absolute: what may be left of a zero
  bool is_list = false;        // of numbers, not an axis: what an index means, only the check knows
  bool hide_expected = false;  // what the learner is to work out on paper is not given away
  bool may_be_zero = false;    // the author says that zeros prove something here
  std::vector<Region> regions;
  std::string over;  // the axis that a reduction takes together
  NumericDerivative numeric;
  std::size_t ops_before = 0;           // of a probe: how many ops had run (steps.h)
  std::size_t observations_before = 0;  // of a probe: how much had been observed, which tells one call from the next
};

// Probes with the same name in the same call of the answer are compared in their order. A loop that goes on too long
// must not be held against the next call.
using ProbeKey = std::pair<std::size_t, std::string>;
inline ProbeKey key_of(const Observation& probe) {
  return {probe.observations_before, probe.name};
}

struct Record {
  std::vector<Observation> observations;
  std::vector<std::string> shown;   // for the learner to look at: pictures, tables
  std::vector<Observation> probes;  // in the order in which the answer called probe()
};

// The observation of this name, which is likely to be the one at `position`; nullptr if there is none.
const Observation* named(const std::vector<Observation>& observations, std::size_t position, const std::string& name);

// Equal in what the answer computed, within `tolerance` relative to the largest entry? NaN equals NaN.
bool same_value(const Tensor& a, const Tensor& b, double tolerance);
bool same(const Observation& a, const Observation& b, double tolerance);
// In whatever shape: on the way, [batch, 1] is as good as [batch].
bool same_numbers(const Observation& a, const Observation& b, double tolerance);
bool same(const Record& a, const Record& b, double tolerance);
// Is what a solution gave something to hold an answer against? An exercise may need more of an axis than it has.
bool is_sound(const Record& solution);

}  // namespace judge
