#include "examples/translate/experiments/step_cost.h"

#include <nn/attention/attention_kinds.h>

#include <algorithm>
#include <ctime>
#include <vector>

namespace translate {

namespace {

using autograd::Tensor;

constexpr int few_steps = 2;
constexpr int many_steps = 10;

// Reads a source and makes some steps over it, with all gradients.
double seconds_of(const nn::AttentionMechanism& attention, const Tensor& encoder_outputs, const Tensor& query,
                  int steps) {
  const double start = processor_seconds();
  const nn::AttentionSource source = attention.read_source(encoder_outputs);
  nn::AttentionMemory memory;
  Tensor sum;
  for (int step = 0; step < steps; ++step) {
    const Tensor part = attention(query, source, memory).context.sum();
    sum = sum.defined() ? sum + part : part;
  }
  sum.backward({.release_graph = true});
  return processor_seconds() - start;
}

double least(const std::vector<double>& values) {
  return *std::min_element(values.begin(), values.end());
}

}  // namespace

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// Two numbers of steps give both: the slope is the cost of a step, the rest that of the source.
StepCost measure_step_cost(const std::string& kind, const StepSizes& sizes, int repeats) {
  autograd::manual_seed(1);
  const auto attention = nn::make_attention(kind, {.decoder_dim = sizes.dim, .encoder_dim = sizes.dim});
  const Tensor encoder_outputs = autograd::randn({sizes.batch, sizes.source, sizes.dim}).requires_grad_();
  const Tensor query = autograd::randn({sizes.batch, sizes.dim}).requires_grad_();
  std::vector<double> few, many;
  seconds_of(*attention, encoder_outputs, query, few_steps);  // warms up memory and caches
  for (int i = 0; i < repeats; ++i) {
    few.push_back(seconds_of(*attention, encoder_outputs, query, few_steps));
    many.push_back(seconds_of(*attention, encoder_outputs, query, many_steps));
  }
  const double per_step = (least(many) - least(few)) / (many_steps - few_steps);
  return {.step_seconds = per_step, .source_seconds = std::max(0.0, least(few) - few_steps * per_step)};
}

}  // namespace translate
