#include "bench/workload.h"

#include <fmt/core.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <stdexcept>
#include <string>

namespace bench {
namespace {

constexpr double shortest_sample_ns = 200e3;
constexpr std::size_t fewest_samples = 5;
constexpr std::size_t most_samples = 2000;

double process_cpu_ns() {
  timespec time{};
#ifdef CLOCK_PROCESS_CPUTIME_ID
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
#else  // WebAssembly: no sample is known to be disturbed
  clock_gettime(CLOCK_MONOTONIC, &time);
#endif
  return 1e9 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec);
}

// Not getrusage(): its peak is inherited from the parent.
double status_mib(const std::string& key) {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (line.starts_with(key)) return std::atof(line.c_str() + key.size()) / 1024.0;
  }
  return 0.0;
}

bool is_disturbed(const Sample& sample) {
  return sample.cpu_ns < 0.98 * sample.wall_ns;
}

// Time of one of `calls` calls in a row.
Sample time_calls(const std::function<void()>& body, std::size_t calls) {
  const Stopwatch watch;
  for (std::size_t i = 0; i < calls; ++i) body();
  const Sample all = watch.read();
  return {all.wall_ns / static_cast<double>(calls), all.cpu_ns / static_cast<double>(calls)};
}

// Warms up; returns how many calls make a sample that is long enough.
std::size_t calls_per_sample(const std::function<void()>& body, double seconds) {
  time_calls(body, 1);
  const double one = std::max(time_calls(body, 1).wall_ns, 1.0);
  const auto calls = static_cast<std::size_t>(std::max(1.0, std::floor(shortest_sample_ns / one)));
  // What is that short is warm only after more than two calls.
  const Stopwatch watch;
  while (calls > 1 && watch.read().wall_ns < 1e8 * seconds) body();
  return calls;
}

// "us/token" -> 1000
double nanoseconds_in(const std::string& unit) {
  const std::string time = unit.substr(0, unit.find('/'));
  if (time == "ns") return 1.0;
  if (time == "us") return 1e3;
  if (time == "ms") return 1e6;
  throw std::invalid_argument("not a unit of time: " + unit);
}

}  // namespace

Stopwatch::Stopwatch() : wall_(std::chrono::steady_clock::now()), cpu_ns_(process_cpu_ns()) {}

Sample Stopwatch::read() const {
  const std::chrono::duration<double, std::nano> wall = std::chrono::steady_clock::now() - wall_;
  return {wall.count(), process_cpu_ns() - cpu_ns_};
}

double median_ns(const std::vector<Sample>& samples, int threads) {
  std::vector<double> all;
  std::vector<double> clean;
  for (const Sample& sample : samples) {
    all.push_back(sample.wall_ns);
    if (!is_disturbed(sample)) clean.push_back(sample.wall_ns);
  }
  const bool leave_out = threads == 1 && clean.size() >= fewest_samples;
  std::vector<double>& used = leave_out ? clean : all;
  std::sort(used.begin(), used.end());
  return std::midpoint(used[(used.size() - 1) / 2], used[used.size() / 2]);
}

double Run::time(const std::function<void()>& body) const {
  const std::size_t calls = calls_per_sample(body, options_.seconds);
  std::vector<Sample> samples;
  std::size_t clean = 0;
  const Stopwatch whole;
  while (samples.size() < most_samples) {
    const double spent = whole.read().wall_ns / (1e9 * options_.seconds);
    // Lost samples are replaced for up to three times the time that was asked for.
    const bool enough_clean = clean >= fewest_samples || options_.threads > 1 || spent >= 3.0;
    if (samples.size() >= fewest_samples && spent >= 1.0 && enough_clean) break;
    samples.push_back(time_calls(body, calls));
    if (!is_disturbed(samples.back())) ++clean;
  }
  return median_ns(samples, options_.threads);
}

double current_rss_mib() {
  return status_mib("VmRSS:");
}

double peak_rss_mib() {
  return status_mib("VmHWM:");
}

void Run::record(const std::string& metric, double value, const std::string& unit) const {
  fmt::print("{} {} {} {:.6g} {}\n", workload_.name, workload_.peer, metric, value, unit);
  std::fflush(stdout);
}

void Run::record_time(const std::string& metric, double ns, const std::string& unit, double per) const {
  record(metric, ns / (nanoseconds_in(unit) * per), unit);
}

void Run::record_forward_backward(const std::string& unit, double per, const std::vector<Tensor>& leaves,
                                  const std::function<std::vector<Tensor>()>& forward) const {
  std::vector<Tensor> upstream;
  for (const Tensor& output : forward()) upstream.push_back(autograd::ones_like(output));
  record_time("forward", time([&] { keep(forward()); }), unit, per);
  const double both = time([&] {
    for (const Tensor& leaf : leaves) leaf.zero_grad();
    autograd::backward(forward(), upstream);
  });
  record_time("forward_backward", both, unit, per);
}

}  // namespace bench
