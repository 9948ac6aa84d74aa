// A network of single numbers on the engine of exercises 06 to 10: two inputs, a hidden layer, and the probability that
// a point is of the one kind.
#pragma once

#include <string>
#include <vector>

#include "mine/whole.h"

namespace mine {

class Network {
 public:
  Network();
  Outcome outcome() const;  // for the check of the whole
  std::size_t size() const { return parameters_.size(); }
  std::vector<double> train(int steps);  // the loss before each
  double share_right() const;            // of the points
  std::string picture() const;           // where it says what, in characters

 private:
  NodePtr score(double x, double y) const;
  NodePtr loss() const;

  Numbers parameters_;
};

}  // namespace mine
