// Reductions of x [outer, n, inner] along n.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>
#include <vector>

#include "autograd/kernels/kernels.h"
#include "autograd/kernels/lane.h"
#include "autograd/kernels/simd.h"
#include "autograd/kernels/walk.h"
#include "autograd/kernels/wrapping.h"

namespace autograd::kernels {
namespace {

constexpr int64_t pairwise_block = 32;  // rows that are added up one after the other
constexpr int64_t strip = 128;          // columns that are summed side by side

// sum[i] = f(x[0, i]) + f(x[1, i]) + ... for i < width, where rows lie `stride` apart. Halves are summed separately,
// which keeps the rounding error at O(log rows). (Sums of floats are kept in double anyway.)
template <class T, class F>
void sum_columns(double* sum, const T* x, int64_t rows, int64_t stride, int64_t width, F f) {
  if (rows > pairwise_block) {
    const int64_t half = rows / 2;
    double second[strip];
    sum_columns(sum, x, half, stride, width, f);
    sum_columns(second, x + half * stride, rows - half, stride, width, f);
    for (int64_t i = 0; i < width; ++i) sum[i] += second[i];
    return;
  }
  for (int64_t i = 0; i < width; ++i) sum[i] = 0;
  for (; rows >= 4; rows -= 4, x += 4 * stride) {
    const T *x1 = x + stride, *x2 = x + 2 * stride, *x3 = x + 3 * stride;
    for (int64_t i = 0; i < width; ++i) {
      sum[i] += (f(double(x[i])) + f(double(x1[i]))) + (f(double(x2[i])) + f(double(x3[i])));
    }
  }
  for (; rows > 0; --rows, x += stride) {
    for (int64_t i = 0; i < width; ++i) sum[i] += f(double(x[i]));
  }
}

// The columns of all strips: finish(column, sum) for each.
template <class T, class F, class Finish>
void sum_strips(const T* x, int64_t n, int64_t inner, F f, const Finish& finish) {
  const int64_t strips = (inner + strip - 1) / strip;
  for_each_lane(strips, n * strip, [&](int64_t s) {
    const int64_t i = s * strip;
    const int64_t width = std::min(strip, inner - i);
    double total[strip];
    sum_columns(total, x + i, n, inner, width, f);
    for (int64_t j = 0; j < width; ++j) finish(i + j, total[j]);
  });
}

// ---- sums of squares ---------------------------------------------------------------------------------------

// sum(x^2) = total * scale^2. The scale is 1, unless squares leave the range of a double.
struct Squares {
  double total;
  double scale = 1;
};

// One lane, whose squares add up to `total`, if that is right.
template <class T> Squares checked_squares(double total, const T* x, int64_t n, int64_t stride) {
  using Limits = std::numeric_limits<double>;
  const bool in_range = total >= Limits::min() / Limits::epsilon() && total <= Limits::max();
  if (std::is_same_v<T, float> || in_range || std::isnan(total)) return {total};
  double largest = 0;
  for (int64_t j = 0; j < n; ++j) largest = std::max(largest, std::abs(double(x[j * stride])));
  if (largest == 0 || std::isinf(largest)) return {largest};
  total = 0;
  for (int64_t j = 0; j < n; ++j) {
    const double part = double(x[j * stride]) / largest;
    total += part * part;
  }
  return {total, largest};
}

// y[lane] = finish(squares of the lane)
template <class T, class Finish>
void reduce_squares(T* y, const T* x, int64_t outer, int64_t n, int64_t inner, const Finish& finish) {
  if (inner == 1) {
    for_each_lane(outer, n, [&](int64_t o) {
      const T* lane = x + o * n;
      y[o] = finish(checked_squares(sum_of_squares(lane, n), lane, n, 1));
    });
    return;
  }
  const auto square = [](double v) { return v * v; };
  for (int64_t o = 0; o < outer; ++o, x += n * inner, y += inner) {
    sum_strips(x, n, inner, square,
               [&](int64_t i, double total) { y[i] = finish(checked_squares(total, x + i, n, inner)); });
  }
}

// ---- positions ---------------------------------------------------------------------------------------------

// A NaN wins against every number, and nothing wins against a NaN.
constexpr auto is_larger = [](auto a, auto b) { return (a > b) | ((a != a) & (b == b)); };

// Finds the largest number in vectors, block by block, and then its position in the first block that has it.
template <class T> int64_t position_of_largest(const T* x, int64_t n) {
  constexpr int64_t block = 512;
  T largest = -std::numeric_limits<T>::infinity();
  int64_t position = 0;
  for (int64_t begin = 0; begin < n; begin += block) {
    const T here = simd<T>().max(x + begin, std::min(block, n - begin));
    if (!is_larger(here, largest)) continue;
    largest = here;
    position = begin;
  }
  const bool is_nan = largest != largest;
  for (int64_t j = position; j < n; ++j) {
    if (is_nan ? x[j] != x[j] : x[j] == largest) return j;
  }
  return 0;
}

template <class T> T largest(const T* x, int64_t n) {
  if constexpr (std::is_floating_point_v<T>) {
    return simd<T>().max(x, n);
  } else {
    return *std::max_element(x, x + n);
  }
}

template <class T> T logsumexp_lane(const T* x, int64_t n) {
  const T peak = simd<T>().max(x, n);
  if (!std::isfinite(peak)) return peak;
  return peak + T(std::log(simd<T>().exp_sum(nullptr, x, peak, n)));
}

}  // namespace

template <class T> void sum(T* y, const T* x, int64_t outer, int64_t n, int64_t inner) {
  if (inner == 1) {
    for_each_lane(outer, n, [&](int64_t o) { y[o] = T(simd<T>().sum(x + o * n, n)); });
    return;
  }
  const auto plain = [](double v) { return v; };
  for (int64_t o = 0; o < outer; ++o, x += n * inner, y += inner) {
    sum_strips(x, n, inner, plain, [&](int64_t i, double total) { y[i] = T(total); });
  }
}

template <class T> double sum_of_squares(const T* x, int64_t n) {
  // The blocks and the order of their additions are the same for any number of threads.
  constexpr int64_t block = 1 << 16;
  if (n <= block) return simd<T>().sum_of_squares(x, n);
  const int64_t blocks = (n + block - 1) / block;
  std::vector<double> totals(std::size_t(blocks), 0.0);
  for_each_lane(blocks, block, [&](int64_t b) {
    const int64_t begin = b * block;
    totals[std::size_t(b)] = simd<T>().sum_of_squares(x + begin, std::min(block, n - begin));
  });
  return std::accumulate(totals.begin(), totals.end(), 0.0);
}

template <class T> void mean_square(T* y, const T* x, int64_t outer, int64_t n, int64_t inner, double divisor) {
  reduce_squares(y, x, outer, n, inner,
                 [divisor](Squares all) { return T(all.total / divisor * all.scale * all.scale); });
}

template <class T>
void root_mean_square(T* y, const T* x, int64_t outer, int64_t n, int64_t inner, double divisor, double eps) {
  reduce_squares(y, x, outer, n, inner, [divisor, eps](Squares all) {
    const double mean = all.total / divisor;
    return T(all.scale == 1 ? std::sqrt(mean + eps) : std::hypot(all.scale * std::sqrt(mean), std::sqrt(eps)));
  });
}

template <class T> void max(T* y, const T* x, int64_t outer, int64_t n, int64_t inner) {
  const auto larger = [](T a, T b) { return is_larger(b, a) ? b : a; };
  for (int64_t o = 0; o < outer; ++o, x += n * inner, y += inner) {
    if (inner == 1) {
      *y = largest(x, n);
      continue;
    }
    std::copy_n(x, inner, y);
    for (int64_t j = 1; j < n; ++j) map(y, inner, larger, static_cast<const T*>(y), x + j * inner);
  }
}

template <class T> void argmax(int64_t* y, const T* x, int64_t outer, int64_t n, int64_t inner) {
  if constexpr (std::is_floating_point_v<T>) {
    if (inner == 1) {
      for_each_lane(outer, n, [&](int64_t o) { y[o] = position_of_largest(x + o * n, n); });
      return;
    }
  }
  for (int64_t o = 0; o < outer; ++o, x += n * inner) {
    for (int64_t i = 0; i < inner; ++i) {
      int64_t best = 0;
      for (int64_t j = 1; j < n; ++j) {
        if (is_larger(x[j * inner + i], x[best * inner + i])) best = j;
      }
      *y++ = best;
    }
  }
}

template <class T> void logsumexp(T* y, const T* x, int64_t outer, int64_t n, int64_t inner) {
  for (int64_t o = 0; o < outer; ++o, x += n * inner) {
    for (int64_t i = 0; i < inner; ++i) *y++ = logsumexp_lane(contiguous_lane(x + i, n, inner), n);
  }
}

template <class T> void cumsum(T* y, const T* x, int64_t outer, int64_t n, int64_t inner) {
  for (int64_t o = 0; o < outer; ++o, x += n * inner, y += n * inner) {
    for (int64_t i = 0; i < inner; ++i) {
      std::conditional_t<std::is_integral_v<T>, T, double> total = 0;
      for (int64_t j = 0; j < n; ++j) {
        total = plus<decltype(total)>(total, x[j * inner + i]);
        y[j * inner + i] = T(total);
      }
    }
  }
}

int64_t count_true(const bool* x, int64_t n) {
  return std::count(x, x + n, true);
}

void sum_integers(int64_t* y, const int64_t* x, int64_t outer, int64_t n, int64_t inner) {
  const auto add = [](int64_t a, int64_t b) { return plus(a, b); };
  for (int64_t o = 0; o < outer; ++o, y += inner) {
    std::fill_n(y, inner, 0);
    for (int64_t j = 0; j < n; ++j, x += inner) map(y, inner, add, static_cast<const int64_t*>(y), x);
  }
}

template void argmax(int64_t*, const int64_t*, int64_t outer, int64_t n, int64_t inner);
template void cumsum(int64_t*, const int64_t*, int64_t outer, int64_t n, int64_t inner);
template void max(int64_t*, const int64_t*, int64_t outer, int64_t n, int64_t inner);
template void max(bool*, const bool*, int64_t outer, int64_t n, int64_t inner);

#define INSTANTIATE(T)                                                                                               \
  template void sum(T*, const T*, int64_t outer, int64_t n, int64_t inner);                                          \
  template double sum_of_squares(const T*, int64_t n);                                                               \
  template void mean_square(T*, const T*, int64_t outer, int64_t n, int64_t inner, double divisor);                  \
  template void root_mean_square(T*, const T*, int64_t outer, int64_t n, int64_t inner, double divisor, double eps); \
  template void max(T*, const T*, int64_t outer, int64_t n, int64_t inner);                                          \
  template void argmax(int64_t*, const T*, int64_t outer, int64_t n, int64_t inner);                                 \
  template void logsumexp(T*, const T*, int64_t outer, int64_t n, int64_t inner);                                    \
  template void cumsum(T*, const T*, int64_t outer, int64_t n, int64_t inner);
INSTANTIATE(float)
INSTANTIATE(double)

}  // namespace autograd::kernels
