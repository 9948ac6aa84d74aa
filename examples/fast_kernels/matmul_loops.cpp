// CMakeLists.txt keeps the compiler from making vectors of these loops: so they are what they look like.
#include "examples/fast_kernels/matmul_loops.h"

namespace fast_kernels {

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

void matrix_vector_textbook(float* y, const float* w, const float* x, int64_t n, int64_t k) {
  for (int64_t j = 0; j < n; ++j) {
    float sum = 0;
    for (int64_t p = 0; p < k; ++p) sum += w[j * k + p] * x[p];
    y[j] = sum;
  }
}

}  // namespace fast_kernels
