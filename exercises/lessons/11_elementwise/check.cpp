#include <judge/check.h>

#include "given.h"

const Axes judge::axes = {{"rows", 2}, {"columns", 5}};

namespace {

// Of either sign, from 0.5 to 2 in size: good to divide by.
Tensor away_from_zero(Check& check) {
  std::vector<double> values(static_cast<std::size_t>(check.size("rows") * check.size("columns")));
  for (double& value : values) {
    const double size = 0.5 + 1.5 * check.random().uniform();
    value = check.random().uniform() < 0.5 ? -size : size;
  }
  return autograd::from_vector(values, check.shape({"rows", "columns"}), autograd::float64);
}

}  // namespace

void check(const Answer& answer, Check& check) {
  {
    const Tensor a = check.randn("a of a * b", {"rows", "columns"});
    const Tensor b = check.randn("b of a * b", {"rows", "columns"});
    const Tensor dy = check.randn("dy of a * b", {"rows", "columns"});
    const auto loss = [=] { return (dy * (a * b)).sum(); };
    const OperandGradients gradients = answer.mul_backward(dy, a, b);
    check.gradient("da of a * b", gradients.da, a, loss);
    check.gradient("db of a * b", gradients.db, b, loss);
  }
  {
    const Tensor a = autograd::zeros(check.shape({"rows", "columns"}), autograd::float64);
    const Tensor b = a.clone();
    const Tensor dy = check.randn("dy of a - b", {"rows", "columns"});
    const auto loss = [=] { return (dy * (a - b)).sum(); };
    const OperandGradients gradients = answer.sub_backward(dy);
    check.gradient("da of a - b", gradients.da, a, loss);
    check.gradient("db of a - b", gradients.db, b, loss);
  }
  {
    const Tensor a = check.randn("a of a / b", {"rows", "columns"});
    const Tensor b = check.input("b of a / b", away_from_zero(check));
    const Tensor dy = check.randn("dy of a / b", {"rows", "columns"});
    const auto loss = [=] { return (dy * (a / b)).sum(); };
    const OperandGradients gradients = answer.div_backward(dy, a, b);
    check.gradient("da of a / b", gradients.da, a, loss);
    check.gradient("db of a / b", gradients.db, b, loss);
  }
  {
    const Tensor x = check.randn("x of x^3", {"rows", "columns"});
    const Tensor dy = check.randn("dy of x^3", {"rows", "columns"});
    const auto loss = [=] { return (dy * x * x * x).sum(); };
    check.gradient("dx of x^3", answer.pow_backward(dy, x, 3.0), x, loss);
  }
  {
    const Tensor x = check.uniform("x of x^-1.5", {"rows", "columns"}, 0.5, 2.0);
    const Tensor dy = check.randn("dy of x^-1.5", {"rows", "columns"});
    const auto loss = [=] { return (dy / (x * x.sqrt())).sum(); };
    check.gradient("dx of x^-1.5", answer.pow_backward(dy, x, -1.5), x, loss);
  }
  {  // Right of 0, left of it and at 0.
    const Tensor x = check.input("x of powers", autograd::tensor({{2.0, -1.5, 0.0}}, autograd::float64));
    const Tensor dy = check.randn("dy of powers", {1, 3});
    for (const int exponent : {1, 2, 3}) {
      check.compare("dx of x^" + std::to_string(exponent) + " for x = [2, -1.5, 0]",
                    answer.pow_backward(dy, x, static_cast<double>(exponent)));
    }
  }
  {
    const Tensor x = check.randn("x of relu", {"rows", "columns"});
    const Tensor dy = check.randn("dy of relu", {"rows", "columns"});
    const auto loss = [=] { return (dy * relu(x)).sum(); };
    check.gradient("dx of relu", answer.relu_backward(dy, x), x, loss,
                   {.regions = {{"the places where x is negative", x < 0.0}}});
  }
  {
    const Tensor x = check.input("x of relu at 0", autograd::tensor({{-1.0, 0.0, 1.0}}, autograd::float64));
    const Tensor dy = check.randn("dy of relu at 0", {1, 3});
    check.compare("dx of relu for x = [-1, 0, 1]", answer.relu_backward(dy, x));
  }
}
