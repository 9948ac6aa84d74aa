#include "examples/fast_kernels/machine.h"

#include <autograd/autograd.h>
#include <fmt/core.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>

#include "examples/fast_kernels/table.h"
#include "examples/fast_kernels/vectors.h"

namespace fast_kernels {
namespace {

constexpr double seconds_each = 0.1;

// What a loop computes must be used, or the compiler leaves it out.
volatile float used;

double measured_peak() {
  constexpr int64_t steps = 100000;
  const double seconds = median_seconds([] { used = vectors().multiply_adds(steps); }, seconds_each);
  const double per_step = 2.0 * vectors().registers_in_use * vectors().bytes / sizeof(float);
  return per_step * steps / seconds;
}

std::vector<Bandwidth> measured_bandwidths() {
  std::vector<Bandwidth> list;
  for (const int64_t kib : {16, 256, 8 << 10, 32 << 10, 256 << 10}) {
    const Tensor x = autograd::zeros({kib * 256});
    const float* data = x.data_ptr<float>();
    const double seconds = median_seconds([&] { used = vectors().read(data, kib * 256); }, seconds_each);
    const double bytes = static_cast<double>(kib) * 1024;
    list.push_back({bytes, bytes / seconds});
  }
  return list;
}

}  // namespace

double peak_flops() {
  static const double measured = measured_peak();
  return measured;
}

const std::vector<Bandwidth>& bandwidths() {
  static const std::vector<Bandwidth> measured = measured_bandwidths();
  return measured;
}

// That of the smallest amount measured which is not less.
double bandwidth(double bytes) {
  for (const Bandwidth& one : bandwidths()) {
    if (bytes <= one.bytes) return one.per_second;
  }
  return bandwidths().back().per_second;
}

double seconds_to_fill(int64_t bytes, Pages pages) {
  const auto now = [] { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()); };
  const std::size_t size = static_cast<std::size_t>(bytes);
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  madvise(memory, size, pages == Pages::fresh ? MADV_NOHUGEPAGE : MADV_HUGEPAGE);
#endif
  if (pages == Pages::used) std::memset(memory, 1, size);
  const auto start = now();
  std::memset(memory, 2, size);
  const double seconds = (now() - start).count();
  munmap(memory, size);
  return seconds;
}

void print_machine() {
  fmt::print("This machine, one thread, vectors of {} bytes ({}):\n", vectors().bytes, vectors().name);
  fmt::print("  multiply-adds in registers       {:>8.1f} GFLOP/s\n", peak_flops() / 1e9);
  for (const Bandwidth& one : bandwidths()) {
    fmt::print("  reading {:>6.0f} KiB               {:>8.1f} GB/s\n", one.bytes / 1024, one.per_second / 1e9);
  }
  fmt::print("\n");
}

}  // namespace fast_kernels
