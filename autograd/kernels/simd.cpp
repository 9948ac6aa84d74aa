// Chooses the vector loops for this machine.
#include "autograd/kernels/simd.h"

#include <memory>
#include <new>

namespace autograd::kernels {

template <> const Simd<float>* Chosen<float>::simd = nullptr;
template <> const Simd<double>* Chosen<double>::simd = nullptr;

namespace {

template <class T> void choose() {
  Chosen<T>::simd = simd_baseline<T>();
  for (const Simd<T>* newer : {simd_avx2<T>(), simd_avx512<T>()}) {
    if (newer) Chosen<T>::simd = newer;
  }
}

// 101 runs first, because any later constructor may make tensors with static lifetime.
[[gnu::constructor(101)]] void choose_all() {
#if defined(__x86_64__)
  __builtin_cpu_init();
#endif
  choose<float>();
  choose<double>();
}

}  // namespace

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
