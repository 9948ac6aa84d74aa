// GRU and LSTM layers over whole sequences.

#include <nn/nn.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bench/differentiated.h"
#include "bench/workload.h"

namespace bench {
namespace {

using autograd::Tensor;

constexpr std::int64_t batch = 32;
constexpr std::int64_t time_steps = 20;
constexpr std::int64_t features = 256;  // of the input, and of the hidden state

// The multiplications and additions of all matrix products, forward and backward.
double operations(int gates, std::int64_t layers, std::int64_t directions) {
  double forward = 0.0;
  for (std::int64_t layer = 0; layer < layers; ++layer) {
    const std::int64_t input = layer == 0 ? features : directions * features;
    forward += 2.0 * static_cast<double>(directions * batch * time_steps * gates * features * (input + features));
  }
  return 3.0 * forward;
}

template <class Layer> void layer(const Run& run, int gates, std::int64_t layers, bool bidirectional) {
  const Layer rnn({.input_size = features,
                   .hidden_size = features,
                   .num_layers = layers,
                   .batch_first = true,
                   .bidirectional = bidirectional});
  const Tensor x = autograd::randn({batch, time_steps, features}).requires_grad_();
  std::vector<Tensor> leaves = {x};
  for (const Tensor& parameter : rnn.parameters()) leaves.push_back(parameter);
  record_forward_backward(run, "ms", 1.0, leaves, [&] { return std::vector<Tensor>{rnn(x).output}; });
  run.record("work", operations(gates, layers, bidirectional ? 2 : 1) / 1e9, "GFLOP");
}

}  // namespace

void add_recurrent_layers(std::vector<Workload>& all) {
  const std::string sizes = "B=32 T=20 in=256 hid=256 f32";
  const std::string both = sizes + ", 2 layers both ways";
  all.push_back({"gru_layer", sizes, [](const Run& run) { layer<nn::GRU>(run, 3, 1, false); }});
  all.push_back({"gru_bidirectional2", both, [](const Run& run) { layer<nn::GRU>(run, 3, 2, true); }});
  all.push_back({"lstm_layer", sizes, [](const Run& run) { layer<nn::LSTM>(run, 4, 1, false); }});
  all.push_back({"lstm_bidirectional2", both, [](const Run& run) { layer<nn::LSTM>(run, 4, 2, true); }});
}

}  // namespace bench
