// Private to the kernels: work along the middle dim of x [outer, n, inner]. A lane is x[o, 0, i], x[o, 1, i], ...
#pragma once

#include "autograd/kernels/parallel.h"
#include "autograd/kernels/simd.h"

namespace autograd::kernels {

// The lane that starts at x, contiguous: x itself, or a copy that is valid until the next call.
template <class T> const T* contiguous_lane(const T* x, int64_t n, int64_t inner) {
  if (inner == 1) return x;
  T* copy = static_cast<T*>(scratch(n * int64_t(sizeof(T))));
  for (int64_t j = 0; j < n; ++j) copy[j] = x[j * inner];
  return copy;
}

// Calls f(lane) for all lanes of n elements, on several threads if there is enough work.
template <class F> void for_each_lane(int64_t lanes, int64_t n, const F& f) {
  constexpr int64_t elements = int64_t(1) << 14;
  const int64_t grain = n >= elements ? 1 : elements / (n + 1) + 1;
  parallel_for(lanes, grain, [&](int64_t begin, int64_t end) {
    for (int64_t lane = begin; lane < end; ++lane) f(lane);
  });
}

// y's lanes = f(x's lanes), where f(y, x, n) works on contiguous memory and allows y == x.
template <class T, class F> void map_lanes(T* y, const T* x, int64_t outer, int64_t n, int64_t inner, F f) {
  if (inner == 1) {
    for_each_lane(outer, n, [&](int64_t o) { f(y + o * n, x + o * n, n); });
    return;
  }
  for (int64_t o = 0; o < outer; ++o, x += n * inner, y += n * inner) {
    for (int64_t i = 0; i < inner; ++i) {
      T* lane = const_cast<T*>(contiguous_lane(x + i, n, inner));  // a copy may be changed
      f(lane, lane, n);
      for (int64_t j = 0; j < n; ++j) y[j * inner + i] = lane[j];
    }
  }
}

}  // namespace autograd::kernels
