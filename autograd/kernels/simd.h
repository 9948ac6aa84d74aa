// Private to the kernels: the loops that gain most from a processor's wide vectors.
//
// They are written once, in simd_math.h and simd_gemm.h, and compiled three times with different compiler options:
// simd_baseline.cpp for any processor, simd_avx2.cpp and simd_avx512.cpp for newer x86 ones. simd.cpp finds out, once,
// which of the three this machine can run.
#pragma once

#include <cstdint>

namespace autograd::kernels {

using std::int64_t;

// A matrix as gemm sees it: element (i, j) is data[i * row_stride + j * column_stride]. To transpose it, swap its
// strides. Functions take it by reference, because a copy of what was just written takes longer than a tiny product.
template <class T> struct Matrix {
  const T* data;
  int64_t row_stride;
  int64_t column_stride;
};

// The rows that a product is added to, `stride` apart. With a stride of 0, all are the same row; without data, all are
// 0.
template <class T> struct Rows {
  const T* data = nullptr;
  int64_t stride = 0;

  const T* at(int64_t row, int64_t column) const { return data ? data + row * stride + column : nullptr; }
  Rows from(int64_t row, int64_t column) const { return {at(row, column), stride}; }
};

template <class T> struct AdamRates;

template <class T> struct Simd {
  const char* name;  // "baseline", "avx2" or "avx512"

  // y[i] = a[i * a_stride] + b[i * b_stride], and so on; y may be a or b. With a stride of 0 one number is repeated.
  void (*add)(T* y, const T* a, int64_t a_stride, const T* b, int64_t b_stride, int64_t n);
  void (*sub)(T* y, const T* a, int64_t a_stride, const T* b, int64_t b_stride, int64_t n);
  void (*mul)(T* y, const T* a, int64_t a_stride, const T* b, int64_t b_stride, int64_t n);
  void (*div)(T* y, const T* a, int64_t a_stride, const T* b, int64_t b_stride, int64_t n);

  // y[i] = f(x[i]); y may be x.
  void (*exp)(T* y, const T* x, int64_t n);
  void (*tanh)(T* y, const T* x, int64_t n);
  void (*sigmoid)(T* y, const T* x, int64_t n);

  // The largest of x; -inf when there is none; NaN if any is NaN.
  T (*max)(const T* x, int64_t n);

  // y[i] = exp(x[i] - shift), and returns their sum. With y == nullptr just the sum. No x[i] is above shift; what is
  // smaller than any normal number is 0.
  double (*exp_sum)(T* y, const T* x, T shift, int64_t n);

  // One row of kernels::softmax and so on; y may be x.
  void (*softmax)(T* y, const T* x, int64_t n);
  void (*log_softmax)(T* y, const T* x, int64_t n);

  // y[i] = factor * exp((x[i] - shift) - second_shift)
  void (*scaled_exp)(T* y, const T* x, T shift, T second_shift, T factor, int64_t n);

  // The sum of weight[i] * ((x[i] - shift) - second_shift).
  double (*weighted_sum)(const T* x, const T* weight, T shift, T second_shift, int64_t n);

  // y[i] -= factor * x[i], where the product is rounded first.
  void (*subtract_scaled)(T* y, const T* x, T factor, int64_t n);

  double (*sum)(const T* x, int64_t n);
  double (*sum_of_squares)(const T* x, int64_t n);
  void (*adam_step)(T* parameter, const T* gradient, T* exp_avg, T* exp_avg_sq, const AdamRates<T>& rates, int64_t n);

  // kernels::additive_score and its derivative for one sentence.
  void (*additive_score)(T* y, const T* query, const T* keys, const T* v, int64_t queries, int64_t source, int64_t n);
  void (*additive_score_backward)(T* dquery, T* dkeys, T* dv, const T* dy, const T* query, const T* keys, const T* v,
                                  int64_t queries, int64_t source, int64_t n);

  // C[m,n] = start[m,n] + A[m,k] * B[k,n], as kernels::gemm; m, n and k are at least 1. start may be C itself.
  void (*gemm)(int64_t m, int64_t n, int64_t k, const Matrix<T>& a, const Matrix<T>& b, T* c, int64_t ldc,
               const Rows<T>& start);

  // The same for a B that was packed before; see kernels::pack. Columns of C may be computed one part at a time: those
  // from column j on need `packed + j * k`, for every j that is a multiple of packed_columns.
  int64_t packed_columns;
  int64_t (*packed_size)(int64_t n, int64_t k);
  void (*pack)(T* packed, int64_t n, int64_t k, const Matrix<T>& b);
  void (*gemm_packed)(int64_t m, int64_t n, int64_t k, const Matrix<T>& a, const T* packed, T* c, int64_t ldc,
                      const Rows<T>& start);
};

// The best one for this machine, chosen before anything else of the program runs, because a question at every call
// would cost more than a few additions.
struct Chosen {
  const Simd<float>* of_float32;
  const Simd<double>* of_float64;
};
extern Chosen chosen;
template <class T> const Simd<T>& simd();
template <> inline const Simd<float>& simd() {
  return *chosen.of_float32;
}
template <> inline const Simd<double>& simd() {
  return *chosen.of_float64;
}

// Each of the three, or nullptr if the compiler or the processor does not support it. The tests run all of them.
template <class T> const Simd<T>* simd_baseline();
template <class T> const Simd<T>* simd_avx2();
template <class T> const Simd<T>* simd_avx512();

// Memory for gemm's packed blocks: at least `bytes`, aligned to a cache line, one per thread, kept for the next call.
void* scratch(int64_t bytes);

}  // namespace autograd::kernels
