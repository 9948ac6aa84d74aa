// Matrix products: how they are divided among threads. The arithmetic is in simd_gemm.h.
#include <algorithm>

#include "autograd/kernels/kernels.h"
#include "autograd/kernels/parallel.h"
#include "autograd/kernels/simd.h"

namespace autograd::kernels {
namespace {

// From this size on (ten to twenty microseconds), a part is worth another thread, which takes one or two to get going.
constexpr int64_t parallel_products = int64_t(1) << 20;
constexpr int64_t parallel_copies = int64_t(1) << 16;  // the same for packing, in numbers
// The borders between parts are multiples of this: of a tile's rows and columns with any instruction set.
constexpr int64_t part_rows = 12, part_columns = 32;
// Each part packs all of the other factor again, so that there are no more parts than threads. Only if the parts are
// large, there are more: then faster threads do more of them.
constexpr int64_t least_part = 64, large_part = 512;

int64_t count_parts(int64_t n) {
  const int64_t threads = thread_count();
  return std::clamp<int64_t>(n / large_part, std::min(threads, std::max<int64_t>(n / least_part, 1)), 2 * threads);
}

// f(begin, end) for parts of [0, n) that are as equal as their borders allow.
template <class F> void for_parts(int64_t n, int64_t unit, const F& f) {
  const int64_t units = (n + unit - 1) / unit;
  const int64_t parts = count_parts(n);
  const auto start_of = [&](int64_t part) { return std::min(n, units * part / parts * unit); };
  parallel_for(parts, 1, [&](int64_t begin, int64_t end) {
    for (int64_t part = begin; part < end; ++part) f(start_of(part), start_of(part + 1));
  });
}

// Divides C by columns, or by rows if it has more of these. One thread computes an element, in the same order of
// additions as without threads.
//
//   multiply_part(begin_row, rows, begin_column, columns)
template <class F> void for_parts_of_result(int64_t m, int64_t n, int64_t k, const F& multiply_part) {
  if (m * n * k < parallel_products || thread_count() == 1) {
    multiply_part(int64_t(0), m, int64_t(0), n);
  } else if (n >= m) {
    for_parts(n, part_columns, [&](int64_t begin, int64_t end) { multiply_part(int64_t(0), m, begin, end - begin); });
  } else {
    for_parts(m, part_rows, [&](int64_t begin, int64_t end) { multiply_part(begin, end - begin, int64_t(0), n); });
  }
}

template <class T> Matrix<T> part(Matrix<T> matrix, int64_t row, int64_t column) {
  const auto& [data, row_stride, column_stride] = matrix;
  return {data + row * row_stride + column * column_stride, row_stride, column_stride};
}

template <class T>
void gemm_in_parts(int64_t m, int64_t n, int64_t k, const Matrix<T>& a, const Matrix<T>& b, T* c, int64_t ldc,
                   const Rows<T>& start) {
  for_parts_of_result(m, n, k, [&](int64_t i, int64_t rows, int64_t j, int64_t columns) {
    simd<T>().gemm(rows, columns, k, part(a, i, 0), part(b, 0, j), c + i * ldc + j, ldc, start.from(i, j));
  });
}

template <class T>
void gemm_packed_in_parts(int64_t m, int64_t n, int64_t k, const Matrix<T>& a, const T* packed, T* c, int64_t ldc,
                          const Rows<T>& start) {
  for_parts_of_result(m, n, k, [&](int64_t i, int64_t rows, int64_t j, int64_t columns) {
    simd<T>().gemm_packed(rows, columns, k, part(a, i, 0), packed + j * k, c + i * ldc + j, ldc, start.from(i, j));
  });
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

template <class T> int64_t packed_size(int64_t n, int64_t k) {
  return simd<T>().packed_size(n, k);
}

template <class T> void pack(T* packed, bool transpose_b, int64_t n, int64_t k, const T* b, int64_t ldb) {
  const Matrix<T> all = view(transpose_b, b, ldb);
  const auto pack_part = [&](int64_t begin, int64_t end) {
    simd<T>().pack(packed + begin * k, end - begin, k, part(all, 0, begin));
  };
  if (n * k < parallel_copies) return pack_part(int64_t(0), n);
  for_parts(n, part_columns, pack_part);
}

template <class T>
void gemm_packed(int64_t m, int64_t n, int64_t k, const T* a, int64_t lda, const T* packed, T* c, int64_t ldc,
                 bool accumulate) {
  if (m == 0 || n == 0) return;
  if (k == 0) {
    for (int64_t i = 0; i < m && !accumulate; ++i) fill(c + i * ldc, T(0), n);
    return;
  }
  gemm_packed_in_parts(m, n, k, view(false, a, lda), packed, c, ldc, accumulate ? Rows<T>{c, ldc} : Rows<T>{});
}

template <class T>
void gemm_packed_plus_row(int64_t m, int64_t n, int64_t k, const T* a, int64_t lda, const T* packed, const T* row, T* c,
                          int64_t ldc) {
  if (m > 0 && n > 0 && k > 0) {
    gemm_packed_in_parts(m, n, k, view(false, a, lda), packed, c, ldc, Rows<T>{row, 0});
    return;
  }
  for (int64_t i = 0; i < m; ++i) std::copy_n(row, n, c + i * ldc);
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
  template int64_t packed_size<T>(int64_t n, int64_t k);                                                              \
  template void pack(T* packed, bool transpose_b, int64_t n, int64_t k, const T* b, int64_t ldb);                     \
  template void gemm_packed(int64_t m, int64_t n, int64_t k, const T* a, int64_t lda, const T* packed, T* c,          \
                            int64_t ldc, bool accumulate);                                                            \
  template void gemm_packed_plus_row(int64_t m, int64_t n, int64_t k, const T* a, int64_t lda, const T* packed,       \
                                     const T* row, T* c, int64_t ldc);                                                \
  template void naive_gemm(bool transpose_a, bool transpose_b, int64_t m, int64_t n, int64_t k, const T* a,           \
                           int64_t lda, const T* b, int64_t ldb, T* c, int64_t ldc, bool accumulate);
INSTANTIATE(float)
INSTANTIATE(double)

}  // namespace autograd::kernels
