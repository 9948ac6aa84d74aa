// The vector loops for any processor: 16 bytes are SSE2 on x86-64 and NEON on ARM.
#include "autograd/kernels/simd_table.h"

namespace autograd::kernels {
namespace {

struct Baseline {
  static constexpr const char* name = "baseline";
  static constexpr int vector_bytes = 16;
  static constexpr int tile_rows = 4;
};

}  // namespace

template <class T> const Simd<T>* simd_baseline() {
  return &simd_table<Baseline, T>;
}

template const Simd<float>* simd_baseline();
template const Simd<double>* simd_baseline();

}  // namespace autograd::kernels
