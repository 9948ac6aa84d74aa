// Mistakes in arithmetic and in functions of one number.

#include "tests/autograd/ops/op_mistakes.h"

using namespace autograd;

namespace op_mistakes {
namespace {

// A gradient of the output's shape brought to the shape of an input that was repeated, one dim at a time.
using Reduce = std::function<Tensor(const Tensor& gradient, std::int64_t dim)>;

Tensor unrepeated(Tensor gradient, const Shape& shape, const Reduce& reduce) {
  const int added = gradient.dim() - shape.dim();
  for (int dim = 0; dim < gradient.dim(); ++dim) {
    const bool repeated = dim < added || shape[dim - added] == 1;
    if (repeated && gradient.size(dim) > 1) gradient = reduce(gradient, dim);
  }
  return gradient;
}

WrongBackward with_repeats(const Reduce& reduce) {
  return [=](In run) {
    Grads grads = run.right;
    for (std::size_t i = 0; i < grads.size(); ++i) {
      if (grads[i].defined()) grads[i] = unrepeated(grads[i], run.x[i].shape(), reduce);
    }
    return grads;
  };
}

WrongBackward path_to_b_dropped() {
  return db([](In run) { return zeros_like(run.right[1]); });
}

Mistakes sum_mistakes() {
  return {
      {"add", "second operand takes the wrong sign", db([](In run) { return -run.dy; })},
      {"add", "upstream not multiplied", upstream_not_multiplied()},

      {"sub", "B04 sign of the second operand lost", db([](In run) { return run.dy; })},
      {"sub", "both signs turned round", scaled(-1.0)},
      {"sub", "path to the second operand dropped", path_to_b_dropped()},

      {"neg", "sign lost", scaled(-1.0)},
      {"neg", "upstream not multiplied", upstream_not_multiplied()},
  };
}

Mistakes product_rule_mistakes() {
  const auto swapped = [](In run) -> Grads { return {run.dy * run.x[0], run.dy * run.x[1]}; };
  const auto output_for_both = [](In run) -> Grads { return {run.dy * run.y, run.dy * run.y}; };
  return {
      {"mul", "B01 operands swapped", swapped},
      {"mul", "B02 both get the output", output_for_both},
      {"mul", "B03 upstream not multiplied", upstream_not_multiplied()},
      {"mul", "path to the second operand dropped", path_to_b_dropped()},

      {"div", "B05 minus sign lost in db", db([](In run) { return run.dy * run.y / run.x[1]; })},
      {"div", "B06 square of the denominator lost", db([](In run) { return -run.dy * run.x[0] / run.x[1]; })},
      {"div", "B07 numerator lost in db", db([](In run) { return -run.dy / (run.x[1] * run.x[1]); })},
      {"div", "da multiplies instead of dividing", da([](In run) { return run.dy * run.x[1]; })},
      {"div", "1e-5 added to the denominator of da", da([](In run) { return run.dy / (run.x[1] + 1e-5); })},
  };
}

Mistakes power_mistakes() {
  const auto not_lowered = [](In run) { return run.dy * run.x[1] * run.y; };
  const auto without_factor = [](In run) { return run.dy * pow(run.x[0], run.x[1] - 1.0); };
  const auto factor_lowered = [](In run) { return run.dy * (run.x[1] - 1.0) * pow(run.x[0], run.x[1] - 1.0); };
  const auto logarithm_of_b = [](In run) { return run.dy * run.y * log(abs(run.x[1])); };
  return {
      {"pow", "E19 exponent not lowered: b a^b", da(not_lowered)},
      {"pow", "E20 factor b forgotten", da(without_factor)},
      {"pow", "E21 (b - 1) a^(b - 1)", da(factor_lowered)},
      {"pow", "E21b returns 0", da([](In run) { return zeros_like(run.dy); })},
      {"pow", "logarithm forgotten in db", db([](In run) { return run.dy * run.y; })},
      {"pow", "logarithm of the exponent in db", db(logarithm_of_b)},
  };
}

Mistakes exponential_mistakes() {
  const auto power_rule = [](In run) { return run.dy * run.x[0] * exp(run.x[0] - 1.0); };
  return {
      {"exp", "E09 input instead of output: dy x", dx([](In run) { return run.dy * run.x[0]; })},
      {"exp", "E10 applied twice: dy exp(y)", dx([](In run) { return run.dy * exp(run.y); })},
      {"exp", "E11 power rule: x e^(x - 1)", dx(power_rule)},

      {"log", "E12 divides by the output", dx([](In run) { return run.dy / run.y; })},
      {"log", "E13 multiplies instead of dividing", dx([](In run) { return run.dy * run.x[0]; })},
      {"log", "E14 upstream not multiplied", upstream_not_multiplied()},
      {"log", "1e-5 added to the denominator", dx([](In run) { return run.dy / (run.x[0] + 1e-5); })},

      {"log1p", "divides by the input", dx([](In run) { return run.dy / run.x[0]; })},
      {"log1p", "divides by 1 + y", dx([](In run) { return run.dy / (1.0 + run.y); })},

      {"sqrt", "input instead of output: dy / (2 x)", dx([](In run) { return run.dy / (2.0 * run.x[0]); })},
      {"sqrt", "factor 1/2 forgotten", scaled(2.0)},
      {"sqrt", "multiplies instead of dividing", dx([](In run) { return run.dy * 2.0 * run.y; })},
      {"sqrt", "1e-5 added to the denominator", dx([](In run) { return run.dy / (2.0 * run.y + 1e-5); })},
  };
}

Mistakes wave_mistakes() {
  return {
      {"sin", "sign of the cosine turned round", scaled(-1.0)},
      {"sin", "sine again", dx([](In run) { return run.dy * run.y; })},
      {"sin", "cosine of the output", dx([](In run) { return run.dy * cos(run.y); })},

      {"cos", "minus sign lost", scaled(-1.0)},
      {"cos", "cosine again", dx([](In run) { return -run.dy * run.y; })},
      {"cos", "sine of the output", dx([](In run) { return -run.dy * sin(run.y); })},
  };
}

Mistakes squashing_mistakes() {
  const auto of_input = [](In run) { return run.dy * run.x[0] * (1.0 - run.x[0]); };
  const auto twice = [](In run) { return run.dy * sigmoid(run.y) * (1.0 - sigmoid(run.y)); };
  return {
      {"tanh", "E01 input instead of output: 1 - x^2", dx([](In run) { return run.dy * (1.0 - run.x[0].pow(2)); })},
      {"tanh", "E02 upstream not multiplied", upstream_not_multiplied()},
      {"tanh", "E03 applied twice: 1 - tanh(y)^2", dx([](In run) { return run.dy * (1.0 - tanh(run.y).pow(2)); })},
      {"tanh", "E04 square forgotten: 1 - y", dx([](In run) { return run.dy * (1.0 - run.y); })},
      {"tanh", "E05 tangent instead: 1 + y^2", dx([](In run) { return run.dy * (1.0 + run.y.pow(2)); })},

      {"sigmoid", "E06 input instead of output: x (1 - x)", dx(of_input)},
      {"sigmoid", "E07 applied twice: s(y) (1 - s(y))", dx(twice)},
      {"sigmoid", "E08 upstream not multiplied", upstream_not_multiplied()},
      {"sigmoid", "factor y forgotten: 1 - y", dx([](In run) { return run.dy * (1.0 - run.y); })},
  };
}

Mistakes bell_mistakes() {
  return {
      {"erf", "factor 2 / sqrt(pi) forgotten", dx([](In run) { return run.dy * exp(-run.x[0].square()); })},
      {"erf", "sign of the exponent lost", dx([](In run) { return run.right[0] * exp(2.0 * run.x[0].square()); })},
      {"erf", "upstream not multiplied", upstream_not_multiplied()},
  };
}

Mistakes kinked_mistakes() {
  return {
      {"relu", "E15 mask on dy > 0", dx([](In run) { return where(run.dy > 0.0, run.dy, 0.0); })},
      {"relu", "E16 multiplies by x instead of 1", dx([](In run) { return run.dy * run.y; })},
      {"relu", "E17 no mask", dx([](In run) { return run.dy; })},
      {"relu", "E18 upstream not multiplied", upstream_not_multiplied()},
      {"relu", "mask turned round", dx([](In run) { return where(run.y > 0.0, 0.0, run.dy); })},

      {"abs", "sign forgotten", dx([](In run) { return run.dy; })},
      {"abs", "multiplies by x, not by its sign", dx([](In run) { return run.dy * run.x[0]; })},
      {"abs", "of dy instead of x", dx([](In run) { return abs(run.dy); })},

      {"clamp", "no mask", dx([](In run) { return run.dy; })},
      {"clamp", "mask turned round", dx([](In run) { return where(run.x[0] == run.y, 0.0, run.dy); })},
      {"clamp", "multiplies by the output", dx([](In run) { return run.right[0] * run.y; })},
      {"clamp", "lower limit not masked", dx([](In run) { return where(run.x[0] > run.y, 0.0, run.dy); })},
  };
}

}  // namespace

Mistakes broadcast_mistakes(const std::string& op) {
  const auto turned = [](const Tensor& right, In) { return transposed_if_square(right); };
  const auto first_one = [](const Tensor& gradient, std::int64_t dim) { return gradient.narrow(dim, 0, 1); };
  const auto average = [](const Tensor& gradient, std::int64_t dim) { return gradient.mean(dim, true); };
  const std::string wrong_dim = op == "mul" ? "L09" : "L06";
  const std::string not_summed = op == "mul" ? "L10" : "L07";
  return {
      {op, wrong_dim + " repeats summed over the wrong dim", each(turned)},
      {op, not_summed + " repeats not summed: the first one only", with_repeats(first_one)},
      {op, "L08 repeats averaged, not summed", with_repeats(average)},
  };
}

Mistakes elementwise_mistakes() {
  return joined({
      sum_mistakes(),
      broadcast_mistakes("add"),
      product_rule_mistakes(),
      broadcast_mistakes("mul"),
      power_mistakes(),
      exponential_mistakes(),
      wave_mistakes(),
      squashing_mistakes(),
      bell_mistakes(),
      kinked_mistakes(),
  });
}

}  // namespace op_mistakes
