// Softmax, its logarithm, and the masked one.
#include <algorithm>
#include <cmath>
#include <limits>

#include "autograd/kernels/kernels.h"

namespace autograd::kernels {
namespace {

template <class T>
T max_of_lane(const T* x, int64_t n, int64_t stride) {
  T peak = -std::numeric_limits<T>::infinity();
  for (int64_t j = 0; j < n; ++j) {
    const T value = x[j * stride];
    if (value > peak || value != value) peak = value;
    if (peak != peak) return peak;
  }
  return peak;
}

template <class T>
void softmax_lane(T* y, const T* x, int64_t n, int64_t stride) {
  const T peak = max_of_lane(x, n, stride);
  double total = 0;
  for (int64_t j = 0; j < n; ++j) total += y[j * stride] = std::exp(x[j * stride] - peak);
  const T scale = T(1 / total);
  for (int64_t j = 0; j < n; ++j) y[j * stride] *= scale;
}

template <class T>
void log_softmax_lane(T* y, const T* x, int64_t n, int64_t stride) {
  const T peak = max_of_lane(x, n, stride);
  double total = 0;
  for (int64_t j = 0; j < n; ++j) total += std::exp(x[j * stride] - peak);
  const T log_total = T(std::log(total));
  for (int64_t j = 0; j < n; ++j) y[j * stride] = (x[j * stride] - peak) - log_total;
}

}  // namespace

template <class T>
void softmax(T* y, const T* x, int64_t outer, int64_t n, int64_t inner) {
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < inner; ++i) softmax_lane(y + o * n * inner + i, x + o * n * inner + i, n, inner);
  }
}

template <class T>
void log_softmax(T* y, const T* x, int64_t outer, int64_t n, int64_t inner) {
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < inner; ++i)
      log_softmax_lane(y + o * n * inner + i, x + o * n * inner + i, n, inner);
  }
}

template <class T>
void masked_softmax(T* y, const T* x, const bool* mask, int64_t rows, int64_t n) {
  for (int64_t row = 0; row < rows; ++row, y += n, x += n, mask += n) {
    for (int64_t i = 0; i < n; ++i) y[i] = mask[i] ? x[i] : -std::numeric_limits<T>::infinity();
    softmax_lane(y, y, n, 1);
    for (int64_t i = 0; i < n; ++i) y[i] = mask[i] ? y[i] : T(0);
  }
}

#define INSTANTIATE(T)                                                              \
  template void softmax(T*, const T*, int64_t outer, int64_t n, int64_t inner);     \
  template void log_softmax(T*, const T*, int64_t outer, int64_t n, int64_t inner); \
  template void masked_softmax(T*, const T*, const bool* mask, int64_t rows, int64_t n);
INSTANTIATE(float)
INSTANTIATE(double)

}  // namespace autograd::kernels
