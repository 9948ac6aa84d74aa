// What formulas are made of: values, and functions of a backward's run.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/autograd/ops/op_mistakes.h"

namespace op_mistakes {

// A tensor, or a number where it is undefined.
struct Value {
  Tensor tensor;
  double number = 0.0;

  operator autograd::Operand() const {
    return tensor.defined() ? autograd::Operand(tensor) : autograd::Operand(number);
  }
};

// Where a formula is evaluated: for the gradient of one input.
struct Place {
  In run;
  const std::string& op;
  std::size_t input;

  const Tensor& x(std::size_t i = 0) const { return run.x[i]; }
  const Tensor& right() const { return run.right[input]; }
};

using Expression = std::function<Value(const Place& place)>;

Expression number(double value);
// What was defined; x, x0, x1, .., y, dy, right, right0, ..
Expression variable(const std::string& name);
std::map<std::string, Expression>& definitions();
// "+", "^", "==" and so on.
Expression binary(const std::string& sign, const Expression& a, const Expression& b);
// f(a, ..); throws std::runtime_error where there is no such function.
Expression function(const std::string& name, const std::vector<Expression>& arguments);

}  // namespace op_mistakes
