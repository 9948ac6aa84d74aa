// Softmax, its logarithm, the masked one, and the cross entropy. One lane (what lies along n) at a time.
#include <cmath>
#include <limits>

#include "autograd/kernels/kernels.h"
#include "autograd/kernels/lane.h"
#include "autograd/kernels/simd.h"
#include "autograd/kernels/walk.h"

namespace autograd::kernels {
namespace {

// If all elements are masked, softmax gives NaN, which the second map replaces.
template <class T> void masked_softmax_lane(T* y, const T* x, const bool* mask, int64_t n) {
  const auto choose = [](unsigned char keep, T value, T other) { return keep != 0 ? value : other; };
  map(y, n, choose, as_bytes(mask), x, Repeated<T>{-std::numeric_limits<T>::infinity()});
  simd<T>().softmax(y, y, n);
  map(y, n, choose, as_bytes(mask), static_cast<const T*>(y), Repeated<T>{0});
}

}  // namespace

template <class T> void softmax(T* y, const T* x, int64_t outer, int64_t n, int64_t inner) {
  map_lanes(y, x, outer, n, inner, simd<T>().softmax);
}

template <class T> void log_softmax(T* y, const T* x, int64_t outer, int64_t n, int64_t inner) {
  map_lanes(y, x, outer, n, inner, simd<T>().log_softmax);
}

template <class T> void masked_softmax(T* y, const T* x, const bool* mask, int64_t rows, int64_t n) {
  for_each_lane(rows, n, [&](int64_t row) { masked_softmax_lane(y + row * n, x + row * n, mask + row * n, n); });
}

template <class T> void softmax_backward(T* dx, const T* dy, const T* y, int64_t rows, int64_t n) {
  const auto times = [](T a, T b) { return a * b; };
  for_each_lane(rows, n, [&](int64_t row) {
    T* dlane = dx + row * n;
    map(dlane, n, times, y + row * n, dy + row * n);
    const T weighted_mean = T(simd<T>().sum(dlane, n));
    const auto slope = [weighted_mean](T a, T d) { return a * (d - weighted_mean); };
    map(dlane, n, slope, y + row * n, dy + row * n);
  });
}

template <class T>
void cross_entropy(T* loss, T* peak, T* log_total, const T* x, const int64_t* target, int64_t rows, int64_t n) {
  for_each_lane(rows, n, [&](int64_t row) {
    const T* lane = x + row * n;
    peak[row] = simd<T>().max(lane, n);
    log_total[row] = T(std::log(simd<T>().exp_sum(nullptr, lane, peak[row], n)));
    loss[row] = -((lane[target[row]] - peak[row]) - log_total[row]);
  });
}

template <class T>
void cross_entropy_shared(T* shared, const T* x, const T* peak, const T* log_total, const T* share, int64_t rows,
                          int64_t n) {
  for_each_lane(rows, n, [&](int64_t row) {
    shared[row] = T(-simd<T>().weighted_sum(x + row * n, share, peak[row], log_total[row], n));
  });
}

template <class T>
void cross_entropy_backward(T* dx, const T* dall, const T* dtarget, Smoothing<T> smoothing, const T* x, const T* peak,
                            const T* log_total, const int64_t* target, int64_t rows, int64_t n) {
  for_each_lane(rows, n, [&](int64_t row) {
    T* dlane = dx + row * n;
    if (target[row] < 0) {  // ignored: neither the scores nor the gradient count, whatever they are
      for (int64_t i = 0; i < n; ++i) dlane[i] = 0;
      return;
    }
    simd<T>().scaled_exp(dlane, x + row * n, peak[row], log_total[row], dall[row], n);
    if (smoothing.share) simd<T>().subtract_scaled(dlane, smoothing.share, smoothing.dshare[row], n);
    dlane[target[row]] -= dtarget[row];
  });
}

#define INSTANTIATE(T)                                                                                     \
  template void softmax(T*, const T*, int64_t outer, int64_t n, int64_t inner);                            \
  template void log_softmax(T*, const T*, int64_t outer, int64_t n, int64_t inner);                        \
  template void masked_softmax(T*, const T*, const bool* mask, int64_t rows, int64_t n);                   \
  template void softmax_backward(T*, const T*, const T*, int64_t rows, int64_t n);                         \
  template void cross_entropy(T*, T*, T*, const T*, const int64_t*, int64_t rows, int64_t n);              \
  template void cross_entropy_shared(T*, const T*, const T*, const T*, const T*, int64_t rows, int64_t n); \
  template void cross_entropy_backward(T*, const T*, const T*, Smoothing<T>, const T*, const T*, const T*, \
                                       const int64_t*, int64_t rows, int64_t n);
INSTANTIATE(float)
INSTANTIATE(double)

}  // namespace autograd::kernels
