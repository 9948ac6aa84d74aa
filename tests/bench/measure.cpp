#include "bench/measure.h"

#include <time.h>

#include <algorithm>
#include <cmath>

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

double percentile(const std::vector<double>& sorted, double share) {
  const double position = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], position - static_cast<double>(below));
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

}  // namespace

Stopwatch::Stopwatch() : wall_(std::chrono::steady_clock::now()), cpu_ns_(process_cpu_ns()) {}

Sample Stopwatch::read() const {
  const std::chrono::duration<double, std::nano> wall = std::chrono::steady_clock::now() - wall_;
  return {wall.count(), process_cpu_ns() - cpu_ns_};
}

bool is_disturbed(const Sample& sample) {
  return sample.cpu_ns < 0.98 * sample.wall_ns;
}

Timing summarise(const std::vector<Sample>& samples, int threads) {
  std::vector<double> all;
  std::vector<double> clean;
  for (const Sample& sample : samples) {
    all.push_back(sample.wall_ns);
    if (!is_disturbed(sample)) clean.push_back(sample.wall_ns);
  }
  const bool leave_out = threads == 1 && clean.size() >= fewest_samples;
  const double lost = threads == 1 ? static_cast<double>(all.size() - clean.size()) : 0.0;
  const double disturbed = leave_out ? 0.0 : lost / static_cast<double>(all.size());
  std::vector<double>& used = leave_out ? clean : all;
  std::sort(used.begin(), used.end());
  return {percentile(used, 0.5), percentile(used, 0.1), percentile(used, 0.9), used.size(), disturbed};
}

Timing measure(const std::function<void()>& body, const MeasureOptions& options) {
  const std::size_t calls = calls_per_sample(body, options.seconds);
  std::vector<Sample> samples;
  std::size_t clean = 0;
  const Stopwatch whole;
  while (samples.size() < most_samples) {
    const double spent = whole.read().wall_ns / (1e9 * options.seconds);
    // Lost samples are replaced for up to three times the time that was asked for.
    const bool enough_clean = clean >= fewest_samples || options.threads > 1 || spent >= 3.0;
    if (samples.size() >= fewest_samples && spent >= 1.0 && enough_clean) break;
    samples.push_back(time_calls(body, calls));
    if (!is_disturbed(samples.back())) ++clean;
  }
  return summarise(samples, options.threads);
}

}  // namespace bench
