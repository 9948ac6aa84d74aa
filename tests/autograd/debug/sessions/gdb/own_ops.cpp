// A program as its user compiles it, with -g -O0 and no more: ops of its own, and graphs that are too large to be
// shown. Looked at with gdb.

#include <vector>

#include "autograd/autograd.h"
#include "autograd/tape/record.h"
#include "nn/layers/linear.h"

using autograd::float64;
using autograd::Tensor;

namespace {

// y = x^3        dx = dy * 3 * x^2
struct Cube final : autograd::Node {
  static constexpr autograd::OpText text{"cube", "y = x^3", "dx = dy * 3 * x^2"};
  autograd::Saved x;

  static Tensor apply(const Tensor& x, autograd::Where where = autograd::Where::current());
  Tensor forward(const autograd::Inputs& in) const override { return apply(in[0]); }
  autograd::Grads backward(const Tensor& dy) override {
    const Tensor x_ = use(x);
    return {dy * 3.0 * x_ * x_};
  }
};

Tensor Cube::apply(const Tensor& x, autograd::Where where) {
  const Tensor values = x.detach();
  Tensor y = values * values * values;
  if (auto* node = autograd::record<Cube>(y, {&x}, where)) node->x = node->save(x);
  return y;
}

// y = 2 x        dx = 2 * dy
struct Twice final : autograd::Node {
  static constexpr autograd::OpText text{"twice", "y = 2 * x", "dx = 2 * dy"};

  static Tensor apply(const Tensor& x, autograd::Where where = autograd::Where::current());
  Tensor forward(const autograd::Inputs& in) const override { return apply(in[0]); }
  autograd::Grads backward(const Tensor& dy) override { return {dy * 2.0}; }  // all of it in one line
};

Tensor Twice::apply(const Tensor& x, autograd::Where where) {
  Tensor y = x.detach() * 2.0;
  autograd::record<Twice>(y, {&x}, where);
  return y;
}

// A name that is nobody's business here: it has no Node.
struct Trainer {
  void backward(const Tensor& loss) const { loss.backward(); }
};

void look_here() {}

void two_weights() {
  const std::vector<Tensor> weights = {autograd::tensor({1, 2}, float64), autograd::tensor({3, 4, 5}, float64)};
  Tensor sum = autograd::tensor(0.0, float64);
  for (const Tensor& weight : weights) {
    weight.requires_grad_().set_name("weight");
    sum = sum + weight.pow(2).sum();
  }
  sum.backward();
  look_here();
}

void large() {
  const Tensor x = autograd::tensor(0.5, float64).requires_grad_().set_name("x");
  Tensor last = x;
  for (int i = 0; i < 100000; ++i) last = last * 1.5;
  std::vector<Tensor> parts;
  for (int i = 0; i < 100000; ++i) parts.push_back(last);
  const Tensor joined = autograd::stack(parts);
  look_here();
}

// A base between it and Module.
struct Scorer final : nn::Linear {
  int calls = 0;
  Scorer() : nn::Linear({.in_features = 2, .out_features = 1, .bias = false, .dtype = float64}) {}
};

void op_of_a_module() {
  autograd::manual_seed(1);
  const Scorer scorer;
  const Tensor y = scorer(autograd::tensor({{1, 2}}, float64));
  look_here();
  y.sum().backward();
}

}  // namespace

int main() {
  const Tensor x = autograd::tensor({1, 2, 3, 4, 5}, float64).requires_grad_().set_name("x");
  const Tensor y = Twice::apply(Cube::apply(x));
  Trainer().backward(y.sum());
  two_weights();
  large();
  op_of_a_module();
}
