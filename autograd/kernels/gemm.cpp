// Matrix products.
#include <algorithm>

#include "autograd/kernels/kernels.h"
#include "autograd/kernels/parallel.h"
#include "autograd/kernels/simd.h"

namespace autograd::kernels {
namespace {

// From here on (about a tenth of a millisecond) other threads are worth waking. Each part of C has the rows or columns
// of several tiles.
constexpr int64_t parallel_products = int64_t(1) << 22;
constexpr int64_t part_size = 96;

// Whole columns of C, or whole rows if it has more of them: each element is computed by one thread, in the same order
// of additions as ever.
template <class T>
void gemm_in_parts(int64_t m, int64_t n, int64_t k, Matrix<T> a, Matrix<T> b, T* c, int64_t ldc, Rows<T> start) {
  const auto gemm = simd<T>().gemm;
  if (m * n * k < parallel_products) {
    gemm(m, n, k, a, b, c, ldc, start);
  } else if (n >= m) {
    parallel_for(n, part_size, [&](int64_t begin, int64_t end) {
      const Matrix<T> columns{b.data + begin * b.column_stride, b.row_stride, b.column_stride};
      gemm(m, end - begin, k, a, columns, c + begin, ldc, start.from(0, begin));
    });
  } else {
    parallel_for(m, part_size, [&](int64_t begin, int64_t end) {
      const Matrix<T> rows{a.data + begin * a.row_stride, a.row_stride, a.column_stride};
      gemm(end - begin, n, k, rows, b, c + begin * ldc, ldc, start.from(begin, 0));
    });
  }
}

// A stored matrix, or its transpose.
template <class T> Matrix<T> view(bool transposed, const T* data, int64_t leading) {
  return transposed ? Matrix<T>{data, 1, leading} : Matrix<T>{data, leading, 1};
}

}  // namespace

template <class T>
void gemm(bool transpose_a, bool transpose_b, int64_t m, int64_t n, int64_t k, const T* a, int64_t lda, const T* b,
          int64_t ldb, T* c, int64_t ldc, bool accumulate) {
  if (m == 0 || n == 0) return;
  if (k == 0) {
    for (int64_t i = 0; i < m && !accumulate; ++i) fill(c + i * ldc, T(0), n);
    return;
  }
  const Rows<T> start = accumulate ? Rows<T>{c, ldc} : Rows<T>{};
  gemm_in_parts(m, n, k, view(transpose_a, a, lda), view(transpose_b, b, ldb), c, ldc, start);
}

template <class T>
void gemm_plus_row(bool transpose_b, int64_t m, int64_t n, int64_t k, const T* a, int64_t lda, const T* b, int64_t ldb,
                   const T* row, T* c, int64_t ldc) {
  if (k > 0 && n > 1) {
    gemm_in_parts(m, n, k, view(false, a, lda), view(transpose_b, b, ldb), c, ldc, Rows<T>{row, 0});
    return;
  }
  for (int64_t i = 0; i < m; ++i) std::copy_n(row, n, c + i * ldc);
  gemm(false, transpose_b, m, n, k, a, lda, b, ldb, c, ldc, true);
}

template <class T>
void naive_gemm(bool transpose_a, bool transpose_b, int64_t m, int64_t n, int64_t k, const T* a, int64_t lda,
                const T* b, int64_t ldb, T* c, int64_t ldc, bool accumulate) {
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      T sum = 0;
      for (int64_t p = 0; p < k; ++p) {
        const T a_ip = transpose_a ? a[p * lda + i] : a[i * lda + p];
        const T b_pj = transpose_b ? b[j * ldb + p] : b[p * ldb + j];
        sum += a_ip * b_pj;
      }
      c[i * ldc + j] = accumulate ? c[i * ldc + j] + sum : sum;
    }
  }
}

#define INSTANTIATE(T)                                                                                                \
  template void gemm(bool transpose_a, bool transpose_b, int64_t m, int64_t n, int64_t k, const T* a, int64_t lda,    \
                     const T* b, int64_t ldb, T* c, int64_t ldc, bool accumulate);                                    \
  template void gemm_plus_row(bool transpose_b, int64_t m, int64_t n, int64_t k, const T* a, int64_t lda, const T* b, \
                              int64_t ldb, const T* row, T* c, int64_t ldc);                                          \
  template void naive_gemm(bool transpose_a, bool transpose_b, int64_t m, int64_t n, int64_t k, const T* a,           \
                           int64_t lda, const T* b, int64_t ldb, T* c, int64_t ldc, bool accumulate);
INSTANTIATE(float)
INSTANTIATE(double)

}  // namespace autograd::kernels
