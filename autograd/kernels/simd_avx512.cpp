// The vector loops for x86 processors with AVX-512. CMakeLists.txt compiles this file with
// -mavx512f -mavx512vl -mavx512dq -mfma; without these options its table is nullptr.
#include "autograd/kernels/simd_table.h"

namespace autograd::kernels {

#if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512DQ__)

namespace {

struct Avx512 {
  static constexpr const char* name = "avx512";
  static constexpr int vector_bytes = 64;
  static constexpr int tile_rows = 12;  // 12 * 2 sums, 2 of B and 1 of A in 32 registers
};

bool is_supported() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
}

}  // namespace

template <class T> const Simd<T>* simd_avx512() {
  return is_supported() ? &simd_table<Avx512, T> : nullptr;
}

#else

template <class T> const Simd<T>* simd_avx512() {
  return nullptr;
}

#endif

template const Simd<float>* simd_avx512();
template const Simd<double>* simd_avx512();

}  // namespace autograd::kernels
