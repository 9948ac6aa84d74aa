// Is the whole right? The loss and all its gradients, with your parts and with the library's alone, must be the same
// numbers, and the gradients those by which the loss changes. Where they are not, your parts are taken out one at a
// time, to find the one that makes the difference.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "mine/plugs.h"

namespace mine {

struct Named {
  std::string name;
  std::vector<double> numbers;
};
// What a model computes with the parts that are plugged in: its loss, and the gradient of each parameter.
struct Outcome {
  double loss = 0.0;
  std::vector<Named> gradients;
  std::vector<Named> others;  // what else is to be compared
  std::string error;          // what was thrown instead
  int thrown_in = 0;          // by which exercise
};
struct Model {
  std::function<Outcome()> compute;
  std::function<void(double distance)> move;  // every parameter by distance * direction(its place among all)
};
double direction(std::size_t place);

struct Verdict {
  bool right = false;
  std::size_t numbers = 0;            // compared
  bool has_ended = false;             // with an error
  double difference = 0.0;            // the largest, as a share of the largest gradient of its parameter
  double slope = 0.0;                 // how fast the loss rises in `direction`, by your gradients
  double numeric_slope = 0.0;         // and in fact
  std::vector<std::string> wrong;     // sentences: what differs
  std::vector<const Plug*> culprits;  // without any one of them it is right; or each alone makes it wrong
  bool each_alone = false;            // the latter
};
// Leaves everything plugged in.
Verdict judge(const std::vector<Plug>& plugs, const Model& model);

}  // namespace mine
