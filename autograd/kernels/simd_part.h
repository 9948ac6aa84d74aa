// Private to the simd_*.cpp files: loads and stores of the first few elements of a vector, in one instruction where the
// processor has masks. The elements after these are neither read nor written.
#pragma once

#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace autograd::kernels {

// For a vector of `bytes` bytes: a Mask says which elements; first(count) is the first `count`, or all if there are
// fewer. Isa is a parameter so that every file has its own copy, as of all vector loops.
template <class Isa, class T, int bytes> struct PartOf { static constexpr bool has_masks = false; };

#if defined(__AVX512F__)

template <class Isa> struct PartOf<Isa, float, 64> {
  static constexpr bool has_masks = true;
  using Mask = __mmask16;
  static Mask first(std::int64_t count) { return Mask(count >= 16 ? 0xffff : (1u << count) - 1); }
  static __m512 load(const float* x, Mask mask) { return _mm512_maskz_loadu_ps(mask, x); }
  static void store(float* y, __m512 v, Mask mask) { _mm512_mask_storeu_ps(y, mask, v); }
};

template <class Isa> struct PartOf<Isa, double, 64> {
  static constexpr bool has_masks = true;
  using Mask = __mmask8;
  static Mask first(std::int64_t count) { return Mask(count >= 8 ? 0xff : (1u << count) - 1); }
  static __m512d load(const double* x, Mask mask) { return _mm512_maskz_loadu_pd(mask, x); }
  static void store(double* y, __m512d v, Mask mask) { _mm512_mask_storeu_pd(y, mask, v); }
};

#elif defined(__AVX2__)

template <class Isa> struct PartOf<Isa, float, 32> {
  static constexpr bool has_masks = true;
  using Mask = __m256i;
  static Mask first(std::int64_t count) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(int(count < 8 ? count : 8)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  }
  static __m256 load(const float* x, Mask mask) { return _mm256_maskload_ps(x, mask); }
  static void store(float* y, __m256 v, Mask mask) { _mm256_maskstore_ps(y, mask, v); }
};

template <class Isa> struct PartOf<Isa, double, 32> {
  static constexpr bool has_masks = true;
  using Mask = __m256i;
  static Mask first(std::int64_t count) {
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(count), _mm256_setr_epi64x(0, 1, 2, 3));
  }
  static __m256d load(const double* x, Mask mask) { return _mm256_maskload_pd(x, mask); }
  static void store(double* y, __m256d v, Mask mask) { _mm256_maskstore_pd(y, mask, v); }
};

#endif

}  // namespace autograd::kernels
