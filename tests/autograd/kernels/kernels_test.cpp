// The kernels against the plainest possible reference: std:: functions in higher precision, and one index calculation
// per element.
#include "autograd/kernels/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "autograd/kernels/simd.h"
#include "tests/support/address_sanitizer.h"

namespace kernels_test {

namespace kernels = autograd::kernels;
using kernels::Walk;
using std::int64_t;

template <class T> constexpr T inf = std::numeric_limits<T>::infinity();
template <class T> constexpr T nan = std::numeric_limits<T>::quiet_NaN();

// The type to calculate references in.
template <class T> using Wider = std::conditional_t<std::is_same_v<T, float>, double, long double>;

// std::vector<bool> has no data(), so arrays in these tests live here.
template <class T> struct Array {
  explicit Array(int64_t n, T value = T()) : size(n), memory(new T[std::size_t(n) + 1]) {
    std::fill_n(memory.get(), n, value);
  }
  T* data() { return memory.get(); }
  const T* data() const { return memory.get(); }
  T& operator[](int64_t i) { return memory[std::size_t(i)]; }
  const T& operator[](int64_t i) const { return memory[std::size_t(i)]; }

  int64_t size;
  std::unique_ptr<T[]> memory;
};

std::mt19937_64& generator() {
  static std::mt19937_64 engine(20240607);
  return engine;
}

int64_t random_integer(int64_t low, int64_t high) {
  return std::uniform_int_distribution<int64_t>(low, high)(generator());
}

// Signed numbers; small integers for integer types, so that comparisons meet equal values too.
template <class T> Array<T> random_array(int64_t n, double limit = 2) {
  Array<T> values(n);
  for (int64_t i = 0; i < n; ++i) {
    if constexpr (std::is_floating_point_v<T>) {
      values[i] =
          T(limit * (double(generator()() >> 11) * 0x1p-52 - 1));  // std's own distributions take seconds at -O0
    } else if constexpr (std::is_same_v<T, bool>) {
      values[i] = random_integer(0, 1) == 1;
    } else {
      values[i] = random_integer(-3, 3);
    }
  }
  return values;
}

template <class T> bool same_bits(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0 || (a != a && b != b);
}

// How far `got` is from `want`, in units of the last place of T at `want`.
template <class T> double ulps(T got, Wider<T> want) {
  if (std::isnan(want) || std::isinf(T(want))) return same_bits(got, T(want)) ? 0 : inf<double>;
  if (!std::isfinite(got)) return inf<double>;
  int exponent = 0;
  std::frexp(want, &exponent);
  exponent = std::max(exponent, std::numeric_limits<T>::min_exponent);
  const Wider<T> unit = std::ldexp(Wider<T>(1), exponent - std::numeric_limits<T>::digits);
  return double(std::abs(Wider<T>(got) - want) / unit);
}

template <class T> class KernelsTest : public testing::Test {};
using FloatTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(KernelsTest, FloatTypes);

// The vector loops for each instruction set that this machine has; the kernels use the best one only.
template <class T> std::vector<const kernels::Simd<T>*> all_simd() {
  std::vector<const kernels::Simd<T>*> available;
  for (const auto* simd : {kernels::simd_baseline<T>(), kernels::simd_avx2<T>(), kernels::simd_avx512<T>()}) {
    if (simd != nullptr) available.push_back(simd);
  }
  return available;
}

TEST(Kernels, UseTheBestInstructionSet) {
  EXPECT_EQ(&kernels::simd<float>(), all_simd<float>().back());
  EXPECT_EQ(&kernels::simd<double>(), all_simd<double>().back());
}

// ---- elementwise -----------------------------------------------------------------------------------

template <class T> std::vector<T> special_values() {
  using limits = std::numeric_limits<T>;
  std::vector<T> values = {0,
                           T(1e-30),
                           limits::denorm_min(),
                           limits::min(),
                           limits::epsilon(),
                           T(0.5),
                           1,
                           2,
                           T(3.14159265358979),
                           10,
                           100,
                           1000,
                           T(1e30),
                           limits::max(),
                           inf<T>};
  for (std::size_t i = 0, n = values.size(); i < n; ++i) values.push_back(-values[i]);
  values.push_back(nan<T>);
  return values;
}

// All magnitudes and signs: evenly spaced bit patterns (for double: random ones), more of [-100, 100], and of where one
// formula takes over from another, or the result becomes 0, 1 or inf. (all_floats.cpp goes through all floats.)
template <class T> std::vector<T> wide_sample() {
  std::vector<T> values = special_values<T>();
  if constexpr (std::is_same_v<T, float>) {
    for (uint64_t bits = 0; bits < (uint64_t(1) << 32); bits += 99991)
      values.push_back(std::bit_cast<float>(uint32_t(bits)));
  } else {
    for (int i = 0; i < 20'000; ++i) values.push_back(std::bit_cast<double>(generator()()));
  }
  for (const double limit : {0.1, 1.0, 10.0, 100.0, 1000.0}) {
    const Array<T> more = random_array<T>(50'000, limit);
    values.insert(values.end(), more.data(), more.data() + more.size);
  }
  for (const double place :
       {0.3466, 0.55, 9.01, 16.64, 19.06, 20.0, 36.74, 40.0, 87.34, 88.72, 103.97, 105.0, 708.4, 745.1}) {
    const Array<T> near = random_array<T>(3'000, 1e-3 * place);
    for (int64_t i = 0; i < near.size; ++i) values.push_back((i % 2 == 0 ? T(place) : T(-place)) + near[i]);
  }
  return values;
}

template <class T> struct Elementwise {
  std::string name;
  void (*kernel)(T*, const T*, int64_t);
  Wider<T> (*reference)(Wider<T>);
  double max_ulps;
};

template <class T> std::vector<Elementwise<T>> elementwise_kernels() {
  using W = Wider<T>;
  const auto exp = [](W x) { return std::exp(x); };
  const auto tanh = [](W x) { return std::tanh(x); };
  const auto sigmoid = [](W x) { return 1 / (1 + std::exp(-x)); };
  std::vector<Elementwise<T>> all = {
      {"neg", kernels::neg<T>, [](W x) { return -x; }, 0},
      {"exp", kernels::exp<T>, exp, 1.1},
      {"log", kernels::log<T>, [](W x) { return std::log(x); }, 2},
      {"sqrt", kernels::sqrt<T>, [](W x) { return std::sqrt(x); }, 0.51},
      {"abs", kernels::abs<T>, [](W x) { return std::abs(x); }, 0},
      {"sin", kernels::sin<T>, [](W x) { return std::sin(x); }, 2},
      {"cos", kernels::cos<T>, [](W x) { return std::cos(x); }, 2},
      {"log1p", kernels::log1p<T>, [](W x) { return std::log1p(x); }, 2},
      {"erf", kernels::erf<T>, [](W x) { return std::erf(x); }, 2},
      {"tanh", kernels::tanh<T>, tanh, 1.5},
      {"sigmoid", kernels::sigmoid<T>, sigmoid, 1.9},
      {"relu", kernels::relu<T>, [](W x) { return x < 0 ? 0 : x; }, 0},
      {"sign", kernels::sign<T>, [](W x) { return W((x > 0) - (x < 0)); }, 0},
  };
  for (const kernels::Simd<T>* simd : all_simd<T>()) {
    all.push_back({std::string(simd->name) + " exp", simd->exp, exp, 1.1});
    all.push_back({std::string(simd->name) + " tanh", simd->tanh, tanh, 1.5});
    all.push_back({std::string(simd->name) + " sigmoid", simd->sigmoid, sigmoid, 1.9});
  }
  return all;
}

TYPED_TEST(KernelsTest, ElementwiseAgreesWithTheStandardLibrary) {
  using T = TypeParam;
  const std::vector<T> x = wide_sample<T>();
  const int64_t n = int64_t(x.size());
  Array<T> y(n);
  for (const Elementwise<T>& function : elementwise_kernels<T>()) {
    function.kernel(y.data(), x.data(), n);
    double worst = 0;
    T worst_x = 0;
    for (int64_t i = 0; i < n; ++i) {
      const double error = ulps(y[i], function.reference(x[std::size_t(i)]));
      if (error > worst) worst = error, worst_x = x[std::size_t(i)];
    }
    EXPECT_LE(worst, function.max_ulps) << function.name << "(" << worst_x << ")";
  }
}

TYPED_TEST(KernelsTest, ElementwiseGivesTheSameBitsAtEveryPositionAndInPlace) {
  using T = TypeParam;
  const Array<T> x = random_array<T>(100, 12);
  for (const Elementwise<T>& function : elementwise_kernels<T>()) {
    for (int64_t n = 0; n <= 67; ++n) {
      for (const int64_t start : {0, 1, 13}) {
        Array<T> y(n + 1, T(77));
        function.kernel(y.data(), x.data() + start, n);
        EXPECT_EQ(y[n], T(77)) << function.name << " wrote behind " << n << " elements";
        Array<T> in_place(n);
        std::copy_n(x.data() + start, n, in_place.data());
        function.kernel(in_place.data(), in_place.data(), n);
        for (int64_t i = 0; i < n; ++i) {
          T alone;
          function.kernel(&alone, &x[start + i], 1);
          ASSERT_TRUE(same_bits(y[i], alone)) << function.name << ", element " << i << " of " << n;
          ASSERT_TRUE(same_bits(in_place[i], alone)) << function.name << " in place, element " << i << " of " << n;
        }
      }
    }
  }
}

TYPED_TEST(KernelsTest, SumsAreTheSameForAllInstructionSets) {
  using T = TypeParam;
  for (const int64_t n : {0, 1, 7, 8, 9, 31, 32, 33, 511, 512, 513, 1023, 1025, 5000}) {
    const Array<T> x = random_array<T>(n);
    Wider<T> want = 0;
    for (int64_t i = 0; i < n; ++i) want += x[i];
    const double first = all_simd<T>().front()->sum(x.data(), n);
    EXPECT_NEAR(first, double(want), 1e-13 * double(n + 1));
    for (const kernels::Simd<T>* simd : all_simd<T>())
      EXPECT_EQ(simd->sum(x.data(), n), first) << simd->name << " " << n;
  }
}

// Sums, differences, products and quotients of every instruction set, for rows of every kind and length.
TYPED_TEST(KernelsTest, ArithmeticOfEveryInstructionSet) {
  using T = TypeParam;
  using Loop = void (*)(T*, const T*, int64_t, const T*, int64_t, int64_t);
  struct Op {
    const char* name;
    Loop kernels::Simd<T>::*loop;
    T (*single)(T a, T b);
  };
  const Op ops[] = {{"add", &kernels::Simd<T>::add, [](T a, T b) { return a + b; }},
                    {"sub", &kernels::Simd<T>::sub, [](T a, T b) { return a - b; }},
                    {"mul", &kernels::Simd<T>::mul, [](T a, T b) { return a * b; }},
                    {"div", &kernels::Simd<T>::div, [](T a, T b) { return a / b; }}};
  constexpr int64_t most = 67;
  const Array<T> a = random_array<T>(2 * most), b = random_array<T>(2 * most);
  const int64_t strides[][2] = {{1, 1}, {1, 0}, {0, 1}, {0, 0}, {2, 1}, {1, 2}, {2, 2}};
  for (const kernels::Simd<T>* simd : all_simd<T>()) {
    for (const Op& op : ops) {
      for (const auto& [a_stride, b_stride] : strides) {
        for (int64_t n = 0; n <= most; ++n) {
          Array<T> y(n + 1, T(77)), in_place(n + 1, T(77));
          std::copy_n(a.data(), n, in_place.data());
          (simd->*op.loop)(y.data(), a.data(), a_stride, b.data(), b_stride, n);
          (simd->*op.loop)(in_place.data(), in_place.data(), 1, b.data(), b_stride, n);
          for (int64_t i = 0; i < n; ++i) {
            const std::string what = std::string(simd->name) + " " + op.name + ", element " + std::to_string(i);
            ASSERT_TRUE(same_bits(y[i], op.single(a[i * a_stride], b[i * b_stride]))) << what << " of " << n;
            ASSERT_TRUE(same_bits(in_place[i], op.single(a[i], b[i * b_stride]))) << what << " of " << n << " in place";
          }
          EXPECT_EQ(y[n], T(77));
          EXPECT_EQ(in_place[n], T(77));
        }
      }
    }
  }
}

TYPED_TEST(KernelsTest, ClampKeepsNaNAndBothBounds) {
  using T = TypeParam;
  const T x[] = {-5, -1, 0, 2, 3, inf<T>, -inf<T>, nan<T>};
  const T want[] = {-1, -1, 0, 2, 2, 2, -1, nan<T>};
  T y[8];
  kernels::clamp(y, x, T(-1), T(2), 8);
  for (int i = 0; i < 8; ++i) EXPECT_TRUE(same_bits(y[i], want[i])) << i;
}

TYPED_TEST(KernelsTest, FillAndLogicalNot) {
  using T = TypeParam;
  Array<T> y(21, T(0));
  kernels::fill(y.data(), T(1.5), 20);
  for (int64_t i = 0; i < 20; ++i) EXPECT_EQ(y[i], T(1.5));
  EXPECT_EQ(y[20], T(0));

  const bool given[] = {true, false, true};
  Array<bool> opposite(3);
  kernels::logical_not(opposite.data(), given, 3);
  for (int64_t i = 0; i < 3; ++i) EXPECT_EQ(opposite[i], !given[i]);
}

// Wherever in its blocks of 1024 the one stands.
TYPED_TEST(KernelsTest, AllFiniteFindsTheOneThatIsNot) {
  using T = TypeParam;
  for (const T odd : special_values<T>()) {
    for (const int64_t at : {0, 1, 1022, 1023, 1024, 2100}) {
      std::vector<T> x(2101, std::numeric_limits<T>::max());
      EXPECT_TRUE(kernels::all_finite(x.data(), int64_t(x.size())));
      x[std::size_t(at)] = odd;
      EXPECT_EQ(kernels::all_finite(x.data(), int64_t(x.size())), std::isfinite(odd)) << odd << " at " << at;
    }
  }
  EXPECT_TRUE(kernels::all_finite(static_cast<const T*>(nullptr), 0));
}

// ---- walks -----------------------------------------------------------------------------------------

int64_t element_count(const Walk& walk) {
  return std::accumulate(walk.size, walk.size + walk.dims, int64_t(1), std::multiplies<>());
}

// Where element `position` of the result is found in an input, by division and remainder.
int64_t offset_of(const Walk& walk, int input, int64_t position) {
  int64_t offset = 0;
  for (int dim = walk.dims - 1; dim >= 0; --dim) {
    offset += position % walk.size[dim] * walk.stride[input][dim];
    position /= walk.size[dim];
  }
  return offset;
}

// A walk whose inputs are random views: broadcast, transposed, stepped or contiguous.
Walk random_walk(int dims, int inputs, bool may_repeat = true) {
  Walk walk;
  walk.dims = dims;
  for (int dim = 0; dim < dims; ++dim) walk.size[dim] = random_integer(1, dims <= 2 ? 9 : 4);
  for (int input = 0; input < inputs; ++input) {
    std::vector<int> order;  // of the dims in memory, innermost first
    for (int dim = dims - 1; dim >= 0; --dim) order.push_back(dim);
    if (random_integer(0, 2) == 0) std::shuffle(order.begin(), order.end(), generator());
    int64_t step = random_integer(0, 3) == 0 ? 2 : 1;
    const int64_t repeats = may_repeat ? random_integer(0, 2) : 0;  // 0: none, 1: some dims, 2: all
    for (const int dim : order) {
      const bool repeat = repeats == 2 || (repeats == 1 && random_integer(0, 1) == 0);
      walk.stride[input][dim] = repeat ? 0 : step;
      if (!repeat) step *= walk.size[dim];
    }
  }
  return walk;
}

int64_t extent(const Walk& walk, int input) {
  int64_t last = 0;
  for (int dim = 0; dim < walk.dims; ++dim) last += (walk.size[dim] - 1) * walk.stride[input][dim];
  return last + 1;
}

std::string describe(const Walk& walk, int inputs) {
  std::string text = "size";
  for (int dim = 0; dim < walk.dims; ++dim) text += " " + std::to_string(walk.size[dim]);
  for (int input = 0; input < inputs; ++input) {
    text += ", stride";
    for (int dim = 0; dim < walk.dims; ++dim) text += " " + std::to_string(walk.stride[input][dim]);
  }
  return text;
}

template <class Y, class T>
void check_binary(const char* name, void (*kernel)(Y*, const T*, const T*, const Walk&), Y (*reference)(T, T)) {
  for (int round = 0; round < 200; ++round) {
    const Walk walk = random_walk(round % 9, 2);
    const Array<T> a = random_array<T>(extent(walk, 0)), b = random_array<T>(extent(walk, 1));
    Array<Y> y(element_count(walk));
    kernel(y.data(), a.data(), b.data(), walk);
    for (int64_t i = 0; i < y.size; ++i) {
      const Y want = reference(a[offset_of(walk, 0, i)], b[offset_of(walk, 1, i)]);
      ASSERT_TRUE(same_bits(y[i], want)) << name << ": element " << i << " of " << describe(walk, 2);
    }
  }
}

TYPED_TEST(KernelsTest, BinaryWalksAnyStrides) {
  using T = TypeParam;
  check_binary<T, T>("add", kernels::add<T>, [](T a, T b) { return a + b; });
  check_binary<T, T>("sub", kernels::sub<T>, [](T a, T b) { return a - b; });
  check_binary<T, T>("mul", kernels::mul<T>, [](T a, T b) { return a * b; });
  check_binary<T, T>("div", kernels::div<T>, [](T a, T b) { return a / b; });
  check_binary<T, T>("maximum", kernels::maximum<T>, [](T a, T b) { return std::max(a, b); });
}

template <class T> void check_comparisons() {
  check_binary<bool, T>("equal", kernels::equal<T>, [](T a, T b) { return a == b; });
  check_binary<bool, T>("not_equal", kernels::not_equal<T>, [](T a, T b) { return a != b; });
  check_binary<bool, T>("less", kernels::less<T>, [](T a, T b) { return a < b; });
  check_binary<bool, T>("less_equal", kernels::less_equal<T>, [](T a, T b) { return a <= b; });
}

TEST(Kernels, ComparisonsWalkAnyStrides) {
  check_comparisons<float>();
  check_comparisons<double>();
  check_comparisons<int64_t>();
  check_comparisons<bool>();
}

TEST(Kernels, LogicAndIntegerArithmetic) {
  check_binary<bool, bool>("logical_and", kernels::logical_and, [](bool a, bool b) { return a && b; });
  check_binary<bool, bool>("logical_or", kernels::logical_or, [](bool a, bool b) { return a || b; });
  check_binary<int64_t, int64_t>("add", kernels::add<int64_t>, [](int64_t a, int64_t b) { return a + b; });
  check_binary<int64_t, int64_t>("sub", kernels::sub<int64_t>, [](int64_t a, int64_t b) { return a - b; });
  check_binary<int64_t, int64_t>("mul", kernels::mul<int64_t>, [](int64_t a, int64_t b) { return a * b; });

  const int64_t largest = std::numeric_limits<int64_t>::max(), one = 1;
  int64_t y = 0;
  kernels::add(&y, &largest, &one, Walk{});
  EXPECT_EQ(y, std::numeric_limits<int64_t>::min()) << "integers wrap around";
}

TEST(Kernels, EmptyWalksTouchNothing) {
  for (int dims = 1; dims <= kernels::max_dims; ++dims) {
    for (int empty = 0; empty < dims; ++empty) {
      Walk walk = random_walk(dims, 3);
      walk.size[empty] = 0;
      kernels::add<float>(nullptr, nullptr, nullptr, walk);
      kernels::where<double>(nullptr, nullptr, nullptr, nullptr, walk);
      kernels::copy<float, double>(nullptr, nullptr, walk);
      kernels::add_into<float>(nullptr, nullptr, walk);
      kernels::gather<float>(nullptr, nullptr, nullptr, 1, walk);
      kernels::scatter_add<float>(nullptr, nullptr, nullptr, 1, walk);
    }
  }
}

// Not even the element that a stride of 0 would repeat.
TYPED_TEST(KernelsTest, EmptyRowsTouchNothing) {
  using T = TypeParam;
  for (const int64_t a_stride : {0, 1, 2}) {
    for (const int64_t b_stride : {0, 1, 2}) {
      const Walk walk = {.dims = 1, .size = {0}, .stride = {{a_stride}, {b_stride}, {1}}};
      for (const auto kernel :
           {kernels::add<T>, kernels::sub<T>, kernels::mul<T>, kernels::div<T>, kernels::pow<T>, kernels::maximum<T>}) {
        kernel(nullptr, nullptr, nullptr, walk);
      }
      for (const auto kernel : {kernels::equal<T>, kernels::not_equal<T>, kernels::less<T>, kernels::less_equal<T>}) {
        kernel(nullptr, nullptr, nullptr, walk);
      }
      kernels::logical_and(nullptr, nullptr, nullptr, walk);
      kernels::logical_or(nullptr, nullptr, nullptr, walk);
      kernels::where<T>(nullptr, nullptr, nullptr, nullptr, walk);
      kernels::copy<T, T>(nullptr, nullptr, walk);
    }
  }
}

TYPED_TEST(KernelsTest, WalksGoBackwardsToo) {
  using T = TypeParam;
  const T x[] = {1, 2, 3, 4, 5, 6};
  T y[6];
  kernels::copy(y, x + 5, Walk{.dims = 2, .size = {2, 3}, .stride = {{-3, -1}}});
  for (int i = 0; i < 6; ++i) EXPECT_EQ(y[i], x[5 - i]);
}

TYPED_TEST(KernelsTest, NaNWinsInMaximum) {
  using T = TypeParam;
  const T a[] = {nan<T>, 1, nan<T>, inf<T>, -inf<T>};
  const T b[] = {1, nan<T>, nan<T>, nan<T>, 1};
  T larger[5];
  const Walk walk = {.dims = 1, .size = {5}, .stride = {{1}, {1}}};
  kernels::maximum(larger, a, b, walk);
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(std::isnan(larger[i])) << i;
  EXPECT_EQ(larger[4], T(1));
}

TYPED_TEST(KernelsTest, PowTakesShortcutsForCommonExponents) {
  using T = TypeParam;
  const std::vector<T> x = special_values<T>();
  const int64_t n = int64_t(x.size());
  for (const T exponent : {T(2), T(1), T(0.5), T(-1), T(0), T(3), T(-2.5)}) {
    const Array<T> exponents(n, exponent);
    Array<T> one(n), many(n);
    kernels::pow(one.data(), x.data(), &exponent, Walk{.dims = 1, .size = {n}, .stride = {{1}, {0}}});
    kernels::pow(many.data(), x.data(), exponents.data(), Walk{.dims = 1, .size = {n}, .stride = {{1}, {1}}});
    for (int64_t i = 0; i < n; ++i) {
      const T base = x[std::size_t(i)];
      const T want = exponent == T(2)     ? base * base
                     : exponent == T(1)   ? base
                     : exponent == T(0.5) ? std::sqrt(base)
                     : exponent == T(-1)  ? 1 / base
                                          : std::pow(base, exponent);
      EXPECT_TRUE(same_bits(one[i], want)) << base << " ^ " << exponent << " is " << one[i];
      EXPECT_TRUE(same_bits(many[i], want)) << base << " ^ " << exponent << " is " << many[i];
    }
  }
  const T base[] = {2, 3, 4, 5}, exponent[] = {2, -1, 3, 0.5};
  T y[4];
  kernels::pow(y, base, exponent, Walk{.dims = 1, .size = {4}, .stride = {{1}, {1}}});
  EXPECT_EQ(y[0], T(4));
  EXPECT_EQ(y[1], 1 / T(3));
  EXPECT_EQ(y[2], T(64));
  EXPECT_EQ(y[3], std::sqrt(T(5)));
}

template <class T> void check_where() {
  for (int round = 0; round < 200; ++round) {
    const Walk walk = random_walk(round % 9, 3);
    const Array<bool> condition = random_array<bool>(extent(walk, 0));
    const Array<T> a = random_array<T>(extent(walk, 1)), b = random_array<T>(extent(walk, 2));
    Array<T> y(element_count(walk));
    kernels::where(y.data(), condition.data(), a.data(), b.data(), walk);
    for (int64_t i = 0; i < y.size; ++i) {
      const T want = condition[offset_of(walk, 0, i)] ? a[offset_of(walk, 1, i)] : b[offset_of(walk, 2, i)];
      ASSERT_TRUE(same_bits(y[i], want)) << "element " << i << " of " << describe(walk, 3);
    }
  }
}

TEST(Kernels, WhereWalksAnyStrides) {
  check_where<float>();
  check_where<double>();
  check_where<int64_t>();
  check_where<bool>();
}

// ---- copy ------------------------------------------------------------------------------------------

template <class To, class From> void check_copy() {
  for (int round = 0; round < 100; ++round) {
    const Walk walk = random_walk(round % 9, 1);
    const Array<From> x = random_array<From>(extent(walk, 0));
    Array<To> y(element_count(walk));
    kernels::copy(y.data(), x.data(), walk);
    for (int64_t i = 0; i < y.size; ++i) {
      ASSERT_EQ(y[i], To(x[offset_of(walk, 0, i)])) << "element " << i << " of " << describe(walk, 1);
    }
  }
}

template <class To> void check_copy_from_all() {
  check_copy<To, float>();
  check_copy<To, double>();
  check_copy<To, int64_t>();
  check_copy<To, bool>();
}

TEST(Kernels, CopyConvertsBetweenAllTypes) {
  check_copy_from_all<float>();
  check_copy_from_all<double>();
  check_copy_from_all<int64_t>();
  check_copy_from_all<bool>();
}

TYPED_TEST(KernelsTest, CopyToIntegersIsDefinedForEveryFloat) {
  using T = TypeParam;
  const int64_t lowest = std::numeric_limits<int64_t>::min();
  const T x[] = {T(-2.75), T(2.75), T(1e30), -inf<T>, nan<T>, T(-9223372036854775808.0)};
  const int64_t want[] = {-2, 2, lowest, lowest, lowest, lowest};
  int64_t y[6];
  kernels::copy(y, x, Walk{.dims = 1, .size = {6}, .stride = {{1}}});
  for (int i = 0; i < 6; ++i) EXPECT_EQ(y[i], want[i]) << x[i];
  bool truth[6];
  kernels::copy(truth, x, Walk{.dims = 1, .size = {6}, .stride = {{1}}});
  for (const bool t : truth) EXPECT_TRUE(t);
}

TYPED_TEST(KernelsTest, CopyIntoAndAddIntoWriteThroughTheWalk) {
  using T = TypeParam;
  for (int round = 0; round < 200; ++round) {
    const Walk walk = random_walk(round % 9, 1, /*may_repeat=*/false);
    const Array<T> x = random_array<T>(element_count(walk)), before = random_array<T>(extent(walk, 0));
    Array<T> copied(before.size), added(before.size), want_copied(before.size), want_added(before.size);
    for (Array<T>* y : {&copied, &added, &want_copied, &want_added}) std::copy_n(before.data(), before.size, y->data());
    kernels::copy_into(copied.data(), x.data(), walk);
    kernels::add_into(added.data(), x.data(), walk);
    for (int64_t i = 0; i < x.size; ++i) {
      want_copied[offset_of(walk, 0, i)] = x[i];
      want_added[offset_of(walk, 0, i)] += x[i];
    }
    for (int64_t i = 0; i < before.size; ++i) {
      ASSERT_EQ(copied[i], want_copied[i]) << describe(walk, 1);
      ASSERT_EQ(added[i], want_added[i]) << describe(walk, 1);
    }
  }
}

TYPED_TEST(KernelsTest, InPlaceUpdates) {
  using T = TypeParam;
  for (const int64_t n : {0, 1, 3, 4, 17, 100}) {
    const Array<T> before = random_array<T>(n), a = random_array<T>(n);
    Array<T> y[2] = {Array<T>(n), Array<T>(n)};
    for (Array<T>& each : y) std::copy_n(before.data(), n, each.data());
    kernels::axpy(y[0].data(), T(0.3), a.data(), n);
    kernels::scale(y[1].data(), T(0.3), n);
    for (int64_t i = 0; i < n; ++i) {
      const Wider<T> alpha = T(0.3), old = before[i], p = a[i];
      const T tolerance = 4 * std::numeric_limits<T>::epsilon();
      EXPECT_NEAR(y[0][i], T(old + alpha * p), tolerance * 3);
      EXPECT_NEAR(y[1][i], T(old * alpha), tolerance * 3);
    }
  }
}

// ---- reduce ----------------------------------------------------------------------------------------

struct Sizes {
  int64_t outer, n, inner;
};
const Sizes reduce_sizes[] = {{0, 3, 2}, {2, 3, 0}, {1, 1, 1},   {1, 4, 1},   {3, 7, 1},   {5, 16, 1},   {2, 129, 1},
                              {2, 5, 3}, {4, 2, 2}, {1, 300, 7}, {3, 11, 20}, {1, 1, 200}, {2, 33, 150}, {1, 5000, 1}};

// Calls check(j -> position in x, position in y) for every lane along n.
template <class Check> void for_each_lane(const Sizes& s, Check check) {
  for (int64_t o = 0; o < s.outer; ++o) {
    for (int64_t i = 0; i < s.inner; ++i) {
      check([=](int64_t j) { return (o * s.n + j) * s.inner + i; }, o * s.inner + i);
    }
  }
}

TYPED_TEST(KernelsTest, SumIsAccurateWhateverTheSize) {
  using T = TypeParam;
  for (const Sizes& s : reduce_sizes) {
    Array<T> x = random_array<T>(s.outer * s.n * s.inner), y(s.outer * s.inner);
    for (int64_t i = 0; i < x.size; ++i) x[i] += T(3);  // mostly of one sign, so that ulps of the result mean something
    kernels::sum(y.data(), x.data(), s.outer, s.n, s.inner);
    for_each_lane(s, [&](auto position, int64_t lane) {
      Wider<T> want = 0;
      for (int64_t j = 0; j < s.n; ++j) want += x[position(j)];
      EXPECT_LE(ulps(y[lane], want), 6) << s.outer << " " << s.n << " " << s.inner;
    });
  }
}

TYPED_TEST(KernelsTest, SumOfAMillionTenths) {
  using T = TypeParam;
  const int64_t n = 1'000'003;
  const Array<T> x(n, T(0.1));
  T row = 0, columns[3];
  kernels::sum(&row, x.data(), 1, n, 1);
  EXPECT_LE(ulps(row, Wider<T>(T(0.1)) * n), 4);
  kernels::sum(columns, x.data(), 1, n / 3, 3);
  for (const T column : columns) EXPECT_LE(ulps(column, Wider<T>(T(0.1)) * (n / 3)), 4);
}

TYPED_TEST(KernelsTest, EmptyAndInfiniteSums) {
  using T = TypeParam;
  T y[2] = {5, 5};
  kernels::sum<T>(y, nullptr, 2, 0, 1);
  EXPECT_EQ(y[0], T(0));
  EXPECT_EQ(y[1], T(0));
  const T x[] = {1, inf<T>, 2, 3, 4, 5, 6, 7, 8, 9};
  kernels::sum(y, x, 1, 10, 1);
  EXPECT_EQ(y[0], inf<T>);
  kernels::sum(y, x, 1, 5, 2);
  EXPECT_EQ(y[0], T(21));
  EXPECT_EQ(y[1], inf<T>);
}

template <class T> void check_largest(T (*value)(int64_t)) {
  for (const Sizes& s : reduce_sizes) {
    Array<T> x(s.outer * s.n * s.inner), largest(s.outer * s.inner);
    for (int64_t i = 0; i < x.size; ++i) x[i] = value(i);
    Array<int64_t> first_largest(largest.size);
    kernels::argmax(first_largest.data(), x.data(), s.outer, s.n, s.inner);
    if constexpr (std::is_floating_point_v<T>) {
      kernels::max(largest.data(), x.data(), s.outer, s.n, s.inner);
    }
    for_each_lane(s, [&](auto position, int64_t lane) {
      int64_t high = 0;
      for (int64_t j = 1; j < s.n; ++j) {
        const T now = x[position(j)], best = x[position(high)];
        if (now > best || (now != now && best == best)) high = j;
      }
      EXPECT_EQ(first_largest[lane], high) << s.outer << " " << s.n << " " << s.inner;
      if constexpr (std::is_floating_point_v<T>) {
        EXPECT_TRUE(same_bits(largest[lane], x[position(high)]));
      }
    });
  }
}

TYPED_TEST(KernelsTest, Largest) {
  using T = TypeParam;
  check_largest<T>([](int64_t) { return random_array<T>(1)[0]; });
  check_largest<T>([](int64_t) { return T(random_integer(0, 2)); });  // ties
  check_largest<T>([](int64_t) { return random_integer(0, 9) == 0 ? nan<T> : T(1); });
  check_largest<T>([](int64_t) { return -inf<T>; });
}

TEST(Kernels, LargestInteger) {
  check_largest<int64_t>([](int64_t) { return random_integer(-3, 3); });
}

TYPED_TEST(KernelsTest, LogSumExp) {
  using T = TypeParam;
  for (const Sizes& s : reduce_sizes) {
    for (const T shift : {T(0), T(5000), T(-5000)}) {
      Array<T> x = random_array<T>(s.outer * s.n * s.inner, 5), y(s.outer * s.inner);
      for (int64_t i = 0; i < x.size; ++i) x[i] += shift;
      kernels::logsumexp(y.data(), x.data(), s.outer, s.n, s.inner);
      for_each_lane(s, [&](auto position, int64_t lane) {
        Wider<T> want = 0;
        for (int64_t j = 0; j < s.n; ++j) want += std::exp(Wider<T>(x[position(j)]) - shift);
        want = std::log(want) + shift;
        EXPECT_NEAR(y[lane], T(want), 8 * std::numeric_limits<T>::epsilon() * (1 + std::abs(T(want))));
      });
    }
  }
}

TYPED_TEST(KernelsTest, LogSumExpAtTheEdges) {
  using T = TypeParam;
  T y[2];
  kernels::logsumexp<T>(y, nullptr, 2, 0, 1);
  EXPECT_EQ(y[0], -inf<T>);
  const T x[] = {-inf<T>, -inf<T>, -inf<T>, inf<T>, -inf<T>, 7, nan<T>, 1};
  const T want[] = {-inf<T>, inf<T>, 7, nan<T>};
  T results[4];
  kernels::logsumexp(results, x, 4, 2, 1);
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(same_bits(results[i], want[i])) << i << ": " << results[i];
}

TYPED_TEST(KernelsTest, RowReductionsOfEveryInstructionSet) {
  using T = TypeParam;
  for (const kernels::Simd<T>* simd : all_simd<T>()) {
    EXPECT_EQ(simd->max(nullptr, 0), -inf<T>);
    EXPECT_EQ(simd->exp_sum(nullptr, nullptr, T(0), 0), 0);
    const T below_normal = sizeof(T) == sizeof(float) ? T(-90) : T(-720);
    T weights[3];
    const T scores[3] = {0, below_normal, -inf<T>};
    EXPECT_EQ(simd->exp_sum(weights, scores, T(0), 3), 1);
    EXPECT_EQ(weights[1], 0) << "smaller than any normal number";
    EXPECT_EQ(weights[2], 0);
    for (int64_t n = 1; n <= 70; ++n) {
      Array<T> x = random_array<T>(n), y(n + 1, T(77));
      EXPECT_EQ(simd->max(x.data(), n), *std::max_element(x.data(), x.data() + n));
      Wider<T> want = 0;
      for (int64_t i = 0; i < n; ++i) want += std::exp(Wider<T>(x[i]) - 1);
      EXPECT_NEAR(simd->exp_sum(nullptr, x.data(), T(1), n), double(want), 4 * std::numeric_limits<T>::epsilon() * n);
      EXPECT_EQ(simd->exp_sum(y.data(), x.data(), T(1), n), simd->exp_sum(nullptr, x.data(), T(1), n));
      for (int64_t i = 0; i < n; ++i) EXPECT_LE(ulps(y[i], std::exp(Wider<T>(x[i] - 1))), 1.1);
      EXPECT_EQ(y[n], T(77)) << "wrote behind " << n << " elements";
      x[random_integer(0, n - 1)] = nan<T>;
      EXPECT_TRUE(std::isnan(simd->max(x.data(), n))) << simd->name << " " << n;
    }
  }
}

TYPED_TEST(KernelsTest, CumulativeSum) {
  using T = TypeParam;
  for (const Sizes& s : reduce_sizes) {
    const Array<T> x = random_array<T>(s.outer * s.n * s.inner);
    Array<T> y(x.size);
    kernels::cumsum(y.data(), x.data(), s.outer, s.n, s.inner);
    for_each_lane(s, [&](auto position, int64_t) {
      Wider<T> want = 0, sum_of_sizes = 0;
      for (int64_t j = 0; j < s.n; ++j) {
        want += x[position(j)];
        sum_of_sizes += std::abs(x[position(j)]);
        const Wider<T> tolerance = Wider<T>(j + 1) * std::numeric_limits<T>::epsilon() * sum_of_sizes;
        EXPECT_NEAR(y[position(j)], T(want), T(tolerance));
      }
    });
  }
}

// In double: in float32, the last of them would be 100958.
TYPED_TEST(KernelsTest, CumulativeSumOfAMillionTenths) {
  using T = TypeParam;
  Array<T> x(1'000'000), y(x.size);
  std::fill_n(x.data(), x.size, T(0.1));
  kernels::cumsum(y.data(), x.data(), 1, x.size, 1);
  EXPECT_NEAR(double(y[x.size - 1]), 1e6 * double(T(0.1)), 0.01);
}

TEST(Kernels, CountingAndIntegerSums) {
  for (const int64_t n : {0, 1, 7, 64, 1000}) {
    const Array<bool> x = random_array<bool>(n);
    EXPECT_EQ(kernels::count_true(x.data(), n), std::count(x.data(), x.data() + n, true));
  }
  for (const Sizes& s : reduce_sizes) {
    const Array<int64_t> x = random_array<int64_t>(s.outer * s.n * s.inner);
    Array<int64_t> y(s.outer * s.inner, 99);
    kernels::sum_integers(y.data(), x.data(), s.outer, s.n, s.inner);
    for_each_lane(s, [&](auto position, int64_t lane) {
      int64_t want = 0;
      for (int64_t j = 0; j < s.n; ++j) want += x[position(j)];
      EXPECT_EQ(y[lane], want);
    });
  }
}

// ---- softmax ---------------------------------------------------------------------------------------

TYPED_TEST(KernelsTest, SoftmaxAndItsLogarithm) {
  using T = TypeParam;
  const T epsilon = std::numeric_limits<T>::epsilon();
  for (const Sizes& s : reduce_sizes) {
    for (const T shift : {T(0), T(3e4), T(-3e4)}) {
      Array<T> x = random_array<T>(s.outer * s.n * s.inner, 10), y(x.size), log_y(x.size);
      for (int64_t i = 0; i < x.size; ++i) x[i] += shift;
      kernels::softmax(y.data(), x.data(), s.outer, s.n, s.inner);
      kernels::log_softmax(log_y.data(), x.data(), s.outer, s.n, s.inner);
      for_each_lane(s, [&](auto position, int64_t) {
        Wider<T> total = 0;
        for (int64_t j = 0; j < s.n; ++j) total += std::exp(Wider<T>(x[position(j)]) - shift);
        for (int64_t j = 0; j < s.n; ++j) {
          const Wider<T> want = std::exp(Wider<T>(x[position(j)]) - shift) / total;
          EXPECT_NEAR(y[position(j)], T(want), 16 * epsilon * T(want));
          EXPECT_NEAR(log_y[position(j)], T(std::log(want)), 8 * epsilon * (1 + std::abs(T(std::log(want)))));
        }
      });
    }
  }
}

TYPED_TEST(KernelsTest, SoftmaxWorksInPlace) {
  using T = TypeParam;
  for (const Sizes& s : reduce_sizes) {
    const Array<T> x = random_array<T>(s.outer * s.n * s.inner);
    for (const auto kernel : {kernels::softmax<T>, kernels::log_softmax<T>}) {
      Array<T> y(x.size), in_place(x.size);
      std::copy_n(x.data(), x.size, in_place.data());
      kernel(y.data(), x.data(), s.outer, s.n, s.inner);
      kernel(in_place.data(), in_place.data(), s.outer, s.n, s.inner);
      EXPECT_TRUE(std::equal(y.data(), y.data() + y.size, in_place.data()));
    }
  }
}

TYPED_TEST(KernelsTest, SoftmaxOfInfinities) {
  using T = TypeParam;
  for (const int64_t inner : {1, 2}) {
    for (const int64_t n : {3, 40}) {
      Array<T> x(n * inner, T(0.5)), y(x.size), log_y(x.size);
      for (int64_t i = 0; i < inner; ++i) x[1 * inner + i] = -inf<T>;
      kernels::softmax(y.data(), x.data(), 1, n, inner);
      kernels::log_softmax(log_y.data(), x.data(), 1, n, inner);
      for (int64_t i = 0; i < inner; ++i) {
        EXPECT_EQ(y[1 * inner + i], T(0));
        EXPECT_EQ(log_y[1 * inner + i], -inf<T>);
        EXPECT_NEAR(y[i], 1 / T(n - 1), 4 * std::numeric_limits<T>::epsilon());
      }
      std::fill_n(x.data(), x.size, -inf<T>);
      kernels::softmax(y.data(), x.data(), 1, n, inner);
      kernels::log_softmax(log_y.data(), x.data(), 1, n, inner);
      for (int64_t i = 0; i < x.size; ++i) {
        EXPECT_TRUE(std::isnan(y[i])) << "a row of -inf has no softmax";
        EXPECT_TRUE(std::isnan(log_y[i]));
      }
    }
  }
}

TYPED_TEST(KernelsTest, SoftmaxOfHugeAndInvalidValues) {
  using T = TypeParam;
  const T largest = std::numeric_limits<T>::max();
  const T x[] = {largest, -largest, 0, largest};
  T y[4];
  kernels::softmax(y, x, 1, 4, 1);
  EXPECT_EQ(y[0], T(0.5));
  EXPECT_EQ(y[1], T(0));
  EXPECT_EQ(y[2], T(0));
  EXPECT_EQ(y[3], T(0.5));
  const T invalid[] = {1, nan<T>, 2, -inf<T>};
  kernels::softmax(y, invalid, 1, 4, 1);
  for (const T value : y) EXPECT_TRUE(std::isnan(value)) << "a NaN must not vanish";
}

TYPED_TEST(KernelsTest, MaskedSoftmax) {
  using T = TypeParam;
  for (const int64_t n : {1, 3, 16, 37, 600}) {
    const int64_t rows = 5;
    const Array<T> x = random_array<T>(rows * n, 10);
    Array<bool> mask = random_array<bool>(rows * n);
    std::fill_n(mask.data() + n, n, false);
    std::fill_n(mask.data() + 2 * n, n, true);
    Array<T> y(rows * n, T(7));
    kernels::masked_softmax(y.data(), x.data(), mask.data(), rows, n);
    for (int64_t row = 0; row < rows; ++row) {
      Wider<T> total = 0;
      for (int64_t i = row * n; i < (row + 1) * n; ++i) total += mask[i] ? std::exp(Wider<T>(x[i])) : 0;
      for (int64_t i = row * n; i < (row + 1) * n; ++i) {
        const T want = mask[i] ? T(std::exp(Wider<T>(x[i])) / total) : 0;
        EXPECT_NEAR(y[i], want, 16 * std::numeric_limits<T>::epsilon() * want) << "row " << row;
      }
    }
  }
}

TYPED_TEST(KernelsTest, MaskedSoftmaxIgnoresWhatIsMasked) {
  using T = TypeParam;
  const T x[] = {nan<T>, 1, inf<T>, 1, nan<T>, inf<T>, -inf<T>, nan<T>, -inf<T>, -inf<T>, 3, 3};
  const bool mask[] = {false, true, false, true, false, false, false, false, true, true, false, false};
  const T want[] = {0, T(0.5), 0, T(0.5), 0, 0, 0, 0, nan<T>, nan<T>, 0, 0};
  T y[12];
  kernels::masked_softmax(y, x, mask, 3, 4);
  for (int i = 0; i < 12; ++i) EXPECT_TRUE(same_bits(y[i], want[i])) << i << ": " << y[i];
}

// ---- gemm ------------------------------------------------------------------------------------------

// One product with random elements. Behind the rows of all matrices lie `padding` NaNs, which must stay unread and
// unchanged.
template <class T> struct Product {
  bool transpose_a, transpose_b, accumulate;
  int64_t m, n, k, padding;
  int64_t lda = (transpose_a ? m : k) + padding;
  int64_t ldb = (transpose_b ? k : n) + padding;
  int64_t ldc = n + padding;
  Array<T> a = random_matrix(transpose_a ? k : m, lda);
  Array<T> b = random_matrix(transpose_b ? n : k, ldb);
  Array<T> c = random_matrix(m, ldc);

  Array<T> random_matrix(int64_t rows, int64_t ld) const {
    Array<T> matrix = random_array<T>(rows * ld);
    for (int64_t row = 0; row < rows; ++row) std::fill_n(matrix.data() + (row + 1) * ld - padding, padding, nan<T>);
    return matrix;
  }

  // The C that multiply(c) makes, starting from this one; from NaNs if its old contents should not matter.
  template <class Multiply> Array<T> result(Multiply multiply) const {
    Array<T> y(c.size);
    std::copy_n(c.data(), c.size, y.data());
    for (int64_t i = 0; i < m && !accumulate; ++i) std::fill_n(y.data() + i * ldc, n, nan<T>);
    multiply(y.data());
    return y;
  }
  Array<T> naive() const {
    return result([this](T* y) {
      kernels::naive_gemm(transpose_a, transpose_b, m, n, k, a.data(), lda, b.data(), ldb, y, ldc, accumulate);
    });
  }
  Array<T> fast() const {
    return result([this](T* y) {
      kernels::gemm(transpose_a, transpose_b, m, n, k, a.data(), lda, b.data(), ldb, y, ldc, accumulate);
    });
  }
  Array<T> with(const kernels::Simd<T>& simd) const {
    const kernels::Matrix<T> a_view = {a.data(), transpose_a ? 1 : lda, transpose_a ? lda : 1};
    const kernels::Matrix<T> b_view = {b.data(), transpose_b ? 1 : ldb, transpose_b ? ldb : 1};
    return result([&](T* y) {
      const kernels::Rows<T> start = accumulate ? kernels::Rows<T>{y, ldc} : kernels::Rows<T>{};
      simd.gemm(m, n, k, a_view, b_view, y, ldc, start);
    });
  }

  void expect_close(const Array<T>& got, const Array<T>& want, const std::string& name) const {
    const T tolerance = std::numeric_limits<T>::epsilon() * T(4 * k + 16);  // all elements are at most 2
    for (int64_t i = 0; i < m * ldc; ++i) {
      const bool ok = i % ldc < n ? std::abs(got[i] - want[i]) <= tolerance : std::isnan(got[i]);
      if (ok) continue;
      FAIL() << name << ": [" << m << ", " << k << "]" << (transpose_a ? "^T" : "") << " x [" << k << ", " << n << "]"
             << (transpose_b ? "^T" : "") << (accumulate ? " accumulated" : "") << ", padding " << padding
             << ": element " << i / ldc << ", " << i % ldc << " is " << got[i] << " instead of " << want[i];
    }
  }
};

template <class T> void check_gemm(int64_t m, int64_t n, int64_t k) {
  for (int bits = 0; bits < 8 && !testing::Test::HasFatalFailure(); ++bits) {
    const int64_t padding = random_integer(0, 1) * random_integer(1, 40);
    const Product<T> product = {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, m, n, k, padding};
    const Array<T> want = product.naive();
    product.expect_close(product.fast(), want, "gemm");
    if (m * n * k == 0) continue;
    for (const kernels::Simd<T>* simd : all_simd<T>()) product.expect_close(product.with(*simd), want, simd->name);
  }
}

TYPED_TEST(KernelsTest, GemmWithAwkwardSmallShapes) {
  const int64_t sizes[] = {0, 1, 2, 3, 5, 8, 13, 17, 33};
  for (const int64_t m : sizes) {
    for (const int64_t n : sizes) {
      for (const int64_t k : sizes) check_gemm<TypeParam>(m, n, k);
    }
  }
}

TYPED_TEST(KernelsTest, GemmWithEverySizeOfTile) {
  for (int64_t m = 1; m <= 30; ++m) check_gemm<TypeParam>(m, 70 + m, 41);
  for (int64_t n = 1; n <= 70; ++n) check_gemm<TypeParam>(25, n, 40);
}

TYPED_TEST(KernelsTest, GemmAcrossTheBlocks) {
  const int64_t shapes[][3] = {{1, 300, 1000},  {300, 1, 1000}, {65, 257, 513}, {200, 70, 800}, {5, 1100, 300},
                               {300, 1050, 20}, {37, 41, 1201}, {2, 2, 3000},   {700, 3, 5},    {130, 520, 260},
                               {32, 53, 1030},  {96, 100, 41},  {4100, 70, 40}, {70, 120, 600}};
  for (const auto& [m, n, k] : shapes) check_gemm<TypeParam>(m, n, k);
}

// c = a * b + the same row everywhere, also where gemm takes one of its short ways.
TYPED_TEST(KernelsTest, GemmPlusRow) {
  using T = TypeParam;
  const int64_t shapes[][3] = {{0, 3, 2}, {3, 0, 2}, {3, 4, 0},    {1, 1, 1},       {7, 1, 5},
                               {1, 9, 4}, {3, 5, 2}, {30, 70, 41}, {13, 1100, 1100}};
  for (const auto& [m, n, k] : shapes) {
    for (const bool transpose_b : {false, true}) {
      const Array<T> a = random_array<T>(m * k), b = random_array<T>(k * n), row = random_array<T>(n);
      const int64_t ldb = transpose_b ? k : n;
      Array<T> c(m * n), want(m * n);
      for (int64_t i = 0; i < m * n; ++i) want[i] = row[i % n];
      kernels::naive_gemm(false, transpose_b, m, n, k, a.data(), k, b.data(), ldb, want.data(), n, true);
      kernels::gemm_plus_row(transpose_b, m, n, k, a.data(), k, b.data(), ldb, row.data(), c.data(), n);
      const T tolerance = std::numeric_limits<T>::epsilon() * T(4 * k + 16);
      for (int64_t i = 0; i < m * n; ++i) ASSERT_NEAR(c[i], want[i], tolerance) << m << " " << n << " " << k;
    }
  }
}

// A packed B gives the same as B itself; to the bit, where gemm does not take one of its short ways.
template <class T> void check_packed(const Product<T>& product, const kernels::Simd<T>& simd) {
  const int64_t m = product.m, n = product.n, k = product.k, ldb = product.ldb, ldc = product.ldc;
  const kernels::Matrix<T> a_view = {product.a.data(), product.lda, 1};
  const kernels::Matrix<T> b_view = {product.b.data(), product.transpose_b ? 1 : ldb, product.transpose_b ? ldb : 1};
  Array<T> packed(simd.packed_size(n, k) + 1, nan<T>);
  simd.pack(packed.data(), n, k, b_view);
  EXPECT_TRUE(std::isnan(packed[packed.size - 1])) << "wrote behind the packed matrix";
  const Array<T> got = product.result([&](T* y) {
    const kernels::Rows<T> start = product.accumulate ? kernels::Rows<T>{y, ldc} : kernels::Rows<T>{};
    simd.gemm_packed(m, n, k, a_view, packed.data(), y, ldc, start);
  });
  const Array<T> want = product.with(simd);
  product.expect_close(got, want, std::string(simd.name) + " packed");
  const bool is_exact = m > 4 && n > 1;
  for (int64_t i = 0; i < got.size && is_exact; ++i) {
    ASSERT_TRUE(same_bits(got[i], want[i]))
        << simd.name << ": [" << m << ", " << k << "] x [" << k << ", " << n << "], element " << i;
  }
}

TYPED_TEST(KernelsTest, GemmPacked) {
  const int64_t shapes[][3] = {{1, 1, 1},   {2, 5, 3},     {4, 70, 1100},    {5, 33, 9},     {7, 1, 40},  {12, 16, 8},
                               {13, 17, 1}, {37, 100, 41}, {30, 1100, 1100}, {16, 50, 1100}, {96, 99, 41}};
  for (const auto& [m, n, k] : shapes) {
    for (const bool transpose_b : {false, true}) {
      for (const bool accumulate : {false, true}) {
        const Product<TypeParam> product = {false, transpose_b, accumulate, m, n, k, random_integer(0, 1) * 3};
        for (const kernels::Simd<TypeParam>* simd : all_simd<TypeParam>()) check_packed(product, *simd);
      }
    }
  }
}

TYPED_TEST(KernelsTest, GemmPackedPlusRow) {
  using T = TypeParam;
  const int64_t shapes[][3] = {{0, 3, 2}, {3, 0, 2}, {3, 4, 0}, {1, 1, 1}, {3, 5, 2}, {30, 70, 41}};
  for (const auto& [m, n, k] : shapes) {
    const Array<T> a = random_array<T>(m * k), b = random_array<T>(k * n), row = random_array<T>(n);
    Array<T> packed(kernels::packed_size<T>(n, k)), c(m * n), want(m * n), sum(m * n, T(1)), want_sum(m * n, T(1));
    kernels::pack(packed.data(), true, n, k, b.data(), k);
    kernels::gemm_packed_plus_row(m, n, k, a.data(), k, packed.data(), row.data(), c.data(), n);
    kernels::gemm_plus_row(true, m, n, k, a.data(), k, b.data(), k, row.data(), want.data(), n);
    kernels::gemm_packed(m, n, k, a.data(), k, packed.data(), sum.data(), n, true);
    kernels::gemm(false, true, m, n, k, a.data(), k, b.data(), k, want_sum.data(), n, true);
    const T tolerance = std::numeric_limits<T>::epsilon() * T(4 * k + 16);
    for (int64_t i = 0; i < m * n; ++i) {
      ASSERT_NEAR(c[i], want[i], tolerance) << m << " " << n << " " << k;
      ASSERT_NEAR(sum[i], want_sum[i], tolerance) << m << " " << n << " " << k;
    }
  }
}

// How far the elements of a float32 product are from the exact ones, over the sum of its products' magnitudes, in units
// of half the last place of 1. The same number everywhere is the worst: all roundings go the same way.
class ErrorsByK {
 public:
  ErrorsByK(int64_t m, int64_t n, int64_t k, bool transpose_a, bool transpose_b, bool is_constant)
      : m_(m),
        n_(n),
        k_(k),
        a_(random_array<float>(m * k)),
        b_(random_array<float>(k * n)),
        exact_(m * n),
        all_(m * n) {
    if (is_constant) std::fill_n(a_.data(), m * k, 0.1f), std::fill_n(b_.data(), k * n, 0.1f);
    a_view_ = {a_.data(), transpose_a ? 1 : k, transpose_a ? m : 1};
    b_view_ = {b_.data(), transpose_b ? 1 : n, transpose_b ? k : 1};
    Array<double> a = widened(a_), b = widened(b_);
    const int64_t lda = transpose_a ? m : k, ldb = transpose_b ? k : n;
    const auto multiply = [&](double* c) {
      kernels::naive_gemm(transpose_a, transpose_b, m, n, k, a.data(), lda, b.data(), ldb, c, n, false);
    };
    multiply(exact_.data());
    for (Array<double>* factor : {&a, &b}) kernels::abs(factor->data(), factor->data(), factor->size);
    multiply(all_.data());
  }

  double of_gemm(const kernels::Simd<float>& simd) const {
    Array<float> c(m_ * n_);
    simd.gemm(m_, n_, k_, a_view_, b_view_, c.data(), n_, {});
    return worst(c);
  }
  double of_gemm_packed(const kernels::Simd<float>& simd) const {
    Array<float> c(m_ * n_), packed(simd.packed_size(n_, k_));
    simd.pack(packed.data(), n_, k_, b_view_);
    simd.gemm_packed(m_, n_, k_, a_view_, packed.data(), c.data(), n_, {});
    return worst(c);
  }

 private:
  static Array<double> widened(const Array<float>& values) {
    Array<double> wide(values.size);
    std::copy_n(values.data(), values.size, wide.data());
    return wide;
  }
  double worst(const Array<float>& c) const {
    double largest = 0;
    for (int64_t i = 0; i < c.size; ++i) {
      largest = std::max(largest, std::abs(double(c[i]) - exact_[i]) / all_[i] * 0x1p24);
    }
    return largest;
  }

  int64_t m_, n_, k_;
  Array<float> a_, b_;
  Array<double> exact_, all_;
  kernels::Matrix<float> a_view_, b_view_;
};

// In every way that a product can go; A and B may each be transposed.
TEST(Kernels, ErrorsOfEveryProductGrowNoFasterThanTheRootOfK) {
  // A vector by a vector, a row by a matrix, a matrix by a column, few rows, and blocks.
  const int64_t shapes[][2] = {{1, 1}, {1, 5}, {1, 37}, {5, 1}, {37, 1}, {2, 3}, {4, 9}, {7, 9}, {16, 5}};
  for (const int64_t k : {1, 7, 64, 100, 1000, 4096, 65536, 1 << 20}) {
    const double bound = 3 * std::sqrt(double(k));
    for (const auto& [m, n] : shapes) {
      if (k * (m + n) > fixtures::repetitions(2 << 20)) continue;  // it would take long
      for (int bits = 0; bits < 8; ++bits) {
        const ErrorsByK errors(m, n, k, (bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0);
        for (const kernels::Simd<float>* simd : all_simd<float>()) {
          const std::string what = std::string(simd->name) + " [" + std::to_string(m) + ", k] x [k, " +
                                   std::to_string(n) + "], k " + std::to_string(k) + ", bits " + std::to_string(bits);
          EXPECT_LE(errors.of_gemm(*simd), bound) << what;
          EXPECT_LE(errors.of_gemm_packed(*simd), bound) << what << ", packed";
        }
      }
    }
  }
}

TYPED_TEST(KernelsTest, GemmCarriesNaNAndInfinity) {
  using T = TypeParam;
  for (const int64_t size : {1, 3, 20, 50}) {
    Array<T> a(size * size, T(1)), b(size * size, T(0)), c(size * size);
    a[0] = inf<T>;
    kernels::gemm(false, false, size, size, size, a.data(), size, b.data(), size, c.data(), size, false);
    EXPECT_TRUE(std::isnan(c[0])) << "inf * 0, size " << size;
    for (int64_t i = size; i < c.size; ++i) EXPECT_EQ(c[i], T(0));
  }
}

// ---- index -----------------------------------------------------------------------------------------

TEST(Kernels, FirstOutOfRange) {
  const int64_t index[] = {0, 4, 2, 5, -1};
  EXPECT_EQ(kernels::first_out_of_range(index, 5, 6), 4);
  EXPECT_EQ(kernels::first_out_of_range(index, 5, 5), 3);
  EXPECT_EQ(kernels::first_out_of_range(index, 3, 5), -1);
  EXPECT_EQ(kernels::first_out_of_range(index, 3, 0), 0);
  EXPECT_EQ(kernels::first_out_of_range(nullptr, 0, 5), -1);
}

Array<int64_t> random_indices(int64_t count, int64_t limit) {
  Array<int64_t> index(count);
  for (int64_t i = 0; i < count; ++i) index[i] = random_integer(0, limit - 1);
  return index;
}

template <class T> void check_index_select() {
  for (const Sizes& s : {Sizes{1, 5, 1}, Sizes{3, 4, 2}, Sizes{2, 7, 19}, Sizes{0, 3, 2}, Sizes{2, 3, 0}}) {
    for (const int64_t count : {0, 1, 3, 20}) {
      const Array<T> x = random_array<T>(s.outer * s.n * s.inner);
      const Array<int64_t> index = random_indices(count, s.n);
      Array<T> y(s.outer * count * s.inner);
      kernels::index_select(y.data(), x.data(), index.data(), s.outer, s.n, s.inner, count);
      for (int64_t p = 0; p < y.size; ++p) {
        const int64_t i = p % s.inner, j = p / s.inner % count, o = p / s.inner / count;
        ASSERT_EQ(y[p], x[(o * s.n + index[j]) * s.inner + i]);
      }
    }
  }
}

TEST(Kernels, IndexSelect) {
  check_index_select<float>();
  check_index_select<double>();
  check_index_select<int64_t>();
  check_index_select<bool>();
}

TYPED_TEST(KernelsTest, IndexAddAddsUpRepeats) {
  using T = TypeParam;
  for (const Sizes& s : {Sizes{1, 5, 1}, Sizes{3, 4, 2}, Sizes{2, 7, 19}, Sizes{0, 3, 2}, Sizes{2, 3, 0}}) {
    for (const int64_t count : {0, 1, 3, 20}) {
      const Array<T> x = random_array<T>(s.outer * count * s.inner);
      const Array<int64_t> index = random_indices(count, s.n);
      Array<T> y(s.outer * s.n * s.inner, T(1)), want(y.size, T(1));
      kernels::index_add(y.data(), x.data(), index.data(), s.outer, s.n, s.inner, count);
      for (int64_t p = 0; p < x.size; ++p) {
        const int64_t i = p % s.inner, j = p / s.inner % count, o = p / s.inner / count;
        want[(o * s.n + index[j]) * s.inner + i] += x[p];
      }
      for (int64_t p = 0; p < y.size; ++p) ASSERT_EQ(y[p], want[p]);
    }
  }
}

TYPED_TEST(KernelsTest, GatherAndScatterAdd) {
  using T = TypeParam;
  for (int round = 0; round < 100; ++round) {
    // index is [outer, count, inner]; x is [outer + 1, n, inner + 2], so that its strides are not those of index.
    const int64_t outer = random_integer(1, 3), count = random_integer(1, 6), inner = random_integer(1, 5);
    const int64_t n = random_integer(1, 5), x_inner = inner + 2;
    const Walk walk = {.dims = 3, .size = {outer, count, inner}, .stride = {{n * x_inner, 0, 1}}};
    const Array<int64_t> index = random_indices(outer * count * inner, n);
    const Array<T> x = random_array<T>((outer + 1) * n * x_inner);
    Array<T> y(index.size), back(x.size, T(1)), want(x.size, T(1));
    kernels::gather(y.data(), x.data(), index.data(), x_inner, walk);
    kernels::scatter_add(back.data(), y.data(), index.data(), x_inner, walk);
    for (int64_t p = 0; p < index.size; ++p) {
      const int64_t source = offset_of(walk, 0, p) + index[p] * x_inner;
      ASSERT_EQ(y[p], x[source]);
      want[source] += y[p];
    }
    for (int64_t p = 0; p < x.size; ++p) ASSERT_EQ(back[p], want[p]);
  }
}

}  // namespace kernels_test
