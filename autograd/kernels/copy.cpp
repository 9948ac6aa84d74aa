// Moving and converting elements, and in-place updates.
#include <algorithm>
#include <limits>
#include <type_traits>

#include "autograd/kernels/kernels.h"
#include "autograd/kernels/simd.h"
#include "autograd/kernels/walk.h"

namespace autograd::kernels {
namespace {

// A float too large for an integer, or NaN, becomes the lowest integer (C++ leaves it undefined; x86 does the
// same).
template <class To, class From> To convert(From x) {
  if constexpr (std::is_same_v<To, bool>) return x != From(0);
  if constexpr (std::is_floating_point_v<From> && std::is_same_v<To, int64_t>) {
    constexpr From limit = From(9223372036854775808.0);  // 2^63
    return x >= -limit && x < limit ? int64_t(x) : std::numeric_limits<int64_t>::min();
  }
  return To(x);
}

// A part of a row of y = x. Most are contiguous or one repeated element.
template <class To, class From> void copy_row_part(To* y, Strided<From> x, int64_t n) {
  if (x.stride == 1) {
    map_part(y, n, convert<To, From>, x.data);
  } else if (x.stride == 0) {
    map_part(y, n, convert<To, From>, Repeated<From>{*x.data});
  } else {
    map_part(y, n, convert<To, From>, x);
  }
}

template <class To, class From> void copy_walk(To* y, const From* x, const Walk& walk) {
  for_each_row<1>(walk, [=](const Row<1>& row) {
    To* y_row = y + row.position;
    const Strided<From> x_row{x + row.offset[0], row.stride[0]};
    parallel_for(row.length, parallel_elements, [=](int64_t begin, int64_t end) {  //
      copy_row_part(y_row + begin, x_row + begin, end - begin);
    });
  });
}

// y[i * stride] = f(y[i * stride], x[i])
template <class T, class F> void update_row(T* y, int64_t stride, const T* x, int64_t n, F f) {
  if (stride == 1) {
    map(y, n, f, static_cast<const T*>(y), x);
  } else {
    for (int64_t i = 0; i < n; ++i) y[i * stride] = f(y[i * stride], x[i]);
  }
}

template <class T, class F> void update_walk(T* y, const T* x, const Walk& walk, F f) {
  for_each_row<1>(walk, [=](const Row<1>& row) {  //
    update_row(y + row.offset[0], row.stride[0], x + row.position, row.length, f);
  });
}

}  // namespace

template <class To, class From> void copy(To* y, const From* x, const Walk& walk) {
  if constexpr (std::is_same_v<From, bool>) {
    copy_walk(y, as_bytes(x), walk);
  } else {
    copy_walk(y, x, walk);
  }
}

template <class T> void copy_into(T* y, const T* x, const Walk& walk) {
  if constexpr (std::is_same_v<T, bool>) {  // the memory at y may not hold a valid bool yet
    update_walk(reinterpret_cast<unsigned char*>(y), as_bytes(x), walk, [](auto, auto b) { return b; });
  } else {
    update_walk(y, x, walk, [](T, T b) { return b; });
  }
}

template <class T> void add_into(T* y, const T* x, const Walk& walk) {
  update_walk(y, x, walk, [](T a, T b) { return a + b; });
}

template <class T> void axpy(T* y, T alpha, const T* x, int64_t n) {
  map(
      y, n, [alpha](T a, T b) { return a + alpha * b; }, static_cast<const T*>(y), x);
}

template <class T> void scale(T* y, T alpha, int64_t n) {
  map(
      y, n, [alpha](T a) { return alpha * a; }, static_cast<const T*>(y));
}

#define INSTANTIATE_COPY(T)                            \
  template void copy(T*, const float*, const Walk&);   \
  template void copy(T*, const double*, const Walk&);  \
  template void copy(T*, const int64_t*, const Walk&); \
  template void copy(T*, const bool*, const Walk&);    \
  template void copy_into(T*, const T*, const Walk&);
INSTANTIATE_COPY(float)
INSTANTIATE_COPY(double)
INSTANTIATE_COPY(int64_t)
INSTANTIATE_COPY(bool)

#define INSTANTIATE_UPDATE(T)                         \
  template void add_into(T*, const T*, const Walk&);  \
  template void axpy(T*, T alpha, const T*, int64_t); \
  template void scale(T*, T alpha, int64_t);
INSTANTIATE_UPDATE(float)
INSTANTIATE_UPDATE(double)

}  // namespace autograd::kernels
