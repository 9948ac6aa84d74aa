// Random programs, all of them right, in whose gradients large terms cancel, or whose derivative changes quickly; for
// tests of the gradient sanitizer. Their values have any size from 1e-6 to 1e6.
#pragma once

#include <autograd/autograd.h>

#include <cmath>
#include <string>
#include <vector>

namespace cancelling_calls {

using namespace autograd;

// y = sin(w x) in one op, whose derivative changes quickly where w x is large.
struct Wave final : Node {
  static constexpr OpText text{"wave", "y = sin(w * x)", "dx = dy * w * cos(w * x)"};
  double w = 1.0;
  Saved x;

  Tensor forward(const Inputs& input) const override { return sin(input[0] * w); }
  Grads backward(const Tensor& dy) override { return {dy * w * cos(use(x) * w)}; }
};

inline Tensor wave(const Tensor& x, double w, Where where = Where::current()) {
  Tensor y = sin(x.detach() * w);
  if (auto* node = record<Wave>(y, {&x}, where)) {
    node->w = w;
    node->x = node->save(x);
  }
  return y;
}

// The loss of probabilities, y = logsumexp(x) - x_target for each row, in one op: p - 1 cancels where p is nearly 1.
struct Surprise final : Node {
  static constexpr OpText text{"surprise", "y = logsumexp(x) - x[:, 0]", "dx = dy * (softmax(x) - [1, 0, ..])"};
  Saved x;

  static Tensor of(const Tensor& x) { return logsumexp(x, 1) - x.select(1, 0); }
  Tensor forward(const Inputs& input) const override { return of(input[0]); }
  Grads backward(const Tensor& dy) override {
    const Tensor x_ = use(x);
    const Tensor target = zeros_like(x_);
    target.select(1, 0).fill_(1.0);
    return {dy.unsqueeze(1) * (softmax(x_, 1) - target)};
  }
};

inline Tensor surprise(const Tensor& x, Where where = Where::current()) {
  Tensor y = Surprise::of(x.detach());
  if (auto* node = record<Surprise>(y, {&x}, where)) node->x = node->save(x);
  return y;
}

struct Program {
  std::string name;
  Tensor (*loss)(const Tensor& x, double size, Generator& random);  // of x [rows, columns], of this size
};

inline Tensor numbers(Generator& random, const Shape& shape, DType dtype, double size = 1.0) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < shape.numel(); ++i) values.push_back(size * random.normal());
  return from_vector(values, shape, float64).to(dtype);
}

// 1, -1, 1, -1 .. along the last dim.
inline Tensor alternating(const Tensor& x) {
  const Tensor signs = ones_like(x.detach());
  for (std::int64_t i = 1; i < x.shape().back(); i += 2) signs.select(-1, i).fill_(-1.0);
  return signs;
}

inline Tensor centred(const Tensor& x, int dim) {
  return x - x.mean(dim, true);
}

inline const std::vector<Program>& all() {
  static const std::vector<Program> list = {
      {"sum of softmax", [](const Tensor& x, double, Generator&) { return softmax(x, 1).sum(); }},
      {"sum of softmax, of moderate size",
       [](const Tensor& x, double size, Generator&) { return softmax(x / size, 1).sum(); }},
      {"rows of softmax, weighed",
       [](const Tensor& x, double size, Generator& random) {
         return (softmax(x / size, 1) * numbers(random, {x.shape()[0], 1}, x.dtype())).sum();
       }},
      {"softmax, nearly one",
       [](const Tensor& x, double size, Generator&) { return softmax(x * (12.0 / size), 1).sum(); }},
      {"log_softmax, confident",
       [](const Tensor& x, double size, Generator&) { return cross_entropy(x * (15.0 / size), argmax(x, 1)); }},
      {"log_softmax, very confident",
       [](const Tensor& x, double size, Generator&) { return cross_entropy(x * (60.0 / size), argmax(x, 1)); }},
      {"surprise", [](const Tensor& x, double size, Generator&) { return surprise(x * (12.0 / size)).sum(); }},
      {"log of sum of softmax",
       [](const Tensor& x, double size, Generator&) { return log(softmax(x / size, 1).sum(1)).sum(); }},
      {"logsumexp less one",
       [](const Tensor& x, double size, Generator&) { return (logsumexp(x / size, 1, true) - x / size).exp().sum(); }},
      {"mean of layer_norm", [](const Tensor& x, double, Generator&) { return layer_norm(x, {x.shape()[1]}).mean(); }},
      {"layer_norm of nearly equal numbers",
       [](const Tensor& x, double size, Generator& random) {
         const Tensor y = layer_norm(x * 1e-3 + size, {x.shape()[1]});
         return (y * numbers(random, x.shape(), x.dtype())).sum();
       }},
      {"batch norm by hand",
       [](const Tensor& x, double size, Generator&) {
         const Tensor c = centred(x, 0);
         return (c / sqrt((c * c).mean(0, true) + 1e-5 * size * size)).sum();
       }},
      {"batch norm, weighed",
       [](const Tensor& x, double, Generator&) {
         const Tensor c = centred(x, 0);
         return (alternating(x) * c / sqrt((c * c).mean(0, true))).sum();
       }},
      {"cosine of x and itself",
       [](const Tensor& x, double, Generator&) {
         return ((x * x).sum(1) / (norm(x, 2.0, 1) * norm(x, 2.0, 1))).sum();
       }},
      {"length of a unit vector",
       [](const Tensor& x, double, Generator&) { return (x / norm(x, 2.0, 1, true)).pow(2.0).sum(); }},
      {"sum of what is centred", [](const Tensor& x, double, Generator&) { return centred(x, 1).sum(); }},
      {"var of what is shifted",
       [](const Tensor& x, double size, Generator&) { return var(x + 100.0 * size, 1).sum(); }},
      {"std, centred",
       [](const Tensor& x, double, Generator&) { return (centred(x, 1) / sqrt(var(x, {1}, 1, true))).sum(); }},
      {"a factor of a row",
       [](const Tensor& x, double, Generator&) {
         const Tensor factor = x.narrow(1, 0, 1);
         return (factor * alternating(x) + x).sum();
       }},
      {"a divisor of a row",
       [](const Tensor& x, double, Generator&) { return (alternating(x) / x.narrow(1, 0, 1)).sum(); }},
      {"difference of products",
       [](const Tensor& x, double, Generator& random) {
         const Tensor w = numbers(random, {x.shape()[1], 3}, x.dtype());
         return matmul(x, cat({w, -w}, 1)).sum();
       }},
      {"weights of a batch and its negative",
       [](const Tensor& x, double, Generator& random) {
         const Tensor batch = numbers(random, {5, x.shape()[1]}, x.dtype());
         return linear(cat({batch, -batch * 1.0001}, 0), x).sum();
       }},
      {"sin of a large number",
       [](const Tensor& x, double size, Generator& random) {
         return sin(x * (std::pow(10.0, 6.0 * random.uniform()) / size)).sum();
       }},
      {"wave", [](const Tensor& x, double size,
                  Generator& random) { return wave(x, std::pow(10.0, 9.0 * random.uniform() - 1.0) / size).sum(); }},
      {"wave, weighed",
       [](const Tensor& x, double size, Generator& random) {
         return (alternating(x) * wave(x, std::pow(10.0, 9.0 * random.uniform() - 1.0) / size)).sum();
       }},
      {"sort beside near ties",
       [](const Tensor& x, double, Generator& random) {
         const Tensor close = cat({x, x * (1.0 + 3e-7), x * (1.0 - 1e-6)}, 1);
         return (sort(close, 1).values * numbers(random, close.shape(), x.dtype())).sum();
       }},
      {"amax beside near ties",
       [](const Tensor& x, double, Generator&) {
         return amax(cat({x, x * (1.0 + 2e-7)}, 1), 1).sum();
       }},
      {"relu beside zero",
       [](const Tensor& x, double size, Generator& random) {
         const Tensor target = numbers(random, x.shape(), x.dtype());
         return (relu(x - (x.detach() + 1e-6 * size * target)) * target).sum();
       }},
      {"one over small numbers", [](const Tensor& x, double, Generator&) { return (1.0 / (x * x)).sum(); }},
      {"mse of nearly the target",
       [](const Tensor& x, double, Generator&) { return mse_loss(x, x.detach() * (1.0 + 1e-6)); }},
      {"cumulative sum, alternating",
       [](const Tensor& x, double, Generator&) { return (cumsum(x, 1) * alternating(x)).sum(); }},
      {"sigmoid, nearly one",
       [](const Tensor& x, double size, Generator&) { return sigmoid(x * (12.0 / size)).sum(); }},
      {"tanh, nearly one", [](const Tensor& x, double size, Generator&) { return tanh(x * (6.0 / size)).sum(); }},
      {"attention to nobody",
       [](const Tensor& x, double size, Generator& random) {
         const Tensor keys = numbers(random, {4, x.shape()[1]}, x.dtype());
         const Tensor weights = softmax(matmul(x / size, keys.t()), 1);
         return (matmul(weights, ones({4, 2}, x.dtype()))).sum();
       }},
  };
  return list;
}

// One of them, at random.
struct Call {
  const Program& program;
  double size;
  Tensor x;
  Tensor loss(Generator& random) const { return program.loss(x, size, random); }
};

inline Call call(std::size_t number, DType dtype, Generator& random) {
  const double size = std::pow(10.0, 12.0 * random.uniform() - 6.0);
  const Shape shape = {1 + random.integer(0, 5), 2 + random.integer(0, 6)};
  return {all()[number % all().size()], size, numbers(random, shape, dtype, size).detach().requires_grad_()};
}

}  // namespace cancelling_calls
