#include "examples/fast_kernels/vectors.h"

namespace fast_kernels {

extern const Vectors baseline, avx2, avx512;

namespace {
const Vectors* chosen = &baseline;
}

std::vector<const Vectors*> supported_vectors() {
  std::vector<const Vectors*> list = {&baseline};
#ifdef FAST_KERNELS_X86
  const bool has_fma = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (has_fma) list.push_back(&avx2);
  if (has_fma && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq")) {
    list.push_back(&avx512);
  }
#endif
  return list;
}

const Vectors& vectors() {
  return *chosen;
}

void choose_vectors(const Vectors& width) {
  chosen = &width;
}

}  // namespace fast_kernels
