// What is given in exercise 05: what there is to choose when gradients are checked.
#pragma once

#include <judge/learner.h>

#include <functional>

namespace given {

// A check that looks at every entry of every input, with a relative tolerance, is ready. You decide what to feed it.
struct Experiment {
  std::int64_t batch = 0;  // sizes, each from 1 to 8
  std::int64_t in = 0;
  std::int64_t out = 0;
  std::int64_t steps = 0;             // of the recurrent net
  std::vector<std::int64_t> ids;      // rows of a table: 1 to 8 numbers from 0 to 4, in any order
  std::vector<std::int64_t> lengths;  // one per row of the batch: its real steps; the rest is padding
  double exponent = 0.0;              // of x^n
  std::function<Tensor(const autograd::Shape& shape)> numbers;   // makes every input
  std::function<Tensor(const autograd::Shape& shape)> upstream;  // makes dy
};

}  // namespace given

using autograd::float64;
using autograd::Shape;
using given::Experiment;

Experiment design();

struct Answer {
  decltype(&::design) design;
};
