// Large graphs of small ops, as other projects measure them: a chain of scalars, and GradBench's LSTM, whose weights
// are diagonal, with an op for each operation on a vector (https://github.com/gradbench/gradbench, evals/lstm).

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

}  // namespace

void add_gradbench(std::vector<Workload>& all) {
  all.push_back({"scalar_chain", "1,000,000 x mul/tanh on [] f64", scalar_chain});
  all.push_back({"gradbench_lstm_2_1024", "2 layers, 1024 characters, 14 f64, an op for each operation",
                 [](const Run& run) { lstm(run, 2, 1024); }});
  all.push_back({"gradbench_lstm_4_4096", "4 layers, 4096 characters, 14 f64, an op for each operation",
                 [](const Run& run) { lstm(run, 4, 4096); }});
}

}  // namespace bench
