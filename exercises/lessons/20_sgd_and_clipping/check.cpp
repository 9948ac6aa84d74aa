#include <judge/check.h>

#include <cmath>

#include "given.h"

const Axes judge::axes = {{"rows", 4}, {"columns", 5}, {"hidden", 3}};

namespace {

// A parameter of random numbers. It is not an input of the check: it is there to be changed.
Tensor parameter(Check& check, const autograd::Shape& shape, double scale = 1.0) {
  std::vector<double> values(static_cast<std::size_t>(shape.numel()));
  for (double& value : values) value = scale * check.random().normal();
  return autograd::from_vector(values, shape, autograd::float64).requires_grad_();
}

void set_random_grad(Check& check, const Tensor& of, double scale) {
  of.set_grad(parameter(check, of.shape(), scale).detach());
}

double product(const Tensor& a, const Tensor& b) {
  return (a.detach() * b.detach()).sum().item();
}

// 2 inputs, tanh, 1 output: the smallest network that can tell whether two bits differ.
struct Network {
  Tensor w1, b1, w2, b2;

  Network(Check& check, std::int64_t hidden)
      : w1(parameter(check, {hidden, 2}, 0.7)),
        b1(parameter(check, {hidden}, 0.7)),
        w2(parameter(check, {1, hidden}, 0.7)),
        b2(parameter(check, {1}, 0.7)) {}

  Parameters parameters() const { return {w1, b1, w2, b2}; }

  Tensor loss() const {
    const Tensor x = autograd::tensor({{0, 0}, {0, 1}, {1, 0}, {1, 1}}, autograd::float64);
    const Tensor target = autograd::from_vector({0, 1, 1, 0}, {4, 1}, autograd::float64);
    return mse_loss(linear(linear(x, w1, b1).tanh(), w2, b2), target);
  }
};

// PyTorch divides by norm + 1e-6 when it clips: as good as exactly, and right here.
constexpr double clipped = 1e-5;

}  // namespace

void check(const Answer& answer, Check& check) {
  {
    const Tensor w = parameter(check, check.shape({"rows", "columns"}));
    const Tensor unused = parameter(check, check.shape({"hidden"}));
    const Tensor b = parameter(check, check.shape({"rows"}));
    set_random_grad(check, w, 1.0);
    set_random_grad(check, b, 1.0);
    const Tensor w_before = w.detach().clone();
    const Tensor b_before = b.detach().clone();
    answer.sgd_step({w, unused, b}, 0.1);
    check.compare("change of w in a step", w.detach() - w_before);
    check.compare("change of b in a step", b.detach() - b_before);
    check.compare("a parameter without a gradient, after a step", unused);
  }
  {
    const Tensor w = parameter(check, check.shape({"rows", "columns"}));
    const Tensor unused = parameter(check, check.shape({"hidden"}));
    const Tensor b = parameter(check, check.shape({"rows"}));
    set_random_grad(check, w, 2.0);
    set_random_grad(check, b, 0.2);
    const Tensor dw = w.grad().clone();
    const Tensor db = b.grad().clone();
    check.compare("returned norm", answer.clip_grad_norm({w, unused, b}, 1.5));
    const double along = product(dw, w.grad()) + product(db, b.grad());
    const double length =
        std::sqrt((product(dw, dw) + product(db, db)) * (product(w.grad(), w.grad()) + product(b.grad(), b.grad())));
    check.require("clipping keeps the direction", along >= (1.0 - 1e-9) * length,
                  "the gradient points in another direction after clipping than before");
    check.compare("dw after clipping", w.grad(), {.tolerance = clipped});
    check.compare("db after clipping", b.grad(), {.tolerance = clipped});
    w.set_grad(dw);
    b.set_grad(db);
    check.compare("returned norm of short ones", answer.clip_grad_norm({w, unused, b}, 1e6));
    check.compare("dw that is short enough", w.grad(), {.tolerance = clipped});
    w.set_grad(dw);
    b.set_grad(db);
    const double norm = std::sqrt(product(dw, dw) + product(db, db));
    answer.clip_grad_norm({w, unused, b}, 1.25 * norm);
    check.compare("dw that is just short enough", w.grad(), {.tolerance = clipped});
  }
  {
    const Network network(check, check.size("hidden"));
    const auto loss = [&] { return network.loss(); };
    check.compare("losses of 7 steps", answer.train(network.parameters(), loss, 7, 0.3, 3.0), {.tolerance = clipped});
    check.compare("w1 after 7 steps", network.w1, {.tolerance = clipped});
    check.compare("b1 after 7 steps", network.b1, {.tolerance = clipped});
    check.compare("w2 after 7 steps", network.w2, {.tolerance = clipped});
    check.compare("b2 after 7 steps", network.b2, {.tolerance = clipped});
    for (const Tensor& each : network.parameters()) set_random_grad(check, each, 1.0);
    check.compare("losses of 3 shorter steps, with old gradients before",
                  answer.train(network.parameters(), loss, 3, 0.1, 0.05), {.tolerance = clipped});
  }
  if (check.slow_part()) {
    const Network network(check, 8);
    const auto loss = [&] { return network.loss(); };
    answer.train(network.parameters(), loss, 2000, 0.3, 1.0);
    check.at_most("loss on XOR after 2000 steps", network.loss().item(), 0.01);
  }
}
