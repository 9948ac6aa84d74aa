// Is the whole right? The loss, all its gradients and a few steps of training must be the same numbers with your parts
// and with the library's alone. Where they are not, each of your parts is tried alone, to find the one that makes the
// difference.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "mine/plugs.h"

namespace mine {

// What a model computes with the parts that are plugged in: its loss, the gradient of each parameter, a few steps of
// training, which may differ by the small number that stands in a denominator.
constexpr double tolerance_of_steps = 1e-4;
struct Named {
  std::string name;
  std::vector<double> numbers;
  double tolerance = 1e-7;  // sums in another order differ by rounding; a mistake differs by more
};
struct Outcome {
  std::vector<Named> all;
  std::string error;  // the sentence of what was thrown instead
  int thrown_in = 0;  // by which exercise
};
using Model = std::function<Outcome()>;

struct Verdict {
  double difference = 0.0;            // the largest but for training, as a share of the largest of its numbers
  std::string error;                  // what was thrown instead
  int thrown_in = 0;                  // by which exercise
  std::vector<std::string> wrong;     // what differs
  std::vector<const Plug*> culprits;  // each of these alone makes it wrong

  bool is_right() const { return error.empty() && wrong.empty(); }
};
// Leaves everything plugged in.
Verdict judged(const std::vector<Plug>& plugs, const Model& model);

}  // namespace mine
