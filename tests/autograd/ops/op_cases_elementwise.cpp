// Arithmetic and functions of one number.

#include <autograd/tensor/random.h>

#include "tests/autograd/ops/op_cases.h"

using namespace autograd;

namespace op_cases {
namespace {

using Binary = Tensor (*)(const Operand& a, const Operand& b);
using Unary = Tensor (*)(const Tensor& x, Where where);

void add_operator(Table& table, const std::string& op, Binary f) {
  const auto plain = [f](In x) { return f(x[0], x[1]); };
  table.add(op, {
                    {"same_shape", plain},
                    {"broadcast_row", plain},
                    {"broadcast_both", plain},
                    {"zero_dim", plain},
                    {"both_zero_dim", plain},
                    {"empty", plain},
                    {"transposed", [f](In x) { return f(x[0].t(), x[1]); }},
                    {"same_tensor", [f](In x) { return f(x[0], x[0]); }},
                    {"scalar_right", [f](In x) { return f(x[0], 2.5); }},
                    {"scalar_left", [f](In x) { return f(2.5, x[0]); }},
                });
}

void add_function(Table& table, const std::string& op, Unary f) {
  const auto plain = [f](In x) { return f(x[0], Where::current()); };
  const auto sliced = [f](In x) { return f(x[0].index({Index::all(), Slice{1, Slice::to_end, 2}}), Where::current()); };
  table.add(op, {
                    {"plain", plain},
                    {"transposed", [f](In x) { return f(x[0].t(), Where::current()); }},
                    {"sliced", sliced},
                    {"zero_dim", plain},
                    {"empty", plain},
                });
}

void add_powers(Table& table) {
  const auto to = [](double exponent) { return [exponent](In x) { return x[0].pow(exponent); }; };
  const auto tensors = [](In x) { return pow(x[0], x[1]); };
  table.add("pow", {
                       {"exponent_2", to(2)},
                       {"exponent_3", to(3)},
                       {"exponent_0", to(0)},
                       {"exponent_-1", to(-1)},
                       {"exponent_0.5", to(0.5)},
                       {"exponent_-1.5", to(-1.5)},
                       {"exponent_1", to(1)},
                       {"exponent_2_at_0", to(2)},
                       {"exponent_0_at_0", to(0)},
                       {"exponent_3_transposed", [](In x) { return x[0].t().pow(3); }},
                       {"tensor_exponent", tensors},
                       {"tensor_exponent_broadcast", tensors},
                       {"tensor_exponent_at_0", tensors},
                       {"scalar_base", [](In y) { return pow(2.5, y[0]); }},
                       {"scalar_base_1", [](In y) { return pow(1.0, y[0]); }},
                   });
}

}  // namespace

void add_elementwise_cases(Table& table) {
  add_operator(table, "add", operator+);
  add_operator(table, "sub", operator-);
  add_operator(table, "mul", operator*);
  add_operator(table, "div", operator/);
  table.add("div", {{"negative", [](In x) { return x[0] / x[1]; }}});
  table.add("neg", {
                       {"plain", [](In x) { return -x[0]; }},
                       {"zero_dim", [](In x) { return -x[0]; }},
                       {"transposed", [](In x) { return -x[0].t(); }},
                   });
  add_powers(table);

  add_function(table, "exp", exp);
  add_function(table, "log", log);
  add_function(table, "sqrt", sqrt);
  add_function(table, "abs", abs);
  add_function(table, "tanh", tanh);
  add_function(table, "sigmoid", sigmoid);
  add_function(table, "relu", relu);
  const auto exponential = [](In x) { return exp(x[0]); };
  const auto logarithm = [](In x) { return log(x[0]); };
  const auto root = [](In x) { return sqrt(x[0]); };
  table.add("exp", {{"special", exponential}, {"overflow", exponential}});
  table.add("log", {{"special", logarithm}, {"zero", logarithm}});
  table.add("sqrt", {{"special", root}, {"zero", root}});
  table.add("abs", {{"zero", [](In x) { return abs(x[0]); }}});
  table.add("relu", {{"zero", [](In x) { return relu(x[0]); }}});
  table.add("tanh", {{"saturated", [](In x) { return tanh(x[0]); }}});
  table.add("sigmoid", {{"saturated", [](In x) { return sigmoid(x[0]); }}});

  // Not in ops.json: a row with a column, where a sum over the wrong dim has the right shape.
  const auto row_and_column = [] { return Tensors{normal({3, 1}), normal({1, 3})}; };
  table.add("add", {{"square", [](In x) { return x[0] + x[1]; }, row_and_column}});
  table.add("mul", {{"square", [](In x) { return x[0] * x[1]; }, row_and_column}});

  const auto matrix = [] { return Tensors{normal({2, 3})}; };
  table.add("sin", {
                       {"plain", [](In x) { return sin(x[0]); }, matrix},
                       {"transposed", [](In x) { return sin(x[0].t()); }, matrix},
                   });
  table.add("cos", {
                       {"plain", [](In x) { return cos(x[0]); }, matrix},
                       {"transposed", [](In x) { return cos(x[0].t()); }, matrix},
                   });
}

}  // namespace op_cases
