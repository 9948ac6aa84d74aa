// tanh of many numbers: speed, and accuracy beside it.
#include <fmt/core.h>

#include <cmath>

#include "examples/fast_kernels/kernels.h"
#include "examples/fast_kernels/vectors.h"

namespace fast_kernels {
namespace {

// 1. One number at a time, by the C library.
void tanh_of_library(float* y, const float* x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] = std::tanh(x[i]);
}

// Numbers of many sizes: what a network has, and small ones, where digits are easily lost.
Tensor inputs(int64_t n) {
  const Tensor x = autograd::randn({n}) * 2.0;
  return autograd::cat({x.narrow(0, 0, n - n / 8), x.narrow(0, n - n / 8, n / 8) * 1e-3}, 0);
}

}  // namespace

bool tanh(const Options& options) {
  const int64_t n = options.size[0];
  const Tensor x = inputs(n);
  const Tensor y = autograd::zeros({n});
  const auto run = [&](void (*function)(float* y, const float* x, int64_t n)) {
    return [&, function] {
      if (options.check) y.fill_(NAN);
      function(y.data_ptr<float>(), x.data_ptr<float>(), x.numel());
      return y;
    };
  };

  // The 27 operations of the vectors' tanh are counted in exp_vectors.h.
  Table table(fmt::format("tanh: {} numbers, float32", n),
              {.flops = 27 * double(n), .bytes = 8 * double(n), .elements = double(n)},
              autograd::tanh(x.to(autograd::float64)), {.ulp = 2.5}, options);
  table.version("std::tanh, one at a time", run(tanh_of_library));
  // Wrong in most digits of a small number, though by no more than 2e-7.
  table.version("in vectors: (1 - e) / (1 + e)", run(vectors().tanh_by_exp), Tolerance{.ulp = 1e9, .absolute = 2e-7});
  table.version("in vectors: -e / (e + 2), e = expm1", run(vectors().tanh_by_expm1), Tolerance{.ulp = 6});
  table.version("shipped: autograd::tanh", [&] { return autograd::tanh(x); });
  return table.all_right();
}

}  // namespace fast_kernels
