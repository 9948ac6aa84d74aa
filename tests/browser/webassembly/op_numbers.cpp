// Prints the numbers of every op case, for compare.mjs: the value, and the gradients for a fixed cotangent.
//
//   softmax/dim1 float64 output: 0.25 0.75 ..
#include <autograd/autograd.h>

#include "tests/autograd/ops/op_cases.h"

namespace {

using namespace autograd;

void print(const op_cases::OpCase& one, DType dtype, const std::string& what, const Tensor& numbers) {
  fmt::print("{} {} {}:", one.id, name(dtype), what);
  for (const double number : numbers.to(float64).to_vector()) fmt::print(" {}", number);
  fmt::print("\n");
}

op_cases::Tensors inputs_in(DType dtype, const op_cases::OpCase& one) {
  op_cases::Tensors inputs = op_cases::inputs_of(one);
  for (Tensor& input : inputs) {
    if (input.dtype() == float64) input = input.detach().to(dtype).requires_grad_(input.requires_grad());
  }
  return inputs;
}

void print_numbers(const op_cases::OpCase& one, DType dtype) {
  const op_cases::Tensors inputs = inputs_in(dtype, one);
  manual_seed(op_cases::seed_of(one));
  const Tensor output = one.call(inputs);
  print(one, dtype, "output", output);
  if (!output.requires_grad()) return;
  output.backward(randn_like(output));
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].grad().defined()) print(one, dtype, fmt::format("gradient {}", i), inputs[i].grad());
  }
}

}  // namespace

int main() {
  for (const op_cases::OpCase& one : op_cases::all()) {
    for (const DType dtype : {float64, float32}) {
      try {
        print_numbers(one, dtype);
      } catch (const Error&) {  // of a call that names its dtype itself
        fmt::print("{} {} is refused\n", one.id, name(dtype));
      }
    }
  }
}
