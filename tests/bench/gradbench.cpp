// Models as other projects measure them: a chain of scalars, and two of GradBench
// (https://github.com/gradbench/gradbench, evals/lstm and evals/gmm). Its LSTM has diagonal weights; here it has an op
// for each operation on a vector. Its GMM is the probability of points under a mixture of normal distributions.

#include <autograd/autograd.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bench/workload.h"

namespace bench {
namespace {

using autograd::float64;
using autograd::Tensor;

void scalar_chain(const Run& run) {
  constexpr int operations = 1'000'000;
  const Tensor w = autograd::tensor(1.0, float64).requires_grad_();
  const auto differentiate = [&](bool release_graph) {
    w.zero_grad();
    Tensor y = autograd::tensor(0.5, float64).requires_grad_();
    for (int i = 0; i < operations / 2; ++i) y = tanh(y * w);
    y.backward({.release_graph = release_graph});
  };
  run.record_time("releasing", run.time([&] { differentiate(true); }), "ns/op", operations);
  run.record_time("keeping", run.time([&] { differentiate(false); }), "ns/op", operations);
}

constexpr std::int64_t bits = 14;  // of a character: the width of all vectors

struct Gate {
  Tensor weight, bias;
  Tensor operator()(const Tensor& x) const { return x * weight + bias; }
};

struct Layer {
  Gate forget, input, output, change;
  Tensor hidden, cell;

  // The next hidden state.
  Tensor step(const Tensor& x) {
    const Tensor forgotten = sigmoid(forget(x));
    const Tensor taken = sigmoid(input(hidden));
    const Tensor shown = sigmoid(output(x));
    const Tensor candidate = tanh(change(hidden));
    cell = cell * forgotten + taken * candidate;
    hidden = shown * tanh(cell);
    return hidden;
  }
};

struct Lstm {
  Tensor main;        // [layer, weight or bias, gate, bits]
  Tensor extra;       // the input's weight, the output's weight and bias
  Tensor characters;  // [step, bits]

  Tensor loss() const {
    std::vector<Layer> layers;
    for (std::int64_t l = 0; l < main.size(0); ++l) {
      const auto gate = [&](int g) { return Gate{main.index({l, 0, g}), main.index({l, 1, g})}; };
      const Tensor state = autograd::full({bits}, 0.5, float64);
      layers.push_back({gate(0), gate(1), gate(2), gate(3), state, state});
    }
    const Tensor input_weight = extra[0];
    const Gate output{extra[1], extra[2]};
    Tensor total = autograd::tensor(0.0, float64);
    for (std::int64_t t = 0; t + 1 < characters.size(0); ++t) {
      Tensor x = characters[t] * input_weight;
      for (Layer& layer : layers) x = layer.step(x);
      const Tensor y = output(x);
      total = total + sum(characters[t + 1] * (y - log(sum(exp(y)) + 2.0)));
    }
    return total;
  }
};

void lstm(const Run& run, std::int64_t layers, std::int64_t characters) {
  const Lstm model{autograd::rand({layers, 2, 4, bits}, float64).requires_grad_(),
                   autograd::rand({3, bits}, float64).requires_grad_(),
                   autograd::bernoulli(0.5, {characters, bits}, float64)};
  const Timing timing = run.time([&] {
    model.main.zero_grad();
    model.extra.zero_grad();
    model.loss().backward({.release_graph = true});
  });
  run.record_time("forward_backward", timing, "ms");
  const auto operations = static_cast<double>((characters - 1) * (17 * layers + 13));
  run.record_time("forward_backward_op", timing, "ns/op", operations);
}

// `width` * `width` indices: where each element of a lower triangular matrix is found in a row that holds what is below
// the diagonal, column by column, then the diagonal, then a zero.
Tensor triangle_indices(std::int64_t width) {
  const std::int64_t below = width * (width - 1) / 2;
  std::vector<std::int64_t> indices(static_cast<std::size_t>(width * width), below + width);
  const auto at = [&](std::int64_t row, std::int64_t column) -> std::int64_t& {
    return indices[static_cast<std::size_t>(row * width + column)];
  };
  std::int64_t next = 0;
  for (std::int64_t column = 0; column < width; ++column) {
    at(column, column) = below + column;
    for (std::int64_t row = column + 1; row < width; ++row) at(row, column) = next++;
  }
  return autograd::ids(indices, {width * width});
}

// k normal distributions of d numbers. L_k, a lower triangular matrix, is the root of the inverse of a covariance.
struct Mixture {
  Tensor points;       // [n, d]
  Tensor weights;      // [k]
  Tensor means;        // [k, d]
  Tensor logarithms;   // of the diagonals of L, [k, d]
  Tensor below;        // L below its diagonal, [k, d * (d - 1) / 2]
  Tensor indices;      // of L in its row
  Tensor last_column;  // zeros [k, 1]

  // The logarithm of the probability of the points and of the parameters, without its constants.
  Tensor log_probability() const {
    const std::int64_t n = points.size(0);
    const std::int64_t k = means.size(0);
    const std::int64_t d = means.size(1);
    const Tensor diagonals = exp(logarithms);
    const Tensor roots = autograd::cat({below, diagonals, last_column}, 1).index_select(1, indices).view({k, d, d});
    // |L_k (x - mean_k)|^2, with all L_k x in one product
    const Tensor of_means = matmul(roots, means.unsqueeze(2)).reshape({k * d});
    const Tensor scaled = linear(points, roots.reshape({k * d, d}), -of_means).view({n, k, d});
    const Tensor distances = sum(scaled * scaled, {2});
    const Tensor scores = weights + sum(logarithms, {1}) - 0.5 * distances;
    const Tensor likelihood = sum(logsumexp(scores, {1})) - static_cast<double>(n) * logsumexp(weights, {0});
    return likelihood - 0.5 * (sum(diagonals * diagonals) + sum(below * below));
  }
};

void gmm(const Run& run, std::int64_t d, std::int64_t k, std::int64_t n) {
  const Mixture model{autograd::randn({n, d}, float64),
                      autograd::randn({k}, float64).requires_grad_(),
                      autograd::rand({k, d}, float64).requires_grad_(),
                      autograd::randn({k, d}, float64).requires_grad_(),
                      autograd::randn({k, d * (d - 1) / 2}, float64).requires_grad_(),
                      triangle_indices(d),
                      autograd::zeros({k, 1}, float64)};
  const auto differentiate = [&] {
    for (const Tensor& parameter : {model.weights, model.means, model.logarithms, model.below}) parameter.zero_grad();
    model.log_probability().backward({.release_graph = true});
  };
  run.record_time("forward_backward", run.time(differentiate), "ms");
  // Of most points, all distributions but one have a probability so small that it is denormal or 0.
  if (!autograd::set_flush_denormal(true)) return;
  run.record_time("forward_backward_flushed", run.time(differentiate), "ms");
  autograd::set_flush_denormal(false);
}

}  // namespace

void add_gradbench(std::vector<Workload>& all) {
  all.push_back({"scalar_chain", "1,000,000 x mul/tanh on [] f64", scalar_chain});
  all.push_back({"gradbench_lstm_2_1024", "2 layers, 1024 characters, 14 f64, an op for each operation",
                 [](const Run& run) { lstm(run, 2, 1024); }});
  all.push_back({"gradbench_lstm_4_4096", "4 layers, 4096 characters, 14 f64, an op for each operation",
                 [](const Run& run) { lstm(run, 4, 4096); }});
  all.push_back({"gradbench_gmm_64_50", "1000 points of 64 f64, 50 normal distributions",
                 [](const Run& run) { gmm(run, 64, 50, 1000); }});
}

}  // namespace bench
