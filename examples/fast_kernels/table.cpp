#include "examples/fast_kernels/table.h"

#include <autograd/tensor/threads.h>
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "examples/fast_kernels/machine.h"

namespace fast_kernels {
namespace {

constexpr double seconds_each = 0.3;  // for the samples of one version

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string time_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.1f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.2f} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}

// The distance from one float32 of this size to the next.
double unit_in_the_last_place(double size) {
  constexpr int mantissa_bits = 23;
  constexpr int lowest_exponent = -126;
  const int exponent = size > 0 ? std::max(std::ilogb(size), lowest_exponent) : lowest_exponent;
  return std::ldexp(1.0, exponent - mantissa_bits);
}

Tolerance error_of(const std::vector<double>& found, const std::vector<double>& right) {
  Tolerance error = {.ulp = 0, .absolute = 0};
  for (std::size_t i = 0; i < right.size(); ++i) {
    const double difference = std::abs(found.at(i) - right[i]);
    if (std::isnan(difference)) return {INFINITY, INFINITY};
    error.ulp = std::max(error.ulp, difference / unit_in_the_last_place(std::abs(right[i])));
    error.absolute = std::max(error.absolute, difference);
  }
  return error;
}

}  // namespace

// Short calls are timed several at a time: reading the clock takes some 20 ns.
double median_seconds(const std::function<void()>& call, double seconds) {
  constexpr double shortest_sample = 2e-5;
  const auto time_of = [&](int calls) {
    const double before = now();
    for (int i = 0; i < calls; ++i) call();
    return (now() - before) / calls;
  };
  const double start = now();
  std::vector<double> samples = {time_of(1)};
  const int calls = 1 + int(shortest_sample / samples[0]);
  while (samples.size() < 1000 && now() - start < seconds) samples.push_back(time_of(calls));
  const auto middle = samples.begin() + std::ptrdiff_t(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

Table::Table(const std::string& title, const Work& work, const Tensor& reference, Tolerance tolerance,
             const Options& options)
    : work_(work), reference_(reference.to_vector()), tolerance_(tolerance), options_(options) {
  fmt::print("{}\n", title);
  if (!options_.check) {
    fmt::print("  {:.4g} MFLOP, {:.1f} GFLOP/s at most; {:.4g} MB, {:.1f} GB/s at most: {}\n", work_.flops / 1e6,
               peak_flops() / 1e9, work_.bytes / 1e6, bandwidth(work_.bytes) / 1e9, time_text(shortest_time(1)));
  }
  fmt::print("  {:<44} {:>10} {:>9} {:>9} {:>11}\n", "version", "time", work_.elements > 0 ? "M/s" : "GFLOP/s",
             "of limit", "error, ulp");
}

double Table::shortest_time(int threads) const {
  return std::max(work_.flops / (threads * peak_flops()), work_.bytes / bandwidth(work_.bytes));
}

void Table::version(const std::string& name, const std::function<Tensor()>& run, std::optional<Tolerance> own_tolerance,
                    int threads) {
  ++count_;
  if (options_.step != 0 && options_.step != count_) return;
  autograd::set_num_threads(threads);
  const Tolerance tolerance = own_tolerance.value_or(tolerance_);
  const Tolerance error = error_of(run().to_vector(), reference_);
  const bool is_right = error.ulp <= tolerance.ulp && error.absolute <= tolerance.absolute;
  all_right_ = all_right_ && is_right;
  std::string time = "-", rate = "-", share = "-";
  if (!options_.check) {
    const double seconds = median_seconds([&] { run(); }, seconds_each);
    time = time_text(seconds);
    rate = work_.elements > 0 ? fmt::format("{:.4g}", work_.elements / seconds / 1e6)
                              : fmt::format("{:.2f}", work_.flops / seconds / 1e9);
    share = fmt::format("{:.1f} %", 100 * shortest_time(threads) / seconds);
  }
  fmt::print("  {:>2} {:<41} {:>10} {:>9} {:>9} {:>11.3g}{}\n", count_, name, time, rate, share, error.ulp,
             is_right ? "" : "  WRONG");
  std::fflush(stdout);
}

}  // namespace fast_kernels
