// What one op costs beyond its arithmetic: 1000 alternating tanh, multiply and add on small tensors, and a
// million chained additions. Each line printed is "workload peer metric value unit", so that the output can be
// laid beside another library's.

#include <autograd/autograd.h>
#include <autograd/recycler.h>

#include <algorithm>
#include <chrono>
#include <vector>

using autograd::DType;
using autograd::Tensor;

namespace {

constexpr int chain_length = 1000;
constexpr int deep = 1'000'000;

double now_ns() {
  const auto time = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<double>(std::chrono::duration_cast<std::chrono::nanoseconds>(time).count());
}

// The median time of a call, over two seconds' worth of calls or so.
template <class Body> double median_ns(Body&& body) {
  std::vector<double> samples;
  const double start = now_ns();
  while (samples.size() < 5 || now_ns() - start < 1e9) {
    const double before = now_ns();
    body();
    samples.push_back(now_ns() - before);
  }
  std::nth_element(samples.begin(), samples.begin() + static_cast<long>(samples.size() / 2), samples.end());
  return samples[samples.size() / 2];
}

void print(std::string_view workload, std::string_view metric, double value, std::string_view unit) {
  fmt::print("{:<24} {:<12} {:<18} {:>10.1f} {}\n", workload, "backstep", metric, value, unit);
}

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

void op_overhead(std::string_view workload, DType dtype, std::int64_t size) {
  const Tensor x = autograd::randn({size}, dtype).requires_grad_();
  const Tensor w = autograd::ones({size}, dtype).requires_grad_();
  const Tensor b = autograd::zeros({size}, dtype).requires_grad_();
  const Tensor upstream = autograd::ones({size}, dtype);
  {
    const autograd::NoGradGuard no_grad;
    print(workload, "no_grad", median_ns([&] { chain(x, w, b); }) / chain_length, "ns/op");
  }
  print(workload, "forward", median_ns([&] { chain(x, w, b); }) / chain_length, "ns/op");
  const double both = median_ns([&] {
    for (const Tensor& leaf : {x, w, b}) leaf.zero_grad();
    chain(x, w, b).backward(upstream);
  });
  print(workload, "forward_backward", both / chain_length, "ns/op");
}

void graph_deep() {
  const Tensor x = autograd::tensor(0.0).requires_grad_();
  const Tensor step = autograd::tensor(1.0).requires_grad_();
  const std::size_t before = autograd::recycler::statistics().live_bytes;
  const double start = now_ns();
  Tensor y = x;
  for (int i = 0; i < deep; ++i) y = y + step;
  const double built = now_ns();
  y.backward();
  const double ran = now_ns();
  const std::size_t live = autograd::recycler::statistics().live_bytes - before;
  y = Tensor();
  const double destroyed = now_ns();
  print("graph_deep", "forward", (built - start) / deep, "ns/op");
  print("graph_deep", "backward", (ran - built) / deep, "ns/op");
  print("graph_deep", "destroy", (destroyed - ran) / deep, "ns/op");
  print("graph_deep", "total", (destroyed - start) / deep, "ns/op");
  print("graph_deep", "memory", static_cast<double>(live) / deep, "bytes/op");
}

}  // namespace

int main() {
  op_overhead("op_overhead_f64_4", autograd::float64, 4);
  op_overhead("op_overhead_f32_64", autograd::float32, 64);
  op_overhead("op_overhead_f32_4096", autograd::float32, 4096);
  graph_deep();
}
