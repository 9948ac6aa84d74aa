// A network of single numbers: two inputs, a hidden layer, and the probability that a point is of the one kind.
#pragma once

#include <string>
#include <vector>

#include "mine/numbers.h"
#include "mine/whole.h"

namespace mine {

class Network {
 public:
  Network();
  // For the check of the whole.
  Outcome outcome() const;
  void move(double distance);

  std::vector<double> train(int steps);  // the loss before each
  double share_right() const;            // of the points
  std::string picture() const;           // where it says what, in characters

 private:
  NumberPtr score(double x, double y) const;
  NumberPtr loss() const;

  std::vector<NumberPtr> parameters_;
};

}  // namespace mine
