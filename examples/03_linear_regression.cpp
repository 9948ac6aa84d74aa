// Fitting a line, first by hand, then with nn.
//
//   y = x . w + b + noise        with w = [2, -3] and b = 0.5, which the program has to find out
//
// What it shows: the whole of training is four lines in a loop. Compute the loss; backward() fills the gradients; take
// a step against them; forget them. nn::Linear and nn::SGD are the same four lines with names.
//
// Try next: a learning rate of 1.5; leaving out zero_grad(), so that the gradients of all steps add up; nn::Adam.
//
//   build/release/examples/03_linear_regression
#include <autograd/autograd.h>
#include <fmt/core.h>
#include <nn/nn.h>

using autograd::float64;
using autograd::Tensor;

namespace {

constexpr int steps = 60;
constexpr int print_every = 10;
constexpr double learning_rate = 0.1;

struct Data {
  Tensor x;  // [100, 2]
  Tensor y;  // [100, 1]
};

Data make_data() {
  const Tensor true_w = autograd::tensor({{2.0, -3.0}}, float64);  // [1, 2]
  const double true_b = 0.5;
  const Tensor x = autograd::randn({100, 2}, float64);
  const Tensor noise = 0.1 * autograd::randn({100, 1}, float64);
  return {x, x.matmul(true_w.t()) + true_b + noise};
}

void print_progress(int step, const Tensor& loss, const Tensor& w, const Tensor& b) {
  if (step % print_every != 0) return;
  fmt::print("  {:>4}  {:>9.5f}   [{:>7.4f}, {:>7.4f}]   {:>7.4f}\n", step, loss.item(), w.at({0, 0}), w.at({0, 1}),
             b.at({0}));
}

void fit_by_hand(const Data& data) {
  const Tensor w = autograd::zeros({1, 2}, float64).requires_grad_();
  const Tensor b = autograd::zeros({1}, float64).requires_grad_();
  for (int step = 0; step <= steps; ++step) {
    const Tensor prediction = data.x.matmul(w.t()) + b;
    const Tensor loss = (prediction - data.y).pow(2).mean();
    print_progress(step, loss, w, b);

    loss.backward();
    const autograd::NoGradGuard no_grad;  // the step itself is not part of what is differentiated
    w.sub_(learning_rate * w.grad());
    b.sub_(learning_rate * b.grad());
    w.zero_grad();
    b.zero_grad();
  }
}

void fit_with_nn(const Data& data) {
  const nn::Linear model({.in_features = 2, .out_features = 1, .dtype = float64});
  nn::init::zeros_(model.weight);  // the same start as above; as a rule, the random one is better
  nn::init::zeros_(model.bias);
  nn::SGD optimizer(model.parameters(), {.lr = learning_rate});
  for (int step = 0; step <= steps; ++step) {
    const Tensor loss = autograd::mse_loss(model(data.x), data.y);
    print_progress(step, loss, model.weight, model.bias);

    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
}

}  // namespace

int main() {
  autograd::manual_seed(0);
  const Data data = make_data();
  fmt::print("The line that made the data: w = [2, -3], b = 0.5; the noise leaves a loss of about 0.01\n\n");
  fmt::print("By hand\n\n  step       loss   w                    b\n");
  fit_by_hand(data);
  fmt::print("\nWith nn::Linear and nn::SGD: the same steps\n\n  step       loss   w                    b\n");
  fit_with_nn(data);
}
