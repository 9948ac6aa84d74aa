// Moving elements to and from positions that are themselves data.
#include <algorithm>

#include "autograd/kernels/kernels.h"
#include "autograd/kernels/walk.h"
#include "autograd/kernels/wrapping.h"

namespace autograd::kernels {

int64_t first_out_of_range(const int64_t* index, int64_t count, int64_t limit) {
  for (int64_t i = 0; i < count; ++i) {
    if (index[i] < 0 || index[i] >= limit) return i;
  }
  return -1;
}

template <class T>
void index_select(T* y, const T* x, const int64_t* index, int64_t outer, int64_t n, int64_t inner, int64_t count) {
  for (int64_t o = 0; o < outer; ++o) {
    const T* block = x + o * n * inner;
    for (int64_t j = 0; j < count; ++j) y = std::copy_n(block + index[j] * inner, inner, y);
  }
}

template <class T>
void index_add(T* y, const T* x, const int64_t* index, int64_t outer, int64_t n, int64_t inner, int64_t count) {
  for (int64_t o = 0; o < outer; ++o) {
    T* block = y + o * n * inner;
    for (int64_t j = 0; j < count; ++j, x += inner) {
      T* target = block + index[j] * inner;
      map(
          target, inner, [](T a, T b) { return plus(a, b); }, static_cast<const T*>(target), x);
    }
  }
}

template <class T> void gather(T* y, const T* x, const int64_t* index, int64_t n_stride, const Walk& walk) {
  for_each_row<1>(walk, [=](const Row<1>& row) {
    const T* x_row = x + row.offset[0];
    for (int64_t i = 0, p = row.position; i < row.length; ++i, ++p)
      y[p] = x_row[i * row.stride[0] + index[p] * n_stride];
  });
}

template <class T> void scatter_add(T* y, const T* x, const int64_t* index, int64_t n_stride, const Walk& walk) {
  for_each_row<1>(walk, [=](const Row<1>& row) {
    T* y_row = y + row.offset[0];
    for (int64_t i = 0, p = row.position; i < row.length; ++i, ++p) {
      T& target = y_row[i * row.stride[0] + index[p] * n_stride];
      target = plus(target, x[p]);
    }
  });
}

#define INSTANTIATE_PICKING(T)                                                                                      \
  template void index_select(T*, const T*, const int64_t*, int64_t outer, int64_t n, int64_t inner, int64_t count); \
  template void gather(T*, const T*, const int64_t*, int64_t n_stride, const Walk&);
INSTANTIATE_PICKING(float)
INSTANTIATE_PICKING(double)
INSTANTIATE_PICKING(int64_t)
INSTANTIATE_PICKING(bool)

#define INSTANTIATE_ADDING(T)                                                                                    \
  template void index_add(T*, const T*, const int64_t*, int64_t outer, int64_t n, int64_t inner, int64_t count); \
  template void scatter_add(T*, const T*, const int64_t*, int64_t n_stride, const Walk&);
INSTANTIATE_ADDING(float)
INSTANTIATE_ADDING(double)
INSTANTIATE_ADDING(int64_t)

}  // namespace autograd::kernels
