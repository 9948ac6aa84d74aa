// exp, tanh and sigmoid on whole vectors, and the loops that carry them over arrays.
//
// Everything is built on  exp(x) = 2^n * exp(r),  n = round(x / ln 2),  |r| <= ln 2 / 2,  where exp(r) is a short
// Taylor series and 2^n is made by writing n into the exponent bits. No tables, no branches: all lanes do the same.
// The ends of an array go through the same formulas as its middle, so no result depends on its position.
//
// Largest error found, in units in the last place (float: every 37th of all 2^32 values; double: 3 million):
//             exp    tanh   sigmoid
//   float     1.04   1.98   1.96
//   double    0.99   1.93   1.83
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "autograd/kernels/kernels.h"

namespace autograd::kernels {

// What the formulas need to know about a floating-point type.
template <class T> struct FloatFormat;

template <> struct FloatFormat<float> {
  using Bits = uint32_t;
  static constexpr int mantissa_bits = 23;
  static constexpr int exponent_bias = 127;
  static constexpr float exp_zero = -105;                        // exp of anything below is 0 ...
  static constexpr float exp_infinity = 89;                      // ... and of anything above is inf
  static constexpr float tanh_one = 10;                          // tanh of anything above is 1
  static constexpr float ln2_high = 0x1.62e4p-1f;                // so few bits that n * ln2_high is exact,
  static constexpr float ln2_low = 1.42860676533018704507e-06f;  // and the rest of ln 2
  static constexpr int exp_terms = 7;  // up to r^7 / 7!: the next term is below a tenth of the last place
};

template <> struct FloatFormat<double> {
  using Bits = uint64_t;
  static constexpr int mantissa_bits = 52;
  static constexpr int exponent_bias = 1023;
  static constexpr double exp_zero = -746;
  static constexpr double exp_infinity = 710;
  static constexpr double tanh_one = 20;
  static constexpr double ln2_high = 6.93147180369123816490e-01;
  static constexpr double ln2_low = 1.90821492927058770002e-10;
  static constexpr int exp_terms = 13;
};

template <class T> constexpr auto make_inverse_factorials() {
  std::array<T, FloatFormat<T>::exp_terms + 1> result = {1};
  double factorial = 1;
  for (int i = 1; i <= FloatFormat<T>::exp_terms; ++i) result[i] = T(1 / (factorial *= i));
  return result;
}

// `Isa` says how wide the vectors are. It is a type of one .cpp file only, which keeps everything made from it in that
// file too: the linker must never use one file's AVX-512 copy of a function for all.
template <class Isa> struct Half {
  static constexpr int vector_bytes = Isa::vector_bytes / 2;
  static constexpr int tile_rows = Isa::tile_rows;
};

template <class Isa, class T> struct VectorMath {
  using Format = FloatFormat<T>;
  using Bits = typename Format::Bits;
  typedef T Vector __attribute__((vector_size(Isa::vector_bytes)));
  typedef Bits BitVector __attribute__((vector_size(Isa::vector_bytes)));
  static constexpr int64_t lanes = Isa::vector_bytes / sizeof(T);
  static constexpr bool is_narrowest = Isa::vector_bytes == 16;

  static Vector load(const T* x) {
    Vector v;
    __builtin_memcpy(&v, x, sizeof v);
    return v;
  }
  static void store(T* y, Vector v) { __builtin_memcpy(y, &v, sizeof v); }
  static Vector broadcast(T x) { return x - Vector{}; }

  // The first `count` <= lanes elements of an array, and `rest` in the other lanes.
  static Vector load_part(const T* x, int64_t count, T rest) {
    T buffer[lanes];
    store(buffer, broadcast(rest));
    for (int64_t i = 0; i < count; ++i) buffer[i] = x[i];
    return load(buffer);
  }
  static void store_part(T* y, Vector v, int64_t count) {
    T buffer[lanes];
    store(buffer, v);
    for (int64_t i = 0; i < count; ++i) y[i] = buffer[i];
  }

  // All lanes combined into one: f(f(first half, second half)...), down to the single elements.
  template <class F> static T fold(Vector v, F f) {
    T all[lanes];
    store(all, v);
    if constexpr (!is_narrowest) {
      using HalfMath = VectorMath<Half<Isa>, T>;
      return HalfMath::fold(f(HalfMath::load(all), HalfMath::load(all + lanes / 2)), f);
    } else {
      for (int64_t i = 1; i < lanes; ++i) all[0] = f(all[0], all[i]);
      return all[0];
    }
  }
  static T sum(Vector v) {
    return fold(v, [](auto a, auto b) { return a + b; });
  }

  // v, rounded. Where a processor multiplies and adds in one instruction, the compiler lets it, and a product that goes
  // into a sum is not rounded; the empty instruction hides where v comes from.
  static Vector rounded(Vector v) {
#if defined(__AVX512F__)
    asm("" : "+v"(v));
#elif defined(__x86_64__)
    asm("" : "+x"(v));
#else
    asm("" : "+w"(v));
#endif
    return v;
  }

  static BitVector to_bits(Vector v) {
    return (BitVector)v;
  }
  static Vector from_bits(BitVector b) {
    return (Vector)b;
  }

  static constexpr Bits sign_bit = Bits(1) << (sizeof(T) * 8 - 1);
  static Vector abs(Vector x) {
    return from_bits(to_bits(x) & ~sign_bit);
  }
  static Vector copy_sign(Vector size, Vector sign) {
    return from_bits((to_bits(size) & ~sign_bit) | (to_bits(sign) & sign_bit));
  }

  static Vector at_most(Vector x, T limit) {
    return x > limit ? broadcast(limit) : x;
  }  // a NaN stays

  // Adding a number this large pushes all digits after the point out of the mantissa.
  static constexpr T to_integer = T(Bits(3) << (Format::mantissa_bits - 1));
  static Vector round(Vector x) {
    return (x + to_integer) - to_integer;
  }

  // 2^n for whole numbers in the range of normal exponents. The sum has n + bias in the lowest bits of its mantissa;
  // the shift moves them into the exponent, and everything else out.
  static Vector power_of_two(Vector n) {
    return from_bits(to_bits(n + (to_integer + Format::exponent_bias)) << Format::mantissa_bits);
  }

  struct Reduced {
    Vector n, r, r_low;  // x = n * ln 2 + r + r_low, where r_low is what r lost to rounding
  };
  static Reduced reduce(Vector x) {
    const Vector n = round(x * T(1.44269504088896340736));  // 1 / ln 2
    const Vector high = x - n * Format::ln2_high;
    const Vector r = high - n * Format::ln2_low;
    return {n, r, (high - r) - n * Format::ln2_low};
  }

  // exp(r) - 1 - r = r^2 * (1/2! + r/3! + r^2/4! + ...) for |r| <= ln 2 / 2.
  static constexpr auto inverse_factorial = make_inverse_factorials<T>();
  static Vector exp_tail(Vector r) {
    Vector series = broadcast(inverse_factorial[Format::exp_terms]);
    for (int i = Format::exp_terms - 1; i >= 2; --i) series = series * r + inverse_factorial[i];
    return r * r * series;
  }

  static Vector exp(Vector x) {
    const auto is_zero = x < Format::exp_zero;  // then go through it with exp(0): underflow makes processors slow
    const auto [n, r, r_low] = reduce(is_zero ? Vector{} : at_most(x, Format::exp_infinity));
    const Vector half = round(n * T(0.5));  // 2^n itself may be too large or too small; in two steps it is not
    const Vector y = (exp_tail(r) + r + T(1)) * power_of_two(half) * power_of_two(n - half);
    return is_zero ? Vector{} : y;
  }

  // tanh(-x) = e / (e + 2) where e = exp(-2x) - 1, which loses no digits near 0 and cannot overflow for x > 0.
  // Two sums would cost half a digit each, so what they lose to rounding is kept and put back.
  static Vector tanh(Vector x) {
    const auto [n, r, r_low] = reduce(at_most(abs(x), Format::tanh_one) * T(-2));
    const Vector scale = power_of_two(n);
    const Vector head = r * scale + (scale - T(1));
    const Vector head_low = r * scale - (head - (scale - T(1)));
    const Vector e = head + (head_low + (exp_tail(r) + r_low) * scale);
    const Vector denominator = e + T(2);
    const Vector denominator_low = e - (denominator - T(2));
    const Vector y = e / denominator;  // so that 1 / denominator = (1 - y) / 2
    return copy_sign(y - y * denominator_low * (T(0.5) - T(0.5) * y), x);
  }

  // 1 / (1 + e) where e = exp(-x), or e / (1 + e) where e = exp(x), so that nothing overflows.
  static Vector sigmoid(Vector x) {
    const auto is_negative = x < T(0);
    const Vector e = exp(-abs(x));
    const Vector denominator = e + T(1);
    const Vector denominator_low = e - (denominator - T(1));
    const Vector y = (is_negative ? e : broadcast(1)) / denominator;
    return y - y * denominator_low * (is_negative ? T(1) - y : y);  // as in tanh; the bracket is 1 / denominator
  }
};

// The loops. f is called as f(math, vector), where math.exp and so on are those for that width of vector.
template <class Isa, class T> struct VectorLoops {
  using Math = VectorMath<Isa, T>;
  using Vector = typename Math::Vector;
  using Narrow = VectorLoops<Half<Isa>, T>;
  static constexpr int64_t lanes = Math::lanes;
  static constexpr bool is_narrowest = Math::is_narrowest;
  static constexpr T infinity = std::numeric_limits<T>::infinity();
  static constexpr T not_a_number = std::numeric_limits<T>::quiet_NaN();

  // y[i] = f(x[i])
  template <class F> static void map(T* y, const T* x, int64_t n, F f) {
    if (n >= lanes) {
      // The last vector ends with the array, and so overlaps the one before; it is loaded first as y may be x.
      const Vector last = Math::load(x + n - lanes);
      for (int64_t i = 0; i < n - lanes; i += lanes) Math::store(y + i, f(Math(), Math::load(x + i)));
      Math::store(y + n - lanes, f(Math(), last));
    } else if constexpr (is_narrowest) {
      Math::store_part(y, f(Math(), Math::load_part(x, n, 0)), n);
    } else {
      Narrow::map(y, x, n, f);
    }
  }

  // z[i] = f(x[i], y[i])
  template <class F> static void map(T* z, const T* x, const T* y, int64_t n, F f) {
    if (n >= lanes) {
      const Vector last = f(Math(), Math::load(x + n - lanes), Math::load(y + n - lanes));
      for (int64_t i = 0; i < n - lanes; i += lanes)
        Math::store(z + i, f(Math(), Math::load(x + i), Math::load(y + i)));
      Math::store(z + n - lanes, last);
    } else if constexpr (is_narrowest) {
      Math::store_part(z, f(Math(), Math::load_part(x, n, 0), Math::load_part(y, n, 0)), n);
    } else {
      Narrow::map(z, x, y, n, f);
    }
  }

  static void exp(T* y, const T* x, int64_t n) {
    map(y, x, n, [](auto math, auto v) { return math.exp(v); });
  }
  static void tanh(T* y, const T* x, int64_t n) {
    map(y, x, n, [](auto math, auto v) { return math.tanh(v); });
  }
  static void sigmoid(T* y, const T* x, int64_t n) {
    map(y, x, n, [](auto math, auto v) { return math.sigmoid(v); });
  }

  static void tanh_backward(T* dx, const T* dy, const T* y, int64_t n) {
    map(dx, dy, y, n, [](auto math, auto dy_, auto y_) { return dy_ * (T(1) - math.rounded(y_ * y_)); });
  }
  static void sigmoid_backward(T* dx, const T* dy, const T* y, int64_t n) {
    map(dx, dy, y, n, [](auto, auto dy_, auto y_) { return dy_ * (y_ * (T(1) - y_)); });
  }

  static void scaled_exp(T* y, const T* x, T shift, T second_shift, T factor, int64_t n) {
    map(y, x, n, [=](auto math, auto v) { return factor * math.exp((v - shift) - second_shift); });
  }

  // A plain loop: the compiler makes vectors of it, and memory is slower than they are.
  static void adam_step(T* parameter, const T* gradient, T* exp_avg, T* exp_avg_sq, const AdamRates<T>& rates,
                        int64_t n) {
    const AdamRates<T> r = rates;  // a copy, of which the compiler knows that the loop does not change it
    for (int64_t i = 0; i < n; ++i) {
      const T g = gradient[i] + r.weight_decay * parameter[i];
      const T m = r.beta1 * exp_avg[i] + r.rest1 * g;
      const T v = r.beta2 * exp_avg_sq[i] + r.rest2 * g * g;
      exp_avg[i] = m;
      exp_avg_sq[i] = v;
      parameter[i] -= r.step_size * m / (r.root_scale * square_root(v) + r.eps);
    }
  }

  static T square_root(T x) {
    if constexpr (sizeof(T) == sizeof(float)) return __builtin_sqrtf(x);
    return T(__builtin_sqrt(x));
  }

  static double sum_of_squares(const T* x, int64_t n) {
    constexpr int64_t block = 512;
    double total = 0;
    for (; n >= block; n -= block, x += block) total += sum_of_squares_in_vectors(x, block);
    const int64_t whole = n - n % lanes;
    total += sum_of_squares_in_vectors(x, whole);
    for (int64_t i = whole; i < n; ++i) total += double(x[i]) * double(x[i]);
    return total;
  }

  // n is a multiple of the lanes.
  static T sum_of_squares_in_vectors(const T* x, int64_t n) {
    Vector sum = {};
    for (int64_t i = 0; i < n; i += lanes) {
      const Vector v = Math::load(x + i);
      sum += v * v;
    }
    return Math::sum(sum);
  }

  static T max(const T* x, int64_t n) {
    return select(x, n, -infinity, [](auto a, auto b) { return a > b; });
  }
  static T min(const T* x, int64_t n) {
    return select(x, n, infinity, [](auto a, auto b) { return a < b; });
  }

  // The element of x that wins against all others; `best` if there is none. A NaN wins against everything.
  template <class Wins> static T select(const T* x, int64_t n, T best, Wins wins) {
    const auto winner = [wins](auto a, auto b) { return (wins(a, b) | (a != a)) ? a : b; };
    Vector bests = Math::broadcast(best);
    auto is_nan = bests != bests;
    int64_t i = 0;
    for (; i + lanes <= n; i += lanes) {
      const Vector v = Math::load(x + i);
      bests = wins(v, bests) ? v : bests;  // one instruction on x86, but it forgets a NaN
      is_nan |= v != v;
    }
    best = Math::fold(is_nan ? Math::broadcast(not_a_number) : bests, winner);
    if (i == n) return best;
    if constexpr (is_narrowest) {
      return winner(best, Math::fold(Math::load_part(x + i, n - i, best), winner));
    } else {
      return Narrow::select(x + i, n - i, best, wins);
    }
  }

  // Blocks are summed in T, and their sums in double.
  static double exp_sum(T* y, const T* x, T shift, int64_t n) {
    constexpr int64_t block = 512;
    double total = 0;
    for (; n > block; n -= block, x += block, y += y ? block : 0) total += exp_sum_block(y, x, shift, block);
    return total + exp_sum_block(y, x, shift, n);
  }

  static T exp_sum_block(T* y, const T* x, T shift, int64_t n) {
    Vector sum = {};
    int64_t i = 0;
    for (; i + lanes <= n; i += lanes) {
      const Vector e = Math::exp(Math::load(x + i) - shift);
      if (y) Math::store(y + i, e);
      sum += e;
    }
    T total = Math::sum(sum);
    if (i == n) return total;
    if constexpr (is_narrowest) {
      const Vector e = Math::exp(Math::load_part(x + i, n - i, -infinity) - shift);
      if (y) Math::store_part(y + i, e, n - i);
      return total + Math::sum(e);
    } else {
      return total + Narrow::exp_sum_block(y ? y + i : y, x + i, shift, n - i);
    }
  }
};

}  // namespace autograd::kernels
