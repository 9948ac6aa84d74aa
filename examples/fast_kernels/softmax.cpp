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
  const Tensor peak = autograd::zeros({rows});
  const Tensor total = autograd::zeros({rows});
  const float* from = x.data_ptr<float>();
  float* to = y.data_ptr<float>();
  const auto run = [&](void (*function)(float*, const float*, int64_t, int64_t)) {
    return [=] {
      function(to, from, rows, n);
      return Tensors{y};
    };
  };

  const double count = double(rows) * double(n);
  const Work work = {.flops = 27 * count, .bytes = 8 * count, .elements = count, .unit = Work::Unit::elements};
  // What x - peak loses to rounding is 16 units of a small probability, and a sum of n numbers may lose n / 2.
  Table table(fmt::format("softmax: {} rows of {}, float32", rows, n), work,
              {autograd::softmax(x.to(autograd::float64), 1)}, {.ulp = 20 + double(n) / 2}, options);
  table.version("textbook: four passes, std::exp", run(softmax_textbook));
  table.version("tensor ops", [&] { return Tensors{softmax_by_ops(x)}; });
  table.version("three passes over the matrix, vectors", [&] {
    vectors().softmax_by_passes(to, from, peak.data_ptr<float>(), total.data_ptr<float>(), rows, n);
    return Tensors{y};
  });
  table.version("three passes row by row", run(vectors().softmax_by_rows));
  table.version("two passes, the sum corrected on the way", run(vectors().softmax_online));
  table.version("shipped: autograd::softmax", [&] { return Tensors{autograd::softmax(x, 1)}; });
  return table.all_right();
}

}  // namespace fast_kernels
