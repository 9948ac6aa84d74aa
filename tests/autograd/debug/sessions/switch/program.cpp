// A program for the tests of the environment variable BACKSTEP:  program right|wrong|nan|endless|lost
//
// It makes it hard for an instrument: it catches everything, prints without a line end, and exits with 0.
#include <autograd/autograd.h>
#include <autograd/ops/op.h>
#include <fmt/core.h>

#include <cstdio>
#include <exception>
#include <iostream>
#include <string>

using namespace autograd;

namespace {

struct Cube final : Node {
  static constexpr OpText text{"cube", "y = x^3", "dx = 3 * dy * x^2"};
  Saved x;
  double factor = 3.0;

  Tensor forward(const Inputs& input) const override { return input[0] * input[0] * input[0]; }
  Grads backward(const Tensor& dy) override {
    const Tensor x_ = use(x);
    return {factor * dy * x_ * x_};
  }
};

Tensor cube(const Tensor& x, double factor, Where where = Where::current()) {
  const Tensor values = x.detach();
  Tensor y = values * values * values;
  if (auto* node = record<Cube>(y, {&x}, where)) {
    node->x = node->save(x);
    node->factor = factor;
  }
  return y;
}

// Until somebody stops it.
void train_without_end() {
  const Tensor x = tensor({0.5, -2.0}, float64).requires_grad_();
  for (int pass = 1;; ++pass) {
    cube(x, 3.0).sum().backward();
    if (pass % 1000 == 0) std::cout << "pass " << pass << std::endl;
  }
}

// The path from `cut_off` ends before the loss, and nothing uses `spare`.
void train_what_is_left() {
  const Tensor cut_off = tensor({0.5, -2.0}, float64).requires_grad_().set_name("cut_off");
  const Tensor w = tensor({1.0, 2.0}, float64).requires_grad_().set_name("w");
  const Tensor spare = tensor({3.0}, float64).requires_grad_().set_name("spare");
  const Tensor h = cube(cut_off, 3.0).detach();
  (h * w).sum().backward();
}

void train(const std::string& kind) {
  const Tensor x = from_vector(std::vector<double>{0.5, 0.0, -2.0}, {3}, float64).requires_grad_().set_name("x");
  const double factor = kind == "wrong" ? 2.0 : 3.0;
  for (int step = 0; step < 3; ++step) {
    const StepScope scope(step);
    const Tensor y = cube(x, factor);
    (kind == "nan" ? log(abs(y)) : y).sum().backward();
  }
  fmt::print("x.grad {}", x.grad());
}

}  // namespace

int main(int count, char** arguments) {
  std::ios::sync_with_stdio(false);
  fmt::print("started ");
  std::cout << "and flushed ";
  try {
    const std::string kind = count > 1 ? arguments[1] : "right";
    if (kind == "endless") train_without_end();
    kind == "lost" ? train_what_is_left() : train(kind);
  } catch (...) {
    fmt::print("caught");
  }
  std::cout.flush();
  fmt::print("\n");
  return 0;
}
