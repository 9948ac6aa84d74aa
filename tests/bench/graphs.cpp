// What one op costs beyond its arithmetic: chains of small ops, and a graph a million ops deep.

#include <autograd/autograd.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/differentiated.h"
#include "bench/memory.h"
#include "bench/workload.h"

namespace bench {
namespace {

using autograd::DType;
using autograd::Tensor;

constexpr int chain_length = 1000;

Tensor chain(Tensor y, const Tensor& w, const Tensor& b) {
  for (int i = 0; i < chain_length; ++i) {
    switch (i % 3) {
      case 0: y = tanh(y); break;
      case 1: y = y * w; break;
      default: y = y + b; break;
    }
  }
  return y;
}

void op_overhead(const Run& run, DType dtype, std::int64_t size) {
  const Tensor x = autograd::randn({size}, dtype).requires_grad_();
  // Ones and zeros keep the gradients away from numbers so small that their arithmetic is slow.
  const Tensor w = autograd::ones({size}, dtype).requires_grad_();
  const Tensor b = autograd::zeros({size}, dtype).requires_grad_();
  {
    const autograd::NoGradGuard no_grad;
    const Timing timing = run.time([&] { keep(chain(x, w, b)); });
    run.record_time("no_grad", timing, "ns/op", chain_length);
  }
  record_forward_backward(run, "ns/op", chain_length, {x, w, b}, [&] { return std::vector<Tensor>{chain(x, w, b)}; });
}

// One sample per repeat of each part of a deep graph's life.
struct Life {
  std::vector<Sample> forward, backward, destroy, total;
};

// The graph lives through backward, so that it is freed whole. Returns the memory that it took, in MiB.
double live(const Tensor& x, const Tensor& step, int depth, Life& life) {
  step.zero_grad();
  const double before = current_rss_mib();
  const Stopwatch total;
  const Stopwatch forward;
  Tensor y = x;
  for (int i = 0; i < depth; ++i) y = y + step;
  life.forward.push_back(forward.read());
  const Stopwatch backward;
  y.backward();
  life.backward.push_back(backward.read());
  const double memory = peak_rss_mib() - before;
  const Stopwatch destroy;
  y = Tensor();
  life.destroy.push_back(destroy.read());
  life.total.push_back(total.read());
  return memory;
}

void graph_deep(const Run& run) {
  constexpr int depth = 1'000'000;
  constexpr int repeats = 5;
  const Tensor x = autograd::zeros({}).requires_grad_();
  const Tensor step = autograd::ones({}).requires_grad_();
  Life life;
  const double memory_mib = live(x, step, depth, life);
  for (int i = 1; i < repeats; ++i) live(x, step, depth, life);
  if (step.grad().item() != depth) throw std::runtime_error("graph_deep: a wrong gradient");
  run.record_time("forward", summarise(life.forward, run.threads()), "ns/op", depth);
  run.record_time("backward", summarise(life.backward, run.threads()), "ns/op", depth);
  run.record_time("destroy", summarise(life.destroy, run.threads()), "ns/op", depth);
  run.record_time("total", summarise(life.total, run.threads()), "ns/op", depth);
  run.record("memory", memory_mib * 1024 * 1024 / depth, "bytes/op");
}

}  // namespace

void add_graphs(std::vector<Workload>& all) {
  all.push_back({"op_overhead_f64_4", "1000 x tanh/mul/add on [4] f64",
                 [](const Run& run) { op_overhead(run, autograd::float64, 4); }});
  all.push_back({"op_overhead_f32_64", "1000 x tanh/mul/add on [64] f32",
                 [](const Run& run) { op_overhead(run, autograd::float32, 64); }});
  all.push_back({"op_overhead_f32_4096", "1000 x tanh/mul/add on [4096] f32",
                 [](const Run& run) { op_overhead(run, autograd::float32, 4096); }});
  all.push_back({"graph_deep", "1,000,000 chained adds on [] f32", graph_deep});
}

}  // namespace bench
