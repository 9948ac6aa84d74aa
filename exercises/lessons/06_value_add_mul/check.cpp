#include <judge/check.h>

#include "given.h"

const Axes judge::axes = {};

namespace {

// The answer's functions; a missing node is told, not followed.
struct Maker {
  const Answer& answer;

  static NodePtr made(const char* by, const NodePtr& node) {
    if (!node) throw std::runtime_error(std::string(by) + " returned no node");
    return node;
  }
  NodePtr value(double data) const { return made("value", answer.value(data)); }
  NodePtr add(const NodePtr& a, const NodePtr& b) const { return made("add", answer.add(a, b)); }
  NodePtr mul(const NodePtr& a, const NodePtr& b) const { return made("mul", answer.mul(a, b)); }
};

// The same formula twice: as nodes made by the answer, and as tensors, whose derivative is measured. A formula keeps
// its intermediate nodes in variables that live until the walk back is over.
struct Formula {
  std::string name;
  std::function<void(const Maker& make, const NodePtr leaf[3], double dy, double& data)> run;
  std::function<Tensor(const Tensor& a, const Tensor& b, const Tensor& c)> tensors;
};

const std::vector<Formula>& formulas() {
  static const std::vector<Formula> all = {
      {"a + b",
       [](const Maker& make, const NodePtr leaf[3], double dy, double& data) {
         const NodePtr sum = make.add(leaf[0], leaf[1]);
         data = sum->data;
         given::numbers::walk_back(sum, dy);
       },
       [](const Tensor& a, const Tensor& b, const Tensor&) { return a + b; }},
      {"a * b",
       [](const Maker& make, const NodePtr leaf[3], double dy, double& data) {
         const NodePtr product = make.mul(leaf[0], leaf[1]);
         data = product->data;
         given::numbers::walk_back(product, dy);
       },
       [](const Tensor& a, const Tensor& b, const Tensor&) { return a * b; }},
      {"(a + b) * c + a",
       [](const Maker& make, const NodePtr leaf[3], double dy, double& data) {
         const NodePtr sum = make.add(leaf[0], leaf[1]);
         const NodePtr product = make.mul(sum, leaf[2]);
         const NodePtr output = make.add(product, leaf[0]);
         data = output->data;
         given::numbers::walk_back(output, dy);
       },
       [](const Tensor& a, const Tensor& b, const Tensor& c) { return (a + b) * c + a; }},
      {"x = a; x = x * b; x = x * c; x = x + a",
       [](const Maker& make, const NodePtr leaf[3], double dy, double& data) {
         NodePtr x = leaf[0];
         x = make.mul(x, leaf[1]);
         x = make.mul(x, leaf[2]);
         x = make.add(x, leaf[0]);
         data = x->data;
         given::numbers::walk_back(x, dy);
       },
       [](const Tensor& a, const Tensor& b, const Tensor& c) { return a * b * c + a; }},
      {"(a * a) * (b + b)",
       [](const Maker& make, const NodePtr leaf[3], double dy, double& data) {
         const NodePtr square = make.mul(leaf[0], leaf[0]);
         const NodePtr twice = make.add(leaf[1], leaf[1]);
         const NodePtr output = make.mul(square, twice);
         data = output->data;
         given::numbers::walk_back(output, dy);
       },
       [](const Tensor& a, const Tensor& b, const Tensor&) { return a * a * (b + b); }},
  };
  return all;
}

void check_formula(const Maker& make, const Formula& formula, const Tensor& abc, const Tensor& dy, Check& check) {
  const std::vector<double> numbers = abc.to_vector();
  const NodePtr leaf[3] = {make.value(numbers[0]), make.value(numbers[1]), make.value(numbers[2])};
  double data = 0.0;
  formula.run(make, leaf, dy.item(), data);
  check.compare(formula.name, data, {.may_be_zero = true});
  const Tensor gradients = autograd::tensor({leaf[0]->grad, leaf[1]->grad, leaf[2]->grad}, autograd::float64);
  check.gradient("da db dc of " + formula.name, gradients, abc,
                 [=] { return (dy * formula.tensors(abc[0], abc[1], abc[2])).sum(); });
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const Tensor abc = check.randn("a, b, c", {3});
  const Tensor dy = check.uniform("dy", {1}, -2.0, -1.2);
  const Maker make{answer};
  for (const Formula& formula : formulas()) check_formula(make, formula, abc, dy, check);

  const NodePtr leaf = make.value(1.5);
  check.compare("inputs of a + a and of a * a", std::vector<std::int64_t>{std::ssize(make.add(leaf, leaf)->inputs),
                                                                          std::ssize(make.mul(leaf, leaf)->inputs)});

  Formula with_zero = formulas()[1];  // a * b
  with_zero.name += " at a = 0";
  const Tensor zero_and_b = autograd::tensor({0.0, 1.0, 1.0}, autograd::float64) * abc;
  check_formula(make, with_zero, check.input("0, b, c", zero_and_b), dy, check);
}
