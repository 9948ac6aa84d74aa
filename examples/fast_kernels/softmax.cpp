// softmax along the rows of a matrix: how often are the numbers read?
#include <fmt/core.h>

#include <cmath>

#include "examples/fast_kernels/kernels.h"
#include "examples/fast_kernels/vectors.h"

namespace fast_kernels {
namespace {

// 1. As the formula says: the maximum, exp, the sum, the division.
void softmax_textbook(float* y, const float* x, int64_t rows, int64_t n) {
  for (; rows > 0; --rows, x += n, y += n) {
    float peak = x[0];
    for (int64_t i = 1; i < n; ++i) peak = std::max(peak, x[i]);
    for (int64_t i = 0; i < n; ++i) y[i] = std::exp(x[i] - peak);
    float total = 0;
    for (int64_t i = 0; i < n; ++i) total += y[i];
    for (int64_t i = 0; i < n; ++i) y[i] /= total;
  }
}

// 2. The same in tensor ops, each with a tensor as its result.
Tensor softmax_by_ops(const Tensor& x) {
  const Tensor e = autograd::exp(x - x.amax(-1, true));  // [rows, n]
  return e / e.sum(-1, true);
}

}  // namespace

bool softmax(const Options& options) {
  const int64_t rows = options.size[0], n = options.size[1];
  const Tensor x = autograd::randn({rows, n}) * 3.0;
  const Tensor y = autograd::zeros({rows, n});
  const auto run = [&](void (*function)(float* y, const float* x, int64_t rows, int64_t n)) {
    return [&, function] {
      if (options.check) y.fill_(NAN);
      function(y.data_ptr<float>(), x.data_ptr<float>(), x.size(0), x.size(1));
      return y;
    };
  };

  const double count = double(rows) * double(n);
  // What x - peak loses to rounding is 16 units of a small probability, and a sum of n numbers may lose n / 2.
  Table table(fmt::format("softmax: {} rows of {}, float32", rows, n),
              {.flops = 27 * count, .bytes = 8 * count, .elements = count},
              autograd::softmax(x.to(autograd::float64), 1), {.ulp = 20 + double(n) / 2}, options);
  table.version("textbook: four passes, std::exp", run(softmax_textbook));
  table.version("tensor ops", [&] { return softmax_by_ops(x); });
  table.version("row by row, in vectors", run(vectors().softmax));
  table.version("shipped: autograd::softmax", [&] { return autograd::softmax(x, 1); });
  return table.all_right();
}

}  // namespace fast_kernels
