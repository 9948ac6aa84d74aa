// The vector loops for x86 processors with AVX2 and FMA (2013 and later). CMakeLists.txt compiles this file with
// -mavx2 -mfma; without these options its table is nullptr.
#include "autograd/kernels/simd_table.h"

namespace autograd::kernels {

#if defined(__AVX2__) && defined(__FMA__)

namespace {

struct Avx2 {
  static constexpr const char* name = "avx2";
  static constexpr int vector_bytes = 32;
  static constexpr int tile_rows = 6;  // 6 * 2 sums, 2 of B and 1 of A in 16 registers
};

}  // namespace

template <class T> const Simd<T>* simd_avx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &simd_table<Avx2, T> : nullptr;
}

#else

template <class T> const Simd<T>* simd_avx2() {
  return nullptr;
}

#endif

template const Simd<float>* simd_avx2();
template const Simd<double>* simd_avx2();

}  // namespace autograd::kernels
