// C = A B, from the textbook to the engine's kernel. CMakeLists.txt keeps the compiler from making vectors of the loops
// in this file: so they are what they look like.
#include <fmt/core.h>

#include <cmath>
#include <thread>

#include "examples/fast_kernels/kernels.h"
#include "examples/fast_kernels/vectors.h"

namespace fast_kernels {
namespace {

// 1. Each element of C: a row of A times a column of B.
void matmul_textbook(const Product& product) {
  const auto& [m, n, k, a, b, c, packed_a, packed_b] = product;
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < k; ++p) sum += a[i * k + p] * b[p * n + j];
      c[i * n + j] = sum;
    }
  }
}

// 2. The same products, but j runs innermost: through a row of B and a row of C.
void matmul_loop_order(const Product& product) {
  const auto& [m, n, k, a, b, c, packed_a, packed_b] = product;
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) c[i * n + j] = 0;
    for (int64_t p = 0; p < k; ++p) {
      for (int64_t j = 0; j < n; ++j) c[i * n + j] += a[i * k + p] * b[p * n + j];
    }
  }
}

int64_t rounded_up(int64_t n, int64_t unit) {
  return (n + unit - 1) / unit * unit;
}

}  // namespace

bool matmul(const Options& options) {
  const int64_t m = options.size[0], n = options.size[1], k = options.size[2];
  const Tensor a = autograd::rand({m, k});
  const Tensor b = autograd::rand({k, n});
  const Tensor c = autograd::zeros({m, n});
  const Tensor packed_a = autograd::zeros({rounded_up(m, vectors().tile_rows) * k});
  const Tensor packed_b = autograd::zeros({rounded_up(n, vectors().tile_columns) * k});
  const Product product = {.m = m,
                           .n = n,
                           .k = k,
                           .a = a.data_ptr<float>(),
                           .b = b.data_ptr<float>(),
                           .c = c.data_ptr<float>(),
                           .packed_a = packed_a.data_ptr<float>(),
                           .packed_b = packed_b.data_ptr<float>()};
  const auto run = [&](void (*multiply)(const Product&)) {
    return [&, multiply] {
      if (options.check) c.fill_(NAN);  // so that nothing stays from the version before
      multiply(product);
      return c;
    };
  };

  // A sum of k products that are all positive: each addition may be wrong by half a unit.
  Table table(fmt::format("matmul: [{}, {}] x [{}, {}], float32", m, k, k, n),
              {.flops = 2.0 * double(m) * double(n) * double(k), .bytes = 4.0 * double(m * k + k * n + m * n)},
              autograd::matmul(a.to(autograd::float64), b.to(autograd::float64)), {.ulp = double(k) / 2 + 1}, options);
  table.version("textbook: i, j, p", run(matmul_textbook));
  table.version("loop order: i, p, j", run(matmul_loop_order));
  table.version("rows in vectors", run(vectors().matmul_rows));
  table.version("a tile of C in registers", run(vectors().matmul_tile));
  table.version("packed", run(vectors().matmul_packed));
  table.version("in blocks", run(vectors().matmul_blocked));

  const Tensor a_stored_transposed = a.t().contiguous().t();
  const Tensor b_stored_transposed = b.t().contiguous().t();
  const auto shipped = [&] { return autograd::matmul(a, b); };
  table.version("shipped: autograd::matmul", shipped);
  table.version("shipped, A is a transpose", [&] { return autograd::matmul(a_stored_transposed, b); });
  table.version("shipped, B is a transpose", [&] { return autograd::matmul(a, b_stored_transposed); });
  if (std::thread::hardware_concurrency() > 1) table.version("shipped, 2 threads", shipped, {}, 2);
  return table.all_right();
}

}  // namespace fast_kernels
