#include <algorithm>
#include <numeric>
#include <type_traits>

#include "autograd/kernels/kernels.h"

namespace autograd::kernels {
namespace {

// a < b, where NaN counts as larger than all numbers.
template <class T> bool is_less(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) return a < b || (b != b && a == a);
  return a < b;
}

}  // namespace

template <class T> void argsort(int64_t* y, const T* x, int64_t count, int64_t n, bool descending) {
  for (int64_t row = 0; row < count; row += n, x += n, y += n) {
    std::iota(y, y + n, int64_t{0});
    std::stable_sort(y, y + n,
                     [&](int64_t a, int64_t b) { return descending ? is_less(x[b], x[a]) : is_less(x[a], x[b]); });
  }
}

template void argsort(int64_t*, const float*, int64_t count, int64_t n, bool descending);
template void argsort(int64_t*, const double*, int64_t count, int64_t n, bool descending);
template void argsort(int64_t*, const int64_t*, int64_t count, int64_t n, bool descending);
template void argsort(int64_t*, const bool*, int64_t count, int64_t n, bool descending);

}  // namespace autograd::kernels
