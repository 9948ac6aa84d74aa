// Which vector loops to use on this machine.
#include "autograd/kernels/simd.h"

#include <memory>
#include <new>

namespace autograd::kernels {
template <class T> const Simd<T>& best_simd() {
  if (const Simd<T>* avx512 = simd_avx512<T>()) return *avx512;
  if (const Simd<T>* avx2 = simd_avx2<T>()) return *avx2;
  return *simd_baseline<T>();
}
template const Simd<float>& best_simd();
template const Simd<double>& best_simd();

void* scratch(int64_t bytes) {
  constexpr std::align_val_t cache_line{64};
  struct Free {
    void operator()(void* memory) const { ::operator delete(memory, cache_line); }
  };
  thread_local std::unique_ptr<void, Free> memory;
  thread_local int64_t size = 0;
  if (size < bytes) {
    memory.reset(::operator new(std::size_t(bytes), cache_line));
    size = bytes;
  }
  return memory.get();
}

}  // namespace autograd::kernels
