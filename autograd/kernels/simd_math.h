// exp, tanh and sigmoid on whole vectors, and the loops that carry them over arrays.
//
// Everything is built on  exp(x) = 2^n * (1 + p),  n = round(x / ln 2),  r = x - n ln 2,  p = exp(r) - 1,  where |r| is
// at most ln 2 / 2, p is a short polynomial in r, and 2^n is made by writing n into the exponent bits. No tables, no
// branches: all lanes do the same. The ends of an array go through the same formulas as its middle, so no result
// depends on its position.
//
// The number of multiplications, floating-point comparisons and divisions limits these loops: only two of a processor's
// four vector units do them, and a division keeps its unit busy ten times as long. Additions and integer operations go
// to the other units and cost nothing here.
//
// Largest error found, in units in the last place (float: all 2^32 values, by tests/autograd/kernels/all_floats.cpp;
// double: 10 million):
//             exp    tanh   sigmoid
//   float     1.10   1.38   1.77
//   double    1.13   1.40   1.86
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "autograd/kernels/independent_steps.h"
#include "autograd/kernels/kernels.h"

namespace autograd::kernels {

// The constants of a floating-point type. tests/autograd/kernels/minimax.py computes the coefficients.
template <class T> struct FloatFormat;

template <> struct FloatFormat<float> {
  using Bits = uint32_t;
  static constexpr int mantissa_bits = 23;
  static constexpr int exponent_bias = 127;
  static constexpr float exp_zero = -105;      // exp of anything below is 0
  static constexpr float exp_normal = -87.3f;  // exp of anything below is smaller than a normal number
  static constexpr float sigmoid_one = 20;     // sigmoid of anything above is 1
  static constexpr float ln2 = 0x1.62e43p-1f;
  static constexpr float ln2_high = 0x1.62e4p-1f;                // so few bits that n * ln2_high is exact,
  static constexpr float ln2_low = 1.42860676533018704507e-06f;  // and the rest of ln 2
  // (exp(r) - 1 - r) / r^2, a polynomial in r where |r| <= ln 2 / 2
  static constexpr float exp_series[] = {0.5f, 0.166665763f, 0.0416665561f, 0.00836317893f, 0.0013926184f};
  // (tanh(x) - x) / x^3, a polynomial in x^2 where |x| <= 0.55
  static constexpr float tanh_series[] = {-0.333333313f, 0.133331135f, -0.0539094284f, 0.0213093888f, -0.00661022775f};
};

template <> struct FloatFormat<double> {
  using Bits = uint64_t;
  static constexpr int mantissa_bits = 52;
  static constexpr int exponent_bias = 1023;
  static constexpr double exp_zero = -746;
  static constexpr double exp_normal = -708.3;
  static constexpr double sigmoid_one = 40;
  static constexpr double ln2 = 0x1.62e42fefa39efp-1;
  static constexpr double ln2_high = 6.93147180369123816490e-01;
  static constexpr double ln2_low = 1.90821492927058770002e-10;
  static constexpr double exp_series[] = {0.50000000000000011,    0.16666666666666669,    0.041666666666624129,
                                          0.0083333333333300615,  0.0013888888917213717,  0.00019841269863053618,
                                          2.4801521295954376e-05, 2.7557268459997064e-06, 2.7620088445409746e-07,
                                          2.510038549551032e-08};
  static constexpr double tanh_series[] = {-0.33333333333333331,   0.13333333333332714,    -0.053968253967434016,
                                           0.021869488493666944,   -0.0088632343978143555, 0.0035921103786890241,
                                           -0.0014556618301007161, 0.00058893605200740573, -0.0002346347410887237,
                                           8.5113136855776721e-05, -2.060276537636634e-05};
};

// `Isa` says how wide the vectors are. Each .cpp file has its own, so that templates made from it stay in that file:
// the linker must never use the AVX-512 copy of a function for all.
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

  static Vector lane_numbers() {  // 0, 1, 2, ...
    Vector numbers = {};
    for (int i = 0; i < lanes; ++i) numbers[i] = T(i);
    return numbers;
  }

  // All lanes combined into one: f(f(first half, second half)...), down to the single elements.
  template <class F> static T fold(Vector v, F f) {
    if constexpr (!is_narrowest) {
      constexpr auto half = std::make_integer_sequence<int, lanes / 2>();
      return VectorMath<Half<Isa>, T>::fold(f(part<0>(v, half), part<lanes / 2>(v, half)), f);
    } else {
      T all = v[0];
      for (int64_t i = 1; i < lanes; ++i) all = f(all, T(v[i]));
      return all;
    }
  }
  template <int begin, int... i> static auto part(Vector v, std::integer_sequence<int, i...>) {
    return __builtin_shufflevector(v, v, (begin + i)...);
  }
  static T sum(Vector v) {
    return fold(v, [](auto a, auto b) { return a + b; });
  }

  // Rounds a product before it is added. The compiler would use an instruction that multiplies and adds without
  // rounding in between; the empty asm hides from it where v comes from.
  static Vector rounded(Vector v) {
#if defined(__AVX512F__)
    asm("" : "+v"(v));
#elif defined(__x86_64__)
    asm("" : "+x"(v));
#elif !defined(__wasm__)  // which has no such instruction
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

  // The same for positive numbers, whose bits are in the same order as whole numbers; a NaN becomes the limit.
  static Vector positive_at_most(Vector x, T limit) {
    const BitVector bits = to_bits(x);
    const BitVector limit_bits = to_bits(broadcast(limit));
    const BitVector smaller = bits < limit_bits ? bits : limit_bits;  // one instruction, if alone in its statement
    return from_bits(smaller);
  }

  template <std::size_t terms> static Vector polynomial(const T (&coefficients)[terms], Vector x) {
    Vector sum = broadcast(coefficients[terms - 1]);
    for (std::size_t i = terms - 1; i-- > 0;) sum = sum * x + coefficients[i];
    return sum;
  }

  // exp(r) - 1 for |r| <= ln 2 / 2. For any larger r it is large too.
  static Vector expm1_near_zero(Vector r) {
    return r * r * polynomial(Format::exp_series, r) + r;
  }

  // Adding a number this large rounds to an integer: the digits after the point leave the mantissa, and the integer is
  // in its lowest bits.
  static constexpr T to_integer = T(Bits(3) << (Format::mantissa_bits - 1));
  static constexpr T inverse_ln2 = T(1.44269504088896340736);

  // The same with the exponent's bias, so that a shift makes 2^n out of  n + to_power:  the lowest bits move into the
  // exponent, and all others out.
  static constexpr T to_power = to_integer + Format::exponent_bias;
  static Vector power_of_two(Vector n_and_to_power) {
    return from_bits(to_bits(n_and_to_power) << Format::mantissa_bits);
  }

  static Vector exp(Vector x) {
    const auto is_zero = x < Format::exp_zero;
    // n plus twice the bias, in the lowest bits. Beyond the limit, the result is infinite anyway.
    constexpr T shift = to_integer + 2 * Format::exponent_bias;
    const Vector shifted = positive_at_most(x * inverse_ln2 + shift, shift + (Format::exponent_bias + 2));
    const Vector n = shifted - shift;
    const Vector r = (x - n * Format::ln2_high) - n * Format::ln2_low;
    // 2^n itself may be too large or too small for a number, so it is made of two factors: the exponent of the first is
    // half of n + 2 * bias, that of the second is the rest.
    const BitVector exponent = to_bits(shifted) << Format::mantissa_bits;
    const BitVector half = (exponent >> 1) & exponent_mask;
    const Vector first = from_bits(half);
    const Vector second = from_bits(exponent - half);
    const Vector y = (expm1_near_zero(r) * first + first) * second;
    return is_zero ? Vector{} : y;
  }
  static constexpr Bits exponent_mask = sign_bit - (Bits(1) << Format::mantissa_bits);

  // exp for the terms of a softmax, which are at most 1. A result below all normal numbers is 0, so that 2^n fits into
  // one factor.
  static Vector exp_at_most_one(Vector x) {
    const auto is_zero = x < Format::exp_normal;
    const Vector shifted = x * inverse_ln2 + to_power;
    const Vector n = shifted - to_power;
    const Vector r = (x - n * Format::ln2_high) - n * Format::ln2_low;
    const Vector power = power_of_two(shifted);
    return is_zero ? Vector{} : expm1_near_zero(r) * power + power;
  }

  // 1 - 2 / (exp(2x) + 1) for x > 0, and a polynomial near 0, where that loses digits.
  static Vector tanh(Vector x) {
    const Vector size = abs(x);
    const Vector square = size * size;
    const Vector near_zero = size * square * polynomial(Format::tanh_series, square) + size;
    // Beyond this limit of n the result is 1 anyway.
    constexpr T limit = to_power + (Format::mantissa_bits + 4);
    const Vector shifted = positive_at_most(size * (2 * inverse_ln2) + to_power, limit);
    const Vector r = (size + size) - (shifted - to_power) * Format::ln2;
    const Vector power = power_of_two(shifted);
    const Vector denominator = expm1_near_zero(r) * power + (power + T(1));
    const Vector far = T(1) - T(2) / denominator;
    const auto is_near_zero = to_bits(size) < to_bits(broadcast(T(0.55)));
    return copy_sign(is_near_zero ? near_zero : far, x);
  }

  // 1 / (1 + exp(-x))
  static Vector sigmoid(Vector x) {
    const Vector limited = at_most(x, Format::sigmoid_one);
    // Beyond the limit, the result is 0 anyway.
    constexpr T limit = to_power + (Format::exponent_bias + Format::mantissa_bits + 3);
    const Vector shifted = positive_at_most(to_power - limited * inverse_ln2, limit);
    const Vector n = shifted - to_power;
    const Vector r = -(limited + n * Format::ln2_high) - n * Format::ln2_low;
    // 2^n up to the largest power of two. The rest of n, if any, divides the result, which is very small then.
    const Vector most = positive_at_most(shifted, to_power + (Format::exponent_bias - 1));
    const Vector power = power_of_two(most);
    const Vector rest = power_of_two((most - shifted) + to_power);
    const Vector sum = power + T(1);
    const Vector sum_low = (power - sum) + T(1);  // the rounding error of sum
    const Vector denominator = (expm1_near_zero(r) * power + sum_low) + sum;
    return T(1) / denominator * rest;
  }
};

// Eight numbers as doubles, in as many vectors as they need, so that sums are the same for all widths.
template <class Isa, class T> struct Eight {
  // g++ 12 converts four floats in one instruction, but no eight.
  using Math = VectorMath<std::conditional_t<(Isa::vector_bytes > 32), Half<Isa>, Isa>, double>;
  typedef T Part __attribute__((vector_size(Math::lanes * sizeof(T))));
  static constexpr int64_t parts = 8 / Math::lanes;
  typename Math::Vector part[parts] = {};

  Eight() = default;
  explicit Eight(const T* x) {
    for (int64_t i = 0; i < parts; ++i) {
      Part numbers;
      __builtin_memcpy(&numbers, x + i * Math::lanes, sizeof numbers);
      part[i] = __builtin_convertvector(numbers, typename Math::Vector);
    }
  }
  Eight& operator+=(const Eight& other) {
    for (int64_t i = 0; i < parts; ++i) part[i] += other.part[i];
    return *this;
  }
  friend Eight operator+(Eight a, const Eight& b) { return a += b; }
  void store(double* y) const {
    for (int64_t i = 0; i < parts; ++i) Math::store(y + i * Math::lanes, part[i]);
  }

  // What is summed: the numbers, or their squares.
  struct Plain {
    template <class V> const V& operator()(const V& v) const { return v; }
  };
  struct Square {
    Eight operator()(Eight v) const {
      for (auto& part : v.part) part = Math::rounded(part * part);
      return v;
    }
    double operator()(double x) const { return Math::rounded(typename Math::Vector{x} * x)[0]; }
  };
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

  // Plain loops, which the compiler vectorises. The first three cases are nearly all of the work.
  template <class F>
  static void map_strided(T* y, const T* a, int64_t a_stride, const T* b, int64_t b_stride, int64_t n, F f) {
    if (a_stride == 1 && b_stride == 1) {
      BACKSTEP_INDEPENDENT_STEPS
      for (int64_t i = 0; i < n; ++i) y[i] = f(a[i], b[i]);
    } else if (a_stride == 1 && b_stride == 0) {
      const T number = *b;
      BACKSTEP_INDEPENDENT_STEPS
      for (int64_t i = 0; i < n; ++i) y[i] = f(a[i], number);
    } else if (a_stride == 0 && b_stride == 1) {
      const T number = *a;
      BACKSTEP_INDEPENDENT_STEPS
      for (int64_t i = 0; i < n; ++i) y[i] = f(number, b[i]);
    } else {
      for (int64_t i = 0; i < n; ++i) y[i] = f(a[i * a_stride], b[i * b_stride]);
    }
  }
  static void add(T* y, const T* a, int64_t a_stride, const T* b, int64_t b_stride, int64_t n) {
    map_strided(y, a, a_stride, b, b_stride, n, [](T p, T q) { return p + q; });
  }
  static void sub(T* y, const T* a, int64_t a_stride, const T* b, int64_t b_stride, int64_t n) {
    map_strided(y, a, a_stride, b, b_stride, n, [](T p, T q) { return p - q; });
  }
  static void mul(T* y, const T* a, int64_t a_stride, const T* b, int64_t b_stride, int64_t n) {
    map_strided(y, a, a_stride, b, b_stride, n, [](T p, T q) { return p * q; });
  }
  static void div(T* y, const T* a, int64_t a_stride, const T* b, int64_t b_stride, int64_t n) {
    map_strided(y, a, a_stride, b, b_stride, n, [](T p, T q) { return p / q; });
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

  static void scaled_exp(T* y, const T* x, T shift, T second_shift, T factor, int64_t n) {
    map(y, x, n, [=](auto math, auto v) { return factor * math.exp((v - shift) - second_shift); });
  }

  // A plain loop: the compiler makes vectors of it, and memory is slower than they are.
  static void adam_step(T* parameter, const T* gradient, T* exp_avg, T* exp_avg_sq, const AdamRates<T>& rates,
                        int64_t n) {
    const AdamRates<T> r = rates;  // a local copy, which the compiler can see is not changed in the loop
    for (int64_t i = 0; i < n; ++i) {
      const T g = r.weight_decay == 0 ? gradient[i] : gradient[i] + r.weight_decay * parameter[i];  // 0 * inf is NaN
      const T m = r.beta1 * exp_avg[i] + r.rest1 * g;
      const T v = r.beta2 * exp_avg_sq[i] + r.rest2 * g * g;
      exp_avg[i] = m;
      exp_avg_sq[i] = v;
      parameter[i] = r.keep * parameter[i] - r.step_size * m / (r.root_scale * square_root(v) + r.eps);
    }
  }

  static T square_root(T x) {
    if constexpr (sizeof(T) == sizeof(float)) return __builtin_sqrtf(x);
    return T(__builtin_sqrt(x));
  }

  // The sum in double. Halves are summed separately, which keeps the rounding error at O(log n).
  static double sum(const T* x, int64_t n) { return sum_of(x, n, typename Eight<Isa, T>::Plain()); }
  // Squares of floats have no error in double, and do not leave its range.
  static double sum_of_squares(const T* x, int64_t n) { return sum_of(x, n, typename Eight<Isa, T>::Square()); }

  template <class F> static double sum_of(const T* x, int64_t n, F f) {
    constexpr int64_t block = 512;
    if (n <= block) return sum_block(x, n, f);
    const int64_t half = (n / 2 + block - 1) / block * block;  // whole blocks
    return sum_of(x, half, f) + sum_of(x + half, n - half, f);
  }

  // Eight sums side by side, whatever the width of the vectors.
  template <class F> static double sum_block(const T* x, int64_t n, F f) {
    using Eight = kernels::Eight<Isa, T>;
    Eight sums;
    for (; n >= 32; n -= 32, x += 32) {
      sums += (f(Eight(x)) + f(Eight(x + 8))) + (f(Eight(x + 16)) + f(Eight(x + 24)));
    }
    for (; n >= 8; n -= 8, x += 8) sums += f(Eight(x));
    double all[8];
    sums.store(all);
    for (int64_t i = 0; i < n; ++i) all[i] += f(double(x[i]));
    return ((all[0] + all[1]) + (all[2] + all[3])) + ((all[4] + all[5]) + (all[6] + all[7]));
  }

  static double weighted_sum(const T* x, const T* weight, T shift, T second_shift, int64_t n) {
    constexpr int64_t block = 512;
    T products[block];
    double total = 0;
    for (int64_t begin = 0; begin < n; begin += block) {
      const int64_t count = n - begin < block ? n - begin : block;
      const auto product = [=](auto, auto v, auto w) { return w * ((v - shift) - second_shift); };
      map(products, x + begin, weight + begin, count, product);
      total += sum(products, count);
    }
    return total;
  }

  static void subtract_scaled(T* y, const T* x, T factor, int64_t n) {
    map(y, y, x, n, [factor](auto math, auto v, auto w) { return v - math.rounded(factor * w); });
  }

  // -infinity if there is none. A NaN wins against everything.
  static T max(const T* x, int64_t n) {
    const auto winner = [](auto a, auto b) { return ((a > b) | (a != a)) ? a : b; };
    if (n >= lanes) {
      Vector bests = Math::load(x + n - lanes);
      auto is_nan = bests != bests;
      for (int64_t i = 0; i < n - lanes; i += lanes) {
        const Vector v = Math::load(x + i);
        bests = v > bests ? v : bests;  // one instruction on x86, but it forgets a NaN
        is_nan |= v != v;
      }
      return Math::fold(is_nan ? Math::broadcast(not_a_number) : bests, winner);
    } else if constexpr (is_narrowest) {
      T best = -infinity;
      for (int64_t i = 0; i < n; ++i) best = winner(x[i], best);
      return best;
    } else {
      return Narrow::max(x, n);
    }
  }

  // Blocks are summed in T, and their sums in double.
  static double exp_sum(T* y, const T* x, T shift, int64_t n) {
    constexpr int64_t block = 512;
    double total = 0;
    for (; n > block; n -= block, x += block, y += y ? block : 0) total += exp_sum_block(y, x, shift, block);
    return total + exp_sum_block(y, x, shift, n);
  }

  // The exponents are all <= 0, one of them is 0, so that nothing overflows and the sum is at least 1.
  static void softmax(T* y, const T* x, int64_t n) {
    const T factor = T(1 / exp_sum(y, x, max(x, n), n));
    map(y, y, n, [factor](auto, auto v) { return v * factor; });
  }

  // y = (x - peak) - log(sum(exp(x - peak)))
  static void log_softmax(T* y, const T* x, int64_t n) {
    const T peak = max(x, n);
    const T log_total = T(__builtin_log(exp_sum(nullptr, x, peak, n)));
    map(y, x, n, [=](auto, auto v) { return (v - peak) - log_total; });
  }

  static T exp_sum_block(T* y, const T* x, T shift, int64_t n) {
    if (n >= lanes) {
      const Vector last = Math::load(x + n - lanes);  // as in map
      Vector sum = {};
      int64_t i = 0;
      for (; i + lanes <= n; i += lanes) {
        const Vector e = Math::exp_at_most_one(Math::load(x + i) - shift);
        if (y) Math::store(y + i, e);
        sum += e;
      }
      if (i == n) return Math::sum(sum);
      const Vector e = Math::exp_at_most_one(last - shift);
      if (y) Math::store(y + n - lanes, e);
      const T summed_before = T(i - (n - lanes));  // lanes that the loop has summed already
      return Math::sum(sum + (Math::lane_numbers() < summed_before ? Vector{} : e));
    } else if constexpr (is_narrowest) {
      const Vector e = Math::exp_at_most_one(Math::load_part(x, n, -infinity) - shift);
      if (y) Math::store_part(y, e, n);
      return Math::sum(e);
    } else {
      return Narrow::exp_sum_block(y, x, shift, n);
    }
  }
};

}  // namespace autograd::kernels
