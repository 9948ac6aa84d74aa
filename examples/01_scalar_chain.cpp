// One chain of numbers, forwards and backwards.
//
//   a = w * x      z = a + b      y = tanh(z)      e = y - target      L = e^2
//
// What it shows: backward() is the chain rule, applied from the end. Each op knows one thing only, its own derivative,
// and multiplies what arrives at its output by it. Every gradient stands here beside the same number by hand.
//
// Try next: make w larger until tanh is flat: what happens to dL/dw? Then use x a second time, e = y - x.
//
//   build/release/examples/01_scalar_chain
#include <autograd/autograd.h>
#include <fmt/core.h>

#include <cmath>
#include <string_view>

using autograd::float64;
using autograd::Tensor;

namespace {

void print_value(std::string_view formula, double value) {
  fmt::print("  {:<34}{:>9.4f}\n", formula, value);
}

void print_gradient(std::string_view formula, double by_hand, const Tensor& tensor) {
  fmt::print("  {:<34}{:>9.4f}{:>11.4f}\n", formula, by_hand, tensor.grad().item());
}

}  // namespace

int main() {
  const Tensor w = autograd::tensor(0.5, float64).requires_grad_();
  const Tensor x = autograd::tensor(2.0, float64).requires_grad_();
  const Tensor b = autograd::tensor(-0.3, float64).requires_grad_();
  const double target = 1.0;

  const Tensor a = w * x;
  const Tensor z = a + b;
  const Tensor y = tanh(z);
  const Tensor e = y - target;
  const Tensor L = e.pow(2);

  fmt::print("Forwards: w = 0.5, x = 2, b = -0.3, target = 1\n\n");
  print_value("a = w * x", a.item());
  print_value("z = a + b", z.item());
  print_value("y = tanh(z)", y.item());
  print_value("e = y - target", e.item());
  print_value("L = e^2", L.item());

  // Leaves keep their gradient. The numbers in the middle do so only when asked.
  for (const Tensor& middle : {a, z, y, e, L}) middle.retain_grad();
  L.backward();

  // The same by hand: each line is the one above it times the derivative of one op.
  const double dL = 1.0;
  const double de = dL * 2.0 * e.item();
  const double dy = de * 1.0;
  const double dz = dy * (1.0 - y.item() * y.item());
  const double da = dz * 1.0;
  const double db = dz * 1.0;
  const double dw = da * x.item();
  const double dx = da * w.item();

  fmt::print("\nBackwards: how much L changes when each number changes\n\n");
  fmt::print("  {:<34}{:>9}{:>11}\n", "", "by hand", "backward");
  print_gradient("dL/dL = 1", dL, L);
  print_gradient("dL/de = dL/dL * 2 e", de, e);
  print_gradient("dL/dy = dL/de * 1", dy, y);
  print_gradient("dL/dz = dL/dy * (1 - y^2)", dz, z);
  print_gradient("dL/da = dL/dz * 1", da, a);
  print_gradient("dL/db = dL/dz * 1", db, b);
  print_gradient("dL/dw = dL/da * x", dw, w);
  print_gradient("dL/dx = dL/da * w", dx, x);

  // And without any calculus: move w a little, and see.
  const double h = 1e-5;
  const auto loss_at = [&](double w_value) { return std::pow(std::tanh(w_value * 2.0 - 0.3) - target, 2.0); };
  const double slope = (loss_at(0.5 + h) - loss_at(0.5 - h)) / (2.0 * h);
  fmt::print("\nWithout any calculus: (L(w + h) - L(w - h)) / 2h with h = 0.00001 gives {:.4f} for dL/dw.\n", slope);
}
