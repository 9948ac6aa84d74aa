// Matrix products: the kernel by itself, as a BLAS is called (`rate`), with the right factor stored transposed
// (`transposed`) or laid out beforehand (`packed`), and with the left factor stored transposed, as a linear layer's
// backward computes the gradients of its weights. Functions of a million numbers. What one op costs beyond its
// arithmetic, by chains of small ops, and a graph a million ops deep.
#include <autograd/kernels/kernels.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/workload.h"

namespace bench {
namespace {

using autograd::DType;

// [m, k] x [k, n]
struct Sizes {
  std::int64_t m, k, n;
};

template <class T> void multiply(const Tensor& out, const Tensor& a, const Tensor& b, const Sizes& sizes) {
  autograd::kernels::gemm(false, false, sizes.m, sizes.n, sizes.k, a.data_ptr<T>(), sizes.k, b.data_ptr<T>(), sizes.n,
                          out.data_ptr<T>(), sizes.n, false);
}

// a times the transpose of b [n, k], as in a linear layer.
template <class T> void multiply_transposed(const Tensor& out, const Tensor& a, const Tensor& b, const Sizes& sizes) {
  autograd::kernels::gemm(false, true, sizes.m, sizes.n, sizes.k, a.data_ptr<T>(), sizes.k, b.data_ptr<T>(), sizes.k,
                          out.data_ptr<T>(), sizes.n, false);
}

// b laid out for multiply_packed().
template <class T> Tensor packed(const Tensor& b, const Sizes& sizes) {
  const Tensor result = autograd::empty({autograd::kernels::packed_size<T>(sizes.n, sizes.k)}, b.dtype());
  autograd::kernels::pack(result.data_ptr<T>(), false, sizes.n, sizes.k, b.data_ptr<T>(), sizes.n);
  return result;
}

template <class T>
void multiply_packed(const Tensor& out, const Tensor& a, const Tensor& packed_b, const Sizes& sizes) {
  autograd::kernels::gemm_packed(sizes.m, sizes.n, sizes.k, a.data_ptr<T>(), sizes.k, packed_b.data_ptr<T>(),
                                 out.data_ptr<T>(), sizes.n, false);
}

// The speed of a product, in operations. Their peak is its limit.
void rate_of(const Run& run, const std::string& metric, const Sizes& sizes, DType dtype,
             const std::function<void()>& body) {
  run.record_rate(metric, run.time(body), 2.0 * static_cast<double>(sizes.m * sizes.k * sizes.n), 1e9, "GFLOP/s");
  run.record_least(metric, dtype == autograd::float32 ? "f32" : "f64", 1.0);
}

template <class T> void gemm(const Run& run, DType dtype, const Sizes& sizes) {
  const autograd::NoGradGuard no_grad;
  const Tensor a = autograd::randn({sizes.m, sizes.k}, dtype);
  const Tensor b = autograd::randn({sizes.k, sizes.n}, dtype);
  const Tensor out = autograd::empty({sizes.m, sizes.n}, dtype);
  const Tensor packed_b = packed<T>(b, sizes);
  rate_of(run, "rate", sizes, dtype, [&] { multiply<T>(out, a, b, sizes); });
  rate_of(run, "transposed", sizes, dtype, [&] { multiply_transposed<T>(out, a, b, sizes); });
  rate_of(run, "packed", sizes, dtype, [&] { multiply_packed<T>(out, a, packed_b, sizes); });
}

// The transpose of a [k, m] times b.
void weight_gradients(const Run& run, const Sizes& sizes) {
  const Tensor a = autograd::randn({sizes.k, sizes.m});
  const Tensor b = autograd::randn({sizes.k, sizes.n});
  const Tensor out = autograd::empty({sizes.m, sizes.n});
  rate_of(run, "rate", sizes, autograd::float32, [&] {
    autograd::kernels::gemm(true, false, sizes.m, sizes.n, sizes.k, a.data_ptr<float>(), sizes.m, b.data_ptr<float>(),
                            sizes.n, out.data_ptr<float>(), sizes.n, false);
  });
}

void add_weight_gradients(std::vector<Workload>& all, const Sizes& sizes) {
  const std::string k = std::to_string(sizes.k);
  const std::string m = std::to_string(sizes.m);
  const std::string n = std::to_string(sizes.n);
  all.push_back({"gemm_f32_weights_" + k + "_" + m, "[" + k + "," + m + "], transposed, x [" + k + "," + n + "]",
                 [sizes](const Run& run) { weight_gradients(run, sizes); }});
}

void add(std::vector<Workload>& all, const std::string& name, const std::string& shapes, const Sizes& sizes) {
  all.push_back({"gemm_f32_" + name, shapes, [sizes](const Run& run) { gemm<float>(run, autograd::float32, sizes); }});
  all.push_back({"gemm_f64_" + name, shapes, [sizes](const Run& run) { gemm<double>(run, autograd::float64, sizes); }});
}

using autograd::Shape;

constexpr std::int64_t rows = 1024;
constexpr std::int64_t columns = 1024;
constexpr double count = static_cast<double>(rows * columns);

void rate_of(const Run& run, const std::string& name, const Shape& shape, Tensor (*function)(const Tensor&)) {
  const Tensor x = (autograd::randn(shape) * 2.0).requires_grad_();
  const Tensor upstream = autograd::ones(shape);
  {
    const autograd::NoGradGuard no_grad;
    const double forward = run.time([&] { keep(function(x)); });
    run.record_rate(name + "_forward", forward, count, 1e6, "Melem/s");
    run.record_least(name + "_forward", "read_8MiB", 4 * 2);  // x, y
  }
  const double both = run.time([&] {
    x.zero_grad();
    function(x).backward(upstream);
  });
  run.record_rate(name + "_forward_backward", both, count, 1e6, "Melem/s");
  run.record_least(name + "_forward_backward", "read_8MiB", 4 * (2 + 3));  // x, y; y, dy, dx
}

void tanh_softmax(const Run& run) {
  rate_of(run, "tanh", {rows * columns}, [](const Tensor& x) { return x.tanh(); });
  rate_of(run, "sigmoid", {rows * columns}, [](const Tensor& x) { return x.sigmoid(); });
  rate_of(run, "exp", {rows * columns}, [](const Tensor& x) { return x.exp(); });
  rate_of(run, "softmax", {rows, columns}, [](const Tensor& x) { return x.softmax(-1); });
}

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
  run.record_forward_backward("ns/op", chain_length, {x, w, b}, [&] { return std::vector<Tensor>{chain(x, w, b)}; });
  if (size < 4096) return;
  // The thousand values that wait for backward are 16 MiB. Arrays of one op, the mean of tanh, multiply and add.
  constexpr double forward = (2 + 3 + 3) / 3.0;   // x y; x w y; x b y
  constexpr double backward = (3 + 6 + 3) / 3.0;  // y dy dx; dy w x dx, and dw read and written; dy, and db likewise
  run.record_least("forward_backward", "read_8MiB", (forward + backward) * double(size) * 4);
}

// One sample per repeat of each part of a deep graph's life.
struct Life {
  std::vector<Sample> forward, backward, total;
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
  y = Tensor();
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
  run.record_time("forward", median_ns(life.forward, run.threads()), "ns/op", depth);
  run.record_time("backward", median_ns(life.backward, run.threads()), "ns/op", depth);
  run.record_time("total", median_ns(life.total, run.threads()), "ns/op", depth);
  run.record("memory", memory_mib * 1024 * 1024 / depth, "bytes/op");
}

}  // namespace

void add_matrix_products(std::vector<Workload>& all) {
  for (const std::int64_t n : {64, 128, 256, 512, 1024}) {
    add(all, std::to_string(n), std::to_string(n) + " cubed", {n, n, n});
  }
  add(all, "skinny", "[64,256] x [256,768]", {64, 256, 768});
  add(all, "recurrent", "[32,256] x [256,768]", {32, 256, 768});
  add_weight_gradients(all, {512, 3072, 64});
  add_weight_gradients(all, {1000, 3200, 64});
  add_weight_gradients(all, {960, 8000, 64});
}

void add_ops(std::vector<Workload>& all) {
  all.push_back({"tanh_softmax", "1,048,576 f32; softmax over the rows of [1024,1024]", tanh_softmax});
  all.push_back({"op_overhead_f64_4", "1000 x tanh/mul/add on [4] f64",
                 [](const Run& run) { op_overhead(run, autograd::float64, 4); }});
  all.push_back({"op_overhead_f32_64", "1000 x tanh/mul/add on [64] f32",
                 [](const Run& run) { op_overhead(run, autograd::float32, 64); }});
  all.push_back({"op_overhead_f32_4096", "1000 x tanh/mul/add on [4096] f32",
                 [](const Run& run) { op_overhead(run, autograd::float32, 4096); }});
  all.push_back({"graph_deep", "1,000,000 chained adds on [] f32", graph_deep});
}

}  // namespace bench
