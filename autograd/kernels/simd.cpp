// Chooses the vector loops for this machine.
#include "autograd/kernels/simd.h"

#include <memory>
#include <new>

namespace autograd::kernels {

Chosen chosen;

namespace {

template <class T> const Simd<T>* best() {
  const Simd<T>* best = simd_baseline<T>();
  for (const Simd<T>* newer : {simd_avx2<T>(), simd_avx512<T>()}) {
    if (newer) best = newer;
  }
  return best;
}

// 101 runs first, because any later constructor may make tensors with static lifetime.
[[gnu::constructor(101)]] void choose_all() {
#if defined(__x86_64__)
  __builtin_cpu_init();
#endif
  chosen = {best<float>(), best<double>()};
}

}  // namespace

void* scratch(int64_t bytes) {
  constexpr std::align_val_t cache_line{64};
  struct Free {
    void operator()(void* memory) const { ::operator delete(memory, cache_line); }
  };
  struct Scratch {
    std::unique_ptr<void, Free> memory;
    int64_t size = 0;
  };
  thread_local Scratch own;
  if (own.size < bytes) {
    own.memory.reset(::operator new(std::size_t(bytes), cache_line));
    own.size = bytes;
  }
  return own.memory.get();
}

}  // namespace autograd::kernels
