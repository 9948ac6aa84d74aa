#include "examples/fast_kernels/table.h"

#include <autograd/tensor/threads.h>
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "examples/fast_kernels/machine.h"

namespace fast_kernels {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The distance from one float32 of this size to the next.
double unit_in_the_last_place(double size) {
  constexpr int mantissa_bits = 23;
  constexpr int lowest_exponent = -126;
  const int exponent = size > 0 ? std::max(std::ilogb(size), lowest_exponent) : lowest_exponent;
  return std::ldexp(1.0, exponent - mantissa_bits);
}

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

}  // namespace

// ---- time ------------------------------------------------------------------------------------------------------

// Short calls are timed several at a time: reading the clock takes some 20 ns.
double median_seconds(const std::function<void()>& call, double seconds) {
  constexpr double shortest_sample = 2e-5;
  const double start = now();
  call();
  int calls = 1;
  double once = now() - start;
  while (once * calls < shortest_sample) {
    calls *= 2;
    const double before = now();
    for (int i = 0; i < calls; ++i) call();
    once = (now() - before) / calls;
  }
  std::vector<double> samples;
  if (once > seconds) samples.push_back(once);
  while (samples.empty() || (samples.size() < 1000 && now() - start < seconds)) {
    const double before = now();
    for (int i = 0; i < calls; ++i) call();
    samples.push_back((now() - before) / calls);
  }
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

std::string time_text(double seconds) {
  if (seconds < 1e-6) return fmt::format("{:.1f} ns", seconds * 1e9);
  if (seconds < 1e-3) return fmt::format("{:.1f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.2f} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}

// ---- the table -------------------------------------------------------------------------------------------------

Table::Table(const std::string& title, const Work& work, Tensors reference, Tolerance tolerance, const Options& options)
    : work_(work), reference_(std::move(reference)), tolerance_(tolerance), options_(options) {
  fmt::print("{}\n", title);
  if (!options_.check) {
    if (work_.flops > 0) fmt::print("  {:.4g} MFLOP, {:.1f} GFLOP/s at most", work_.flops / 1e6, peak_flops() / 1e9);
    if (work_.flops > 0 && work_.bytes > 0) fmt::print("; ");
    if (work_.bytes > 0) {
      fmt::print("{}{:.4g} MB, {:.1f} GB/s at most", work_.flops > 0 ? "" : "  ", work_.bytes / 1e6,
                 bandwidth(work_.bytes) / 1e9);
    }
    if (work_.flops + work_.bytes > 0) fmt::print(": {}\n", time_text(shortest_time(1)));
  }
  const char* unit = work_.unit == Work::Unit::gflops      ? "GFLOP/s"
                     : work_.unit == Work::Unit::gigabytes ? "GB/s"
                                                           : "M/s";
  fmt::print("  {:<44} {:>10} {:>9} {:>9} {:>11}\n", "version", "time", unit, "of limit", "error, ulp");
}

void Table::now(const Work& work, Tensors reference) {
  work_ = work;
  reference_ = std::move(reference);
}

double Table::shortest_time(int threads) const {
  const double arithmetic = work_.flops / (threads * peak_flops());
  const double memory = work_.bytes / bandwidth(work_.bytes);
  return std::max(arithmetic, memory);
}

std::string Table::rate(double seconds) const {
  switch (work_.unit) {
    case Work::Unit::gflops: return fmt::format("{:.2f}", work_.flops / seconds / 1e9);
    case Work::Unit::gigabytes: return fmt::format("{:.2f}", work_.bytes / seconds / 1e9);
    case Work::Unit::elements: return fmt::format("{:.4g}", work_.elements / seconds / 1e6);
  }
  return "";
}

Table::Error Table::error_of(const Tensors& result, Tolerance tolerance) const {
  Error error;
  for (std::size_t i = 0; i < reference_.size(); ++i) {
    const std::vector<double> right = reference_[i].to_vector();
    const std::vector<double> found = result[i].to_vector();
    const double unit_of_largest = unit_in_the_last_place(largest(right));
    for (std::size_t j = 0; j < right.size(); ++j) {
      const double unit = tolerance.of_largest ? unit_of_largest : unit_in_the_last_place(std::abs(right[j]));
      const double difference = std::abs(found[j] - right[j]);
      if (std::isnan(difference)) return {INFINITY, INFINITY};
      error.ulp = std::max(error.ulp, difference / unit);
      error.absolute = std::max(error.absolute, difference);
    }
  }
  return error;
}

void Table::print(const std::string& name, double seconds, const Error& error, bool is_right, int threads) const {
  fmt::print("  {:>2} {:<41} ", count_, name);
  const bool has_limit = work_.flops + work_.bytes > 0;
  if (options_.check) {
    fmt::print("{:>10} {:>9} {:>9} ", "-", "-", "-");
  } else {
    const std::string share = has_limit ? fmt::format("{:.1f} %", 100 * shortest_time(threads) / seconds) : "-";
    fmt::print("{:>10} {:>9} {:>9} ", time_text(seconds / work_.ops), rate(seconds), share);
  }
  fmt::print("{:>11}{}\n", reference_.empty() ? "-" : fmt::format("{:.3g}", error.ulp), is_right ? "" : "  WRONG");
  std::fflush(stdout);
}

void Table::run_version(const std::string& name, Tolerance tolerance, const std::function<Tensors()>& run,
                        int threads) {
  ++count_;
  if (options_.step != 0 && options_.step != count_) return;
  const Error error = error_of(run(), tolerance);
  const bool is_right = error.ulp <= tolerance.ulp && error.absolute <= tolerance.absolute;
  all_right_ = all_right_ && is_right;
  const double seconds = options_.check ? 0 : median_seconds([&] { run(); }, options_.seconds);
  print(name, seconds, error, is_right, threads);
}

void Table::version(const std::string& name, const std::function<Tensors()>& run) {
  run_version(name, tolerance_, run, 1);
}

void Table::version(const std::string& name, Tolerance tolerance, const std::function<Tensors()>& run) {
  run_version(name, tolerance, run, 1);
}

void Table::version_with_threads(const std::string& name, int threads, const std::function<Tensors()>& run) {
  const int before = autograd::num_threads();
  autograd::set_num_threads(threads);
  run_version(name, tolerance_, run, threads);
  autograd::set_num_threads(before);
}

Tensor uniform(const autograd::Shape& shape, double low, double high) {
  return autograd::rand(shape) * (high - low) + low;
}

}  // namespace fast_kernels
