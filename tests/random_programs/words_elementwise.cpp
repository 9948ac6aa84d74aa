// Arithmetic, choices, comparisons, and functions of one number.
#include "maker.h"
#include "words.h"

namespace random_programs {
namespace {

bool two_apart(Maker& maker, Step& step) {
  if (!maker.fit(step)) return false;
  return autograd::all(autograd::abs(maker[step.operands[0]].detach() - maker[step.operands[1]].detach()) > 0.02);
}

bool between_symmetric_bounds(Maker& maker, Step& step) {
  const double bound = 0.25 + 0.5 * static_cast<double>(maker.below(4));
  step.operands = {maker.some()};
  step.reals = {-bound, bound};
  const Tensor size = autograd::abs(maker[step.operands[0]].detach());
  return autograd::all(autograd::abs(size - bound) > 0.02);
}

bool choice_of_two(Maker& maker, Step& step) {
  const int a = maker.some();
  const int b = maker.broadcasting_with(a);
  Shape together;
  autograd::broadcast_shapes(maker[a].shape(), maker[b].shape(), &together);
  step.operands = {maker.mask(together), a, b};
  return true;
}

bool power_of_a_number(Maker& maker, Step& step) {
  step.operands = {maker.some()};
  step.reals = {1.5};
  return true;
}

Tensor with_dropout(In x) {
  autograd::manual_seed(static_cast<std::uint64_t>(x.n(0)));
  return autograd::dropout(x[0], 0.25);
}

}  // namespace

Words elementwise_words() {
  using namespace autograd;
  using enum Kind;
  using enum Expect;
  return {
      {"add", "operand operand", [](In x) { return add(x[0], x[1]); }, adds},
      {"sub", "operand operand", [](In x) { return sub(x[0], x[1]); }, adds},
      {"mul", "operand operand", [](In x) { return mul(x[0], x[1]); }, plain},
      {"div", "operand nonzero_operand", [](In x) { return div(x[0], x[1]); }, keeps_out, any_values},
      {"pow", "positive_operand operand", [](In x) { return pow(x[0], x[1]); }, keeps_out, any_values},
      {"maximum", "operand operand", [](In x) { return maximum(x[0], x[1]); }, keeps_out, two_apart},
      {"minimum", "operand operand", [](In x) { return minimum(x[0], x[1]); }, keeps_out, two_apart},
      {"add_number", "value real", [](In x) { return x[0] + x.real(); }, adds},
      {"number_sub", "real value", [](In x) { return x.real() - x[0]; }, adds},
      {"mul_number", "value real", [](In x) { return x[0] * x.real(); }, plain},
      {"div_number", "value real", [](In x) { return x[0] / x.real(); }, keeps_out, any_values},
      {"number_div", "real nonzero", [](In x) { return x.real() / x[0]; }, keeps_out, any_values},
      {"square", "value", [](In x) { return x[0].pow(2); }, keeps_out},
      {"pow_number", "positive real", [](In x) { return pow(x[0], x.real()); }, keeps_out, any_values},
      {"number_pow", "real value", [](In x) { return pow(x.real(), x[0]); }, keeps_out, any_values, power_of_a_number},
      {"maximum_number", "value real", [](In x) { return maximum(x[0], x.real()); }},
      {"add_integers", "indices[*]<9 indices[*]<9", [](In x) { return x[0] + x[1]; }},
      {"negative", "value", [](In x) { return -x[0]; }},
      {"neg", "value", [](In x) { return neg(x[0]); }, adds},
      {"exp", "value", [](In x) { return exp(x[0]); }, keeps_out},
      {"log", "positive", [](In x) { return log(x[0]); }, keeps_out, any_values},
      {"sqrt", "positive", [](In x) { return sqrt(x[0]); }, keeps_out, any_values},
      {"abs", "nonzero", [](In x) { return abs(x[0]); }, keeps_out},
      {"sin", "value", [](In x) { return sin(x[0]); }, keeps_out},
      {"cos", "value", [](In x) { return cos(x[0]); }, keeps_out},
      {"log1p", "value", [](In x) { return log1p(x[0]); }, any_values},
      {"erf", "value", [](In x) { return erf(x[0]); }},
      {"tanh", "value", [](In x) { return tanh(x[0]); }, keeps_out},
      {"sigmoid", "value", [](In x) { return sigmoid(x[0]); }, keeps_out},
      {"relu", "nonzero", [](In x) { return relu(x[0]); }, keeps_out},
      {"sign", "nonzero", [](In x) { return sign(x[0]); }, keeps_out},
      {"clamp", "value real real", [](In x) { return clamp(x[0], x.real(0), x.real(1)); }, keeps_out, any_values,
       between_symmetric_bounds},
      {"dropout", "value real(-0.1,1.1) flag", [](In x) { return dropout(x[0], x.real(), x.flag(0)); }},
      {"dropout_of_seed", "value int(0,999999)", with_dropout, keeps_out},
      {"where", "mask operand operand", [](In x) { return where(x[0], x[1], x[2]); }, keeps_out, choice_of_two},
      {"where_number", "mask real operand", [](In x) { return where(x[0], x.real(), x[1]); }},
      {"masked_fill", "value mask real", [](In x) { return masked_fill(x[0], x[1], x.real()); }, keeps_out},
      {"equal", "operand operand", [](In x) { return x[0] == x[1]; }},
      {"not_equal", "operand operand", [](In x) { return x[0] != x[1]; }},
      {"less", "operand operand", [](In x) { return x[0] < x[1]; }},
      {"less_equal_number", "operand real", [](In x) { return x[0] <= x.real(); }},
      {"greater_number", "operand real", [](In x) { return x[0] > x.real(); }},
      {"greater_equal", "operand operand", [](In x) { return x[0] >= x[1]; }},
      {"logical_and", "mask mask", [](In x) { return logical_and(x[0], x[1]); }},
      {"logical_or", "mask mask", [](In x) { return logical_or(x[0], x[1]); }},
      {"logical_not", "mask", [](In x) { return logical_not(x[0]); }},
      {"any", "mask", [](In x) { return any(x[0]); }},
      {"all", "mask", [](In x) { return all(x[0]); }},
      {"all_finite", "value", [](In x) { return all_finite(x[0]); }},
      {"allclose", "value value real real", [](In x) { return allclose(x[0], x[1], x.real(0), x.real(1)); }},
      {"length_mask", "list(0,3) int(0,4)", [](In x) { return length_mask(x.list(), x.n(0)); }},
  };
}

}  // namespace random_programs
