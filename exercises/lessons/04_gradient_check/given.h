// What is given in exercise 04: an operation with a derivative to be checked, and a measured derivative.
#pragma once

#include <judge/learner.h>

#include <functional>

namespace given {

// An operation, and what someone wrote as its derivative. Either may be called as often as you like.
struct Op {
  // y, computed from the inputs. No graph is recorded: there is nothing to call .backward() on.
  std::function<Tensor(const std::vector<Tensor>& inputs)> forward;
  // One gradient per input, in the input's shape. dy has the shape of y.
  std::function<std::vector<Tensor>(const Tensor& dy, const std::vector<Tensor>& inputs)> backward;
};

enum class Verdict {
  pass,    // the derivative is right
  fail,    // it is wrong
  vacuous  // nothing was proved: measured and returned derivatives are zero at every entry
};

// The derivative of loss() with respect to one entry of `input` (counted in row-major order), as a central difference.
// The entry is moved in place, and put back.
inline double central_difference(const std::function<double()>& loss, const Tensor& input, std::size_t entry) {
  const double eps = 1e-5;
  double& x = input.data_ptr<double>()[entry];
  const double before = x;
  x = before + eps;
  const double up = loss();
  x = before - eps;
  const double down = loss();
  x = before;
  return (up - down) / (2.0 * eps);
}

}  // namespace given

using given::central_difference;
using given::Op;
using given::Verdict;

// Is op.backward the derivative of op.forward at these inputs? They are float64.
Verdict check_backward(const Op& op, const std::vector<Tensor>& inputs);

struct Answer {
  decltype(&::check_backward) check_backward;
};
