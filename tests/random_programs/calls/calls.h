// The table of calls: one line per function. Who adds an op adds a line.
//
//   {"narrow", [](Args& a) -> Result { return narrow(a.tensor(), a.dim(), a.integer(0, 3), a.integer(0, 3)); }},
#pragma once

#include <autograd/autograd.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "arguments.h"

namespace random_calls {

using Args = Arguments;

// Whatever a function gives.
struct Result {
  Result() = default;
  Result(const Tensor& tensor) : tensors{tensor} {}
  Result(std::vector<Tensor> list) : tensors(std::move(list)) {}
  Result(const autograd::ValuesAndIndices& found) : tensors{found.values, found.indices} {}
  Result(double number) : numbers{number} {}

  std::vector<Tensor> tensors;
  std::vector<double> numbers;
};

enum class Values {
  finite,  // of finite numbers that are not huge, finite ones and finite gradients
  any,     // log, division, ..
};
enum class Effect {
  none,
  changes_first,   // changes its first tensor in place
  cuts_gradients,  // gives a value through which no gradient flows, though it depends on its tensors
};

struct Call {
  std::string name;
  std::function<Result(Args&)> call;
  Values values = Values::finite;
  Effect effect = Effect::none;
};

using Calls = std::vector<Call>;

const Calls& all_calls();

// By part, each in a file of its own.
Calls op_calls();
Calls tensor_calls();
Calls module_calls();
Calls training_calls();

}  // namespace random_calls
