#include "examples/fast_kernels/machine.h"

#include <autograd/autograd.h>
#include <fmt/core.h>

#include <map>

#include "examples/fast_kernels/table.h"
#include "examples/fast_kernels/vectors.h"

namespace fast_kernels {
namespace {

constexpr double seconds_each = 0.1;

// What a loop computes must be used, or the compiler leaves it out.
volatile float used;

// Of bytes that are read again and again, to bytes per second.
std::map<double, double> measured_bandwidths() {
  std::map<double, double> list;
  for (const int64_t kib : {16, 256, 8 << 10, 32 << 10, 256 << 10}) {
    const Tensor x = autograd::zeros({kib * 256});
    const double bytes = 1024 * double(kib);
    list[bytes] = bytes / median_seconds([&] { used = vectors().read(x.data_ptr<float>(), x.numel()); }, seconds_each);
  }
  return list;
}

const std::map<double, double>& bandwidths() {
  static const std::map<double, double> measured = measured_bandwidths();
  return measured;
}

}  // namespace

double peak_flops() {
  constexpr int64_t steps = 100000;
  static const double seconds = median_seconds([] { used = vectors().multiply_adds(steps); }, seconds_each);
  return 2.0 * vectors().registers_in_use * vectors().bytes / sizeof(float) * steps / seconds;
}

// That of the smallest amount measured which is not less.
double bandwidth(double bytes) {
  const auto measured = bandwidths().lower_bound(bytes);
  return measured == bandwidths().end() ? bandwidths().rbegin()->second : measured->second;
}

void print_machine() {
  fmt::print("This machine, one thread, vectors of {} bytes ({}):\n", vectors().bytes, vectors().name);
  fmt::print("  multiply-adds in registers       {:>8.1f} GFLOP/s\n", peak_flops() / 1e9);
  for (const auto& [bytes, per_second] : bandwidths()) {
    fmt::print("  reading {:>6.0f} KiB               {:>8.1f} GB/s\n", bytes / 1024, per_second / 1e9);
  }
  fmt::print("\n");
}

}  // namespace fast_kernels
