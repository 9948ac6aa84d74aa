// DirectionCheck: checks all elements of a large input at once. When all move a little in a random direction v,
// <dy, y> must change by <gradient, v>. This takes four evaluations, whatever the size. If the change is another,
// halving the moved part again and again leads to a suspect element.
//
// A suspicion is not a verdict, because the two differ at a kink as well: check_node() then checks the element itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "autograd/gradcheck/probe.h"
#include "autograd/tape/node.h"
#include "autograd/tensor/random.h"

namespace autograd::debug {

class DirectionCheck {
 public:
  DirectionCheck(const Node& node, const Inputs& inputs, const Tensor& dy, const Grads& gradients, std::uint64_t seed);

  // The position of an element of this input whose gradient seems to be wrong.
  std::optional<std::size_t> find_suspect(std::size_t input);
  // Never moves these elements again.
  void leave_out(std::size_t input, std::size_t first, std::size_t count);
  // Nor all elements with the value of this one, since a kink is at a value.
  void leave_out_equal(std::size_t input, std::size_t element);

 private:
  struct Moving {
    Tensor values;  // float64, moved in place
    std::vector<double> gradient;
    std::vector<double> direction;
    double largest = 0.0;  // of the gradient
  };
  struct Slope {
    double value = 0.0;
    double noise = 0.0;
  };
  struct Part {
    std::size_t begin, end;
    std::size_t size() const { return end - begin; }
  };

  Moving moving(const Tensor& values, const Tensor& gradient);
  double excess(Moving& input, Part part);
  Slope slope(Moving& input, Part part, double step);
  std::vector<double> outputs_at(Moving& input, Part part, double step);

  Inputs copies_;
  checker::Evaluate evaluate_;
  Generator random_;
  std::vector<double> dy_;
  // How much a gradient may be off: of itself, of the largest of its input, and because the smallest numbers have few
  // digits.
  double tolerance_ = 0.0;
  double share_of_largest_ = 0.0;
  double lost_in_underflow_ = 0.0;
  double epsilon_ = 0.0;  // of the dtype in which the forward runs
  double step_ = 0.0;
  std::vector<Moving> inputs_;
};

}  // namespace autograd::debug
