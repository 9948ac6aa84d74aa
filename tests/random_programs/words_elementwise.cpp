// Arithmetic, choices, and functions of one number.
#include "maker.h"
#include "words.h"

namespace random_programs {
namespace {

bool one_and_factor(Maker& maker, Step& step) {
  step.factor = maker.factor();
  return one_operand(maker, step);
}

bool one_positive(Maker& maker, Step& step) {
  const auto x = maker.positive();
  if (!x) return false;
  step.operands = {*x};
  step.factor = maker.factor();
  return true;
}

bool one_apart_from_zero(Maker& maker, Step& step) {
  const auto x = maker.apart_from_zero();
  if (!x) return false;
  step.operands = {*x};
  step.factor = maker.factor();
  return true;
}

bool two(Maker& maker, Step& step) {
  const int a = maker.some();
  const int b = maker.broadcasting_with(a);
  step.operands = maker.chance(50) ? std::vector{a, b} : std::vector{b, a};
  return true;
}

bool by_apart_from_zero(Maker& maker, Step& step) {
  const auto b = maker.apart_from_zero();
  if (!b) return false;
  step.operands = {maker.broadcasting_with(*b), *b};
  return true;
}

bool of_positive(Maker& maker, Step& step) {
  const auto a = maker.positive();
  if (!a) return false;
  step.operands = {*a, maker.broadcasting_with(*a)};
  return true;
}

bool apart(const Tensor& a, const Tensor& b) {
  const Tensor difference = autograd::abs(a.detach() - b.detach());
  return autograd::all(difference > 0.02);
}

bool two_apart(Maker& maker, Step& step) {
  return two(maker, step) && apart(maker[step.operands[0]], maker[step.operands[1]]);
}

bool apart_from_factor(Maker& maker, Step& step) {
  step.factor = 0.25 + 0.5 * static_cast<double>(maker.below(4));
  step.operands = {maker.some()};
  const Tensor size = autograd::abs(maker[step.operands[0]].detach());
  return autograd::all(autograd::abs(size - step.factor) > 0.02);
}

bool choice_of_two(Maker& maker, Step& step) {
  two(maker, step);
  Shape shape;
  autograd::broadcast_shapes(maker[step.operands[0]].shape(), maker[step.operands[1]].shape(), &shape);
  step.operands.insert(step.operands.begin(), maker.mask(shape));
  return true;
}

bool masked(Maker& maker, Step& step) {
  const int x = maker.some();
  Shape shape = maker[x].shape();
  if (shape.dim() > 1 && maker.chance(30)) shape.erase(0);
  step.operands = {x, maker.mask(shape)};
  step.factor = maker.factor();
  return true;
}

}  // namespace

Words elementwise_words() {
  using namespace autograd;
  return {
      {"add", "{0} + {1}", "{0} + {1}", two, [](In x) { return x[0] + x[1]; }, Kind::adds},
      {"sub", "{0} - {1}", "{0} - {1}", two, [](In x) { return x[0] - x[1]; }, Kind::adds},
      {"mul", "{0} * {1}", "{0} * {1}", two, [](In x) { return x[0] * x[1]; }, Kind::plain},
      {"div", "{0} / {1}", "{0} / {1}", by_apart_from_zero, [](In x) { return x[0] / x[1]; }},
      {"pow", "pow({0}, {1})", "torch.pow({0}, {1})", of_positive, [](In x) { return pow(x[0], x[1]); }},
      {"square", "{0}.pow(2)", "{0}.pow(2)", one_operand, [](In x) { return x[0].pow(2); }},
      {"power", "{0}.pow({f})", "{0}.pow({f})", one_positive, [](In x) { return x[0].pow(x.factor()); }},
      {"exponential", "pow(1.5, {0})", "torch.pow(1.5, {0})", one_operand, [](In x) { return pow(1.5, x[0]); }},
      {"add_number", "{0} + {f}", "{0} + {f}", one_and_factor, [](In x) { return x[0] + x.factor(); }, Kind::adds},
      {"from_number", "{f} - {0}", "{f} - {0}", one_and_factor, [](In x) { return x.factor() - x[0]; }, Kind::adds},
      {"scale", "{0} * {f}", "{0} * {f}", one_and_factor, [](In x) { return x[0] * x.factor(); }, Kind::plain},
      {"divide", "{0} / {f}", "{0} / {f}", one_and_factor, [](In x) { return x[0] / x.factor(); }},
      {"reciprocal", "{f} / {0}", "{f} / {0}", one_apart_from_zero, [](In x) { return x.factor() / x[0]; }},
      {"maximum", "maximum({0}, {1})", "torch.maximum({0}, {1})", two_apart, [](In x) { return maximum(x[0], x[1]); }},
      {"minimum", "minimum({0}, {1})", "torch.minimum({0}, {1})", two_apart, [](In x) { return minimum(x[0], x[1]); }},
      {"neg", "-{0}", "-{0}", one_operand, [](In x) { return -x[0]; }, Kind::adds},
      {"exp", "exp({0})", "torch.exp({0})", one_operand, [](In x) { return exp(x[0]); }},
      {"log", "log({0})", "torch.log({0})", one_positive, [](In x) { return log(x[0]); }},
      {"sqrt", "sqrt({0})", "torch.sqrt({0})", one_positive, [](In x) { return sqrt(x[0]); }},
      {"abs", "abs({0})", "torch.abs({0})", one_apart_from_zero, [](In x) { return abs(x[0]); }},
      {"sin", "sin({0})", "torch.sin({0})", one_operand, [](In x) { return sin(x[0]); }},
      {"cos", "cos({0})", "torch.cos({0})", one_operand, [](In x) { return cos(x[0]); }},
      {"tanh", "tanh({0})", "torch.tanh({0})", one_operand, [](In x) { return tanh(x[0]); }},
      {"sigmoid", "sigmoid({0})", "torch.sigmoid({0})", one_operand, [](In x) { return sigmoid(x[0]); }},
      {"relu", "relu({0})", "torch.relu({0})", one_apart_from_zero, [](In x) { return relu(x[0]); }},
      {"sign", "sign({0})", "torch.sign({0})", one_apart_from_zero, [](In x) { return sign(x[0]); }},
      {"clamp", "clamp({0}, -{f}, {f})", "torch.clamp({0}, -{f}, {f})", apart_from_factor,
       [](In x) { return clamp(x[0], -x.factor(), x.factor()); }},
      {"where", "where({0}, {1}, {2})", "torch.where({0}, {1}, {2})", choice_of_two,
       [](In x) { return where(x[0], x[1], x[2]); }},
      {"masked_fill", "masked_fill({0}, {1}, {f})", "{0}.masked_fill({1}, {f})", masked,
       [](In x) { return masked_fill(x[0], x[1], x.factor()); }},
  };
}

}  // namespace random_programs
