// Mistakes in choices: the larger and the smaller, where, masks.

#include "tests/autograd/ops/op_mistakes.h"

using namespace autograd;

namespace op_mistakes {
namespace {

const WrongBackward all_to_both = [](In run) -> Grads { return {run.dy, run.dy}; };
const WrongBackward half_to_each = [](In run) -> Grads { return {0.5 * run.dy, 0.5 * run.dy}; };
const WrongBackward exchanged = [](In run) -> Grads { return {run.right[1], run.right[0]}; };

Mistakes comparison_mistakes(const std::string& op) {
  return {
      {op, "both get all of it", all_to_both},
      {op, "half each everywhere", half_to_each},
      {op, "the loser gets it", exchanged},
      {op, "multiplies by the winner", each([](const Tensor& right, In run) { return right * run.y; })},
  };
}

Mistakes where_mistakes() {
  return {
      {"where", "both get all of it", all_to_both},
      {"where", "condition turned round", exchanged},
      {"where", "path to the second dropped", db([](In run) { return zeros_like(run.dy); })},

      {"masked_fill", "S23 gradient leaks into the filled places", dx([](In run) { return run.dy; })},
      {"masked_fill", "mask turned round", dx([](In run) { return where(run.y == run.x[0], 0.0, run.dy); })},
      {"masked_fill", "upstream not multiplied", upstream_not_multiplied()},
  };
}

}  // namespace

Mistakes choice_mistakes() {
  return joined({comparison_mistakes("maximum"), where_mistakes()});
}

}  // namespace op_mistakes
