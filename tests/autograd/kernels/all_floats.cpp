// The largest error of exp, tanh and sigmoid over every float32, for each instruction set that this machine has, beside
// the C library's functions in float64. Some minutes; not a test, because kernels_test looks at a sample.
//
//   all_floats [threads]     as many as there are processors if not given
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <thread>
#include <vector>

#include "autograd/kernels/simd.h"

namespace {

using autograd::kernels::Simd;

struct Function {
  const char* name;
  double (*reference)(double);
  void (*Simd<float>::*kernel)(float*, const float*, std::int64_t);
};

const Function functions[] = {
    {"exp", [](double x) { return std::exp(x); }, &Simd<float>::exp},
    {"tanh", [](double x) { return std::tanh(x); }, &Simd<float>::tanh},
    {"sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }, &Simd<float>::sigmoid},
};
constexpr std::size_t function_count = std::size(functions);

struct Worst {
  double ulps = 0;
  float x = 0;
};

// How far `got` is from `want`, in units of the last place of a float at `want`.
double ulps(float got, double want) {
  const float nearest = float(want);
  if (std::isnan(nearest)) return std::isnan(got) ? 0 : std::numeric_limits<double>::infinity();
  if (std::isinf(nearest) || std::isinf(got)) {
    return got == nearest ? 0 : std::numeric_limits<double>::infinity();
  }
  int exponent = 0;
  std::frexp(want, &exponent);
  exponent = std::max(exponent, std::numeric_limits<float>::min_exponent);
  return std::abs(double(got) - want) / std::ldexp(1.0, exponent - std::numeric_limits<float>::digits);
}

using Table = std::vector<Worst>;  // [instruction set][function]

// The floats whose bits are begin, begin + step, ...
void search(std::uint32_t begin, std::uint32_t step, const std::vector<const Simd<float>*>& sets, Table& worst) {
  constexpr std::uint32_t block = 1 << 12;
  std::vector<float> x(block), y(block);
  std::vector<double> want(block);
  for (std::uint64_t first = std::uint64_t(begin) * block; first < (std::uint64_t(1) << 32);
       first += std::uint64_t(step) * block) {
    for (std::uint32_t i = 0; i < block; ++i) x[i] = std::bit_cast<float>(std::uint32_t(first) + i);
    for (std::size_t f = 0; f < function_count; ++f) {
      for (std::uint32_t i = 0; i < block; ++i) want[i] = functions[f].reference(double(x[i]));
      for (std::size_t s = 0; s < sets.size(); ++s) {
        (sets[s]->*functions[f].kernel)(y.data(), x.data(), block);
        Worst& here = worst[s * function_count + f];
        for (std::uint32_t i = 0; i < block; ++i) {
          const bool is_nearest = y[i] == float(want[i]);  // off by half a unit at most
          if (is_nearest && here.ulps >= 0.5) continue;
          const double error = ulps(y[i], want[i]);
          if (error > here.ulps) here = {error, x[i]};
        }
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  namespace kernels = autograd::kernels;
  const int given = argc > 1 ? std::atoi(argv[1]) : int(std::thread::hardware_concurrency());
  const int threads = std::max(1, given);
  std::vector<const Simd<float>*> sets;
  for (const auto* set :
       {kernels::simd_baseline<float>(), kernels::simd_avx2<float>(), kernels::simd_avx512<float>()}) {
    if (set) sets.push_back(set);
  }
  std::vector<Table> found(std::size_t(threads), Table(sets.size() * function_count));
  std::vector<std::thread> workers;
  for (int t = 0; t < threads; ++t) {
    workers.emplace_back([&, t] { search(std::uint32_t(t), std::uint32_t(threads), sets, found[std::size_t(t)]); });
  }
  for (std::thread& worker : workers) worker.join();

  bool is_good = true;
  for (std::size_t s = 0; s < sets.size(); ++s) {
    for (std::size_t f = 0; f < function_count; ++f) {
      Worst worst;
      for (const Table& table : found) {
        const Worst& here = table[s * function_count + f];
        if (here.ulps > worst.ulps) worst = here;
      }
      std::printf("%-8s %-7s %.3f ulp, at %.9g\n", sets[s]->name, functions[f].name, worst.ulps, double(worst.x));
      is_good = is_good && worst.ulps <= 2;
    }
  }
  return is_good ? 0 : 1;
}
