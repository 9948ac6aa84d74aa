// exp and tanh of many numbers: speed, and accuracy beside it.
#include <fmt/core.h>

#include <cmath>

#include "examples/fast_kernels/kernels.h"
#include "examples/fast_kernels/vectors.h"

namespace fast_kernels {
namespace {

using Function = void (*)(float* y, const float* x, int64_t n);

void exp_of_library(float* y, const float* x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] = std::exp(x[i]);
}

// 1. One number at a time, by the C library.
void tanh_of_library(float* y, const float* x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] = std::tanh(x[i]);
}

// In float64, by the C library.
Tensor exactly(const Tensor& x, double (*function)(double)) {
  std::vector<double> values = x.to_vector();
  for (double& value : values) value = function(value);
  return autograd::from_vector(values, x.shape(), autograd::float64);
}

// Numbers of many sizes: what a network has, and small ones, where digits are easily lost.
Tensor inputs(int64_t n) {
  const Tensor x = autograd::randn({n}) * 2.0;
  return autograd::cat({x.narrow(0, 0, n - n / 8), x.narrow(0, n - n / 8, n / 8) * 1e-3}, 0);
}

// x comes from memory, and so does what y was before.
Work work_of(int64_t n, double flops_per_element) {
  return {.flops = flops_per_element * double(n),
          .bytes = 8.0 * double(n),
          .elements = double(n),
          .unit = Work::Unit::elements};
}

// Operations of the vectors' exp and tanh, counted in exp_vectors.h.
constexpr double flops_of_exp = 23;
constexpr double flops_of_tanh = 27;

auto running(Function function, const Tensor& y, const Tensor& x) {
  return [function, y, x] {
    function(y.data_ptr<float>(), x.data_ptr<float>(), x.numel());
    return Tensors{y};
  };
}

}  // namespace

bool exp(const Options& options) {
  const int64_t n = options.size[0];
  const Tensor x = inputs(n);
  const Tensor y = autograd::zeros({n});
  Table table(fmt::format("exp: {} numbers, float32", n), work_of(n, flops_of_exp), {exactly(x, std::exp)}, {.ulp = 2},
              options);
  table.version("std::exp, one at a time", running(exp_of_library, y, x));
  table.version("in vectors: 2^n * Taylor series", running(vectors().exp, y, x));
  table.version("shipped: autograd::exp", [&] { return Tensors{autograd::exp(x)}; });
  return table.all_right();
}

bool tanh(const Options& options) {
  const int64_t n = options.size[0];
  const Tensor x = inputs(n);
  const Tensor y = autograd::zeros({n});
  Table table(fmt::format("tanh: {} numbers, float32", n), work_of(n, flops_of_tanh), {exactly(x, std::tanh)},
              {.ulp = 2.5}, options);
  table.version("std::tanh, one at a time", running(tanh_of_library, y, x));
  // Wrong in most digits of a small number, though by no more than 2e-7.
  table.version("in vectors: (1 - e) / (1 + e)", {.ulp = 1e9, .absolute = 2e-7}, running(vectors().tanh_by_exp, y, x));
  table.version("in vectors: -e / (e + 2), e = expm1", {.ulp = 6}, running(vectors().tanh_by_expm1, y, x));
  table.version("shipped: autograd::tanh", [&] { return Tensors{autograd::tanh(x)}; });
  return table.all_right();
}

}  // namespace fast_kernels
