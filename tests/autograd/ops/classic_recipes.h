// Gradient checks as they are commonly written, to see which mistakes they let through. All of them compare with
// central differences; they differ in the loss, the precision, and in how many elements they look at.
#pragma once

#include "tests/autograd/ops/op_cases.h"

namespace classic_recipes {

struct Recipe {
  autograd::DType dtype = autograd::float64;
  bool random_cotangent = false;  // loss = sum(c * y) with normal deviates c; otherwise loss = sum(y)
  bool one_element = false;       // of each input, chosen at random; otherwise every element
  double step = 1e-6;
  double rtol = 1e-4;
  double atol = 1e-7;
};

// Loss = sum(y): every element, in float64.
extern const Recipe sum_loss;
// One element of each input, with a sum: as minitorch's grad_check.
extern const Recipe one_element;
// float32, every element, with a random cotangent.
extern const Recipe in_float32;

// Does the recipe accept the gradients of this case?
bool accepts(const Recipe& recipe, const op_cases::OpCase& one);

}  // namespace classic_recipes
