// Additive attention: one query per sentence, all pairs of positions at once, and a gradient check by hand. GRU and
// LSTM layers over whole sequences.
#include <nn/nn.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/workload.h"

namespace bench {
namespace {

using autograd::DType;

constexpr std::int64_t batch = 32;

struct AttentionSizes {
  std::int64_t batch, source, decoder, encoder, attention;
  DType dtype;
};

constexpr AttentionSizes demo{2, 8, 256, 512, 128, autograd::float32};
constexpr AttentionSizes exercise{2, 5, 8, 8, 8, autograd::float64};

double forward_operations(const AttentionSizes& sizes, std::int64_t queries = 1) {
  const auto [B, source, decoder, encoder, attention, dtype] = sizes;
  const std::int64_t projections = B * queries * decoder * attention + B * source * encoder * attention;
  return 2.0 * double(projections + B * queries * source * (attention + encoder));
}

// The module with its inputs; the second sentence ends two positions early.
struct Problem {
  explicit Problem(const AttentionSizes& sizes)
      : attention({.decoder_dim = sizes.decoder,
                   .encoder_dim = sizes.encoder,
                   .attention_dim = sizes.attention,
                   .dtype = sizes.dtype}),
        state(autograd::randn({sizes.batch, sizes.decoder}, sizes.dtype).requires_grad_()),
        encoded(autograd::randn({sizes.batch, sizes.source, sizes.encoder}, sizes.dtype).requires_grad_()),
        mask(autograd::length_mask({sizes.source, sizes.source - 2})) {
    leaves = {state, encoded};
    for (const Tensor& parameter : attention.parameters()) leaves.push_back(parameter);
  }

  std::vector<Tensor> forward() const {
    const auto [context, weights] = attention(state, encoded, mask);
    return {context, weights};
  }

  nn::AdditiveAttention attention;
  Tensor state, encoded, mask;
  std::vector<Tensor> leaves;
};

void one_query(const Run& run, const AttentionSizes& sizes) {
  const Problem problem(sizes);
  run.record_forward_backward("us", 1.0, problem.leaves, [&] { return problem.forward(); });
  const std::string of = sizes.dtype == autograd::float32 ? "f32" : "f64";
  run.record_least("forward_backward", of, 3 * forward_operations(sizes));
}

// A fixed random combination of all outputs: one number to be differentiated.
class Objective {
 public:
  explicit Objective(const Problem& problem) : problem_(problem) {
    for (const Tensor& output : problem.forward()) mix_.push_back(autograd::randn(output.shape(), output.dtype()));
  }
  Tensor operator()() const {
    const std::vector<Tensor> outputs = problem_.forward();
    return (outputs[0] * mix_[0]).sum() + (outputs[1] * mix_[1]).sum();
  }

 private:
  const Problem& problem_;
  std::vector<Tensor> mix_;
};

// The gradients against central differences in each of their elements. Returns the number of evaluations.
std::int64_t check_by_hand(const Problem& problem, const Objective& objective) {
  constexpr double h = 1e-6;
  for (const Tensor& leaf : problem.leaves) leaf.zero_grad();
  objective().backward();
  const autograd::NoGradGuard no_grad;
  std::int64_t evaluations = 0;
  double worst = 0.0;
  for (const Tensor& x : problem.leaves) {
    const std::vector<double> exact = x.grad().to_vector();
    auto* values = x.data_ptr<double>();
    for (std::size_t i = 0; i < exact.size(); ++i, evaluations += 2) {
      const double kept = values[i];
      values[i] = kept + h;
      const double up = objective().item();
      values[i] = kept - h;
      const double down = objective().item();
      values[i] = kept;
      worst = std::max(worst, std::abs((up - down) / (2.0 * h) - exact[i]));
    }
  }
  if (worst > 1e-6) throw std::runtime_error("gradcheck_attention: a wrong gradient");
  return evaluations;
}

void gradcheck_attention(const Run& run) {
  const Problem problem(exercise);
  const Objective objective(problem);
  std::int64_t evaluations = 0;
  const double by_hand = run.time([&] { evaluations = check_by_hand(problem, objective); });
  run.record_time("total", by_hand, "ms");
  run.record_least("total", "f64", (double(evaluations) + 2) * forward_operations(exercise));  // one backward is two
}

// Every decoder position against every source position.
void all_pairs(const Run& run) {
  constexpr std::int64_t queries = 20;
  constexpr std::int64_t source = 20;
  constexpr std::int64_t dim = 256;
  const nn::AdditiveAttention attention({.decoder_dim = dim, .encoder_dim = dim});
  const Tensor states = autograd::randn({batch, queries, dim}).requires_grad_();
  const Tensor encoded = autograd::randn({batch, source, dim}).requires_grad_();
  std::vector<Tensor> leaves = {states, encoded};
  for (const Tensor& parameter : attention.parameters()) leaves.push_back(parameter);
  run.record_forward_backward("ms", 1.0, leaves,
                              [&] { return std::vector<Tensor>{attention(states, encoded).context}; });
  run.record_least("forward_backward", "f32",
                   3 * forward_operations({batch, source, dim, dim, dim, autograd::float32}, queries));
}

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
  run.record_forward_backward("ms", 1.0, leaves, [&] { return std::vector<Tensor>{rnn(x).output}; });
  run.record_least("forward_backward", "f32", operations(gates, layers, bidirectional ? 2 : 1));
}

}  // namespace

void add_layers(std::vector<Workload>& all) {
  all.push_back(
      {"attention_demo", "B=2 S=8 dec=256 enc=512 attn=128 f32, masked", [](const Run& run) { one_query(run, demo); }});
  all.push_back({"attention_exercise", "B=2 S=5 dec=8 enc=8 attn=8 f64, masked",
                 [](const Run& run) { one_query(run, exercise); }});
  all.push_back(
      {"gradcheck_attention", "attention_exercise: central differences in all 232 elements", gradcheck_attention});
  all.push_back({"attention_all_pairs", "B=32 Tq=20 S=20 d=256 f32", all_pairs});
  const std::string sizes = "B=32 T=20 in=256 hid=256 f32";
  const std::string both = sizes + ", 2 layers both ways";
  all.push_back({"gru_layer", sizes, [](const Run& run) { layer<nn::GRU>(run, 3, 1, false); }});
  all.push_back({"gru_bidirectional2", both, [](const Run& run) { layer<nn::GRU>(run, 3, 2, true); }});
  all.push_back({"lstm_layer", sizes, [](const Run& run) { layer<nn::LSTM>(run, 4, 1, false); }});
  all.push_back({"lstm_bidirectional2", both, [](const Run& run) { layer<nn::LSTM>(run, 4, 2, true); }});
}

}  // namespace bench
