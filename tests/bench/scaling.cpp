// How time and memory grow with the length of a sequence and with the depth of a graph. Each size is a workload of its
// own, because each needs a process of its own to have its own peak of memory. draw_scaling.cpp makes pictures of them.

#include <nn/nn.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bench/differentiated.h"
#include "bench/memory.h"
#include "bench/workload.h"

namespace bench {
namespace {

using autograd::Tensor;

// Time and memory of forward and backward per step or op, of which there are `count`.
void record_growth(const Run& run, const std::string& each, double count, const std::vector<Tensor>& leaves,
                   const std::function<std::vector<Tensor>()>& forward) {
  const double before = current_rss_mib();
  record_forward_backward(run, "ns/" + each, count, leaves, forward);
  run.record("memory", 1024 * 1024 * (peak_rss_mib() - before) / count, "bytes/" + each);
}

// A decoder with attention that writes `length` words. The source has 20 positions whatever the length: attention over
// a source that grows as well is quadratic by its definition.
void scaling_length(const Run& run, std::int64_t length) {
  constexpr std::int64_t batch = 8;
  constexpr std::int64_t source = 20;
  constexpr std::int64_t dim = 64;
  constexpr std::int64_t vocabulary = 64;
  const nn::BahdanauDecoder decoder({.vocab_size = vocabulary, .embed_dim = dim, .hidden_dim = dim});
  const Tensor words = autograd::randint(0, vocabulary, {batch, length});
  const Tensor hidden = autograd::randn({batch, dim}).requires_grad_();
  const Tensor outputs = autograd::randn({batch, source, 2 * dim}).requires_grad_();
  std::vector<Tensor> leaves = {hidden, outputs};
  for (const Tensor& parameter : decoder.parameters()) leaves.push_back(parameter);
  record_growth(run, "step", static_cast<double>(length), leaves, [&] {
    return std::vector<Tensor>{decoder.teacher_forced(words, hidden, decoder.precompute(outputs)).logits};
  });
}

void scaling_depth(const Run& run, std::int64_t depth) {
  const Tensor x = autograd::zeros({}).requires_grad_();
  const Tensor step = autograd::ones({}).requires_grad_();
  record_growth(run, "op", static_cast<double>(depth), {x, step}, [&] {
    Tensor y = x;
    for (std::int64_t i = 0; i < depth; ++i) y = y + step;
    return std::vector<Tensor>{y};
  });
}

}  // namespace

void add_scaling(std::vector<Workload>& all) {
  for (const std::int64_t length : {10, 20, 50, 100, 200, 500, 1000}) {
    const std::string number = std::to_string(length);
    all.push_back({"scaling_length_" + number, "decoder with attention, T=" + number + " B=8 S=20 hid=64 f32",
                   [length](const Run& run) { scaling_length(run, length); }});
  }
  for (const std::int64_t depth : {1'000, 10'000, 100'000, 1'000'000}) {
    const std::string number = std::to_string(depth);
    all.push_back({"scaling_depth_" + number, number + " chained adds on [] f32",
                   [depth](const Run& run) { scaling_depth(run, depth); }});
  }
}

}  // namespace bench
