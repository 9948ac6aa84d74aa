#include "examples/fast_kernels/vectors.h"

#include <vector>

namespace fast_kernels {

namespace baseline {
extern const Vectors all;
}
namespace avx2 {
extern const Vectors all;
}
namespace avx512 {
extern const Vectors all;
}

namespace {

// The widest last.
std::vector<const Vectors*> supported() {
  std::vector<const Vectors*> list = {&baseline::all};
#ifdef FAST_KERNELS_X86
  const bool has_fma = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (has_fma) list.push_back(&avx2::all);
  if (has_fma && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq")) {
    list.push_back(&avx512::all);
  }
#endif
  return list;
}

const Vectors*& chosen() {
  static const Vectors* best = supported().back();
  return best;
}

}  // namespace

const Vectors& vectors() {
  return *chosen();
}

bool choose_vectors(std::string_view name) {
  for (const Vectors* one : supported()) {
    if (one->name != name) continue;
    chosen() = one;
    return true;
  }
  return false;
}

}  // namespace fast_kernels
