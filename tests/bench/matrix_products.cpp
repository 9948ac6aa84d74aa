// Matrix products: the kernel by itself, as a BLAS is called (`rate`), with the right factor stored transposed
// (`transposed`) or laid out beforehand (`packed`), and as an op (`matmul`). Besides, products whose left factor is
// stored transposed, as a linear layer's backward computes the gradients of its weights.

#include <autograd/autograd.h>
#include <autograd/kernels/kernels.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bench/workload.h"

namespace bench {
namespace {

using autograd::DType;
using autograd::Tensor;

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

template <class T> void gemm(const Run& run, DType dtype, const Sizes& sizes) {
  const autograd::NoGradGuard no_grad;
  const Tensor a = autograd::randn({sizes.m, sizes.k}, dtype);
  const Tensor b = autograd::randn({sizes.k, sizes.n}, dtype);
  const Tensor out = autograd::empty({sizes.m, sizes.n}, dtype);
  const double operations = 2.0 * static_cast<double>(sizes.m * sizes.k * sizes.n);
  const Timing kernel = run.time([&] { multiply<T>(out, a, b, sizes); });
  run.record_rate("rate", kernel, operations, 1e9, "GFLOP/s");
  const Timing transposed = run.time([&] { multiply_transposed<T>(out, a, b, sizes); });
  run.record_rate("transposed", transposed, operations, 1e9, "GFLOP/s");
  const Tensor packed_b = packed<T>(b, sizes);
  const Timing beforehand = run.time([&] { multiply_packed<T>(out, a, packed_b, sizes); });
  run.record_rate("packed", beforehand, operations, 1e9, "GFLOP/s");
  const Timing op = run.time([&] { keep(matmul(a, b)); });
  run.record_rate("matmul", op, operations, 1e9, "GFLOP/s");
}

// The transpose of a [k, m] times b.
void weight_gradients(const Run& run, const Sizes& sizes) {
  const Tensor a = autograd::randn({sizes.k, sizes.m});
  const Tensor b = autograd::randn({sizes.k, sizes.n});
  const Tensor out = autograd::empty({sizes.m, sizes.n});
  const Timing kernel = run.time([&] {
    autograd::kernels::gemm(true, false, sizes.m, sizes.n, sizes.k, a.data_ptr<float>(), sizes.m, b.data_ptr<float>(),
                            sizes.n, out.data_ptr<float>(), sizes.n, false);
  });
  run.record_rate("rate", kernel, 2.0 * static_cast<double>(sizes.m * sizes.k * sizes.n), 1e9, "GFLOP/s");
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

}  // namespace bench
