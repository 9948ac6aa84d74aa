// Few rows times a large matrix: what decoding one sentence does at every word. With one row, each weight is loaded for
// a single multiply-add, and memory is the limit, not arithmetic.
#include <fmt/core.h>

#include "examples/fast_kernels/kernels.h"
#include "examples/fast_kernels/matmul_loops.h"
#include "examples/fast_kernels/vectors.h"

namespace fast_kernels {
namespace {

using MatrixVector = void (*)(float* y, const float* w, const float* x, int64_t n, int64_t k);

bool one_row(const Tensor& weight, const Options& options) {
  const int64_t n = weight.size(0), k = weight.size(1);
  const Tensor x = uniform({1, k}, 0, 1);
  const Tensor y = autograd::zeros({1, n});
  const auto run = [&](MatrixVector multiply) {
    return [&x, &y, &weight, multiply] {
      const int64_t rows = weight.size(0), columns = weight.size(1);
      multiply(y.data_ptr<float>(), weight.data_ptr<float>(), x.data_ptr<float>(), rows, columns);
      return Tensors{y};
    };
  };
  const Work work = {
      .flops = 2.0 * double(n) * double(k), .bytes = 4.0 * double(n * k + n + k), .unit = Work::Unit::gigabytes};
  const Tensor reference = autograd::linear(x.to(autograd::float64), weight.to(autograd::float64));
  Table table(fmt::format("few-rows: one row, x [1, {}] times W^T, W [{}, {}], float32", k, n, k), work, {reference},
              {.ulp = double(k) / 2 + 1}, options);
  table.version("textbook", run(matrix_vector_textbook));
  table.version("in vectors, one sum", run(vectors().one_sum));
  table.version("four rows of W at a time", run(vectors().four_sums));
  table.version("shipped: autograd::linear", [&] { return Tensors{autograd::linear(x, weight)}; });
  return table.all_right();
}

// The same weights, more and more rows: at some point arithmetic takes over.
bool more_rows(const Tensor& weight, const Options& options) {
  const int64_t n = weight.size(0), k = weight.size(1);
  const Tensor exact_weight = weight.to(autograd::float64);
  Table table("few-rows: shipped, 2 to 64 rows", {}, {}, {.ulp = double(k) / 2 + 1}, options);
  for (const int64_t rows : {2, 4, 8, 16, 32, 64}) {
    const Tensor x = uniform({rows, k}, 0, 1);
    const Work work = {.flops = 2.0 * double(rows) * double(n) * double(k),
                       .bytes = 4.0 * double(n * k + rows * (n + k))};
    table.now(work, {autograd::linear(x.to(autograd::float64), exact_weight)});
    table.version(fmt::format("{} rows: {:.2f} operations a byte", rows, work.flops / work.bytes),
                  [&] { return Tensors{autograd::linear(x, weight)}; });
  }
  return table.all_right();
}

}  // namespace

bool few_rows(const Options& options) {
  const Tensor weight = uniform({options.size[0], options.size[1]}, 0, 1);
  const bool one_is_right = one_row(weight, options);
  fmt::print("\n");
  return more_rows(weight, options) && one_is_right;
}

}  // namespace fast_kernels
