// How long something takes: the median of many samples, without those during which another program held the core.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <vector>

namespace bench {

// Of one call: wall clock time, and processor time of the whole process.
struct Sample {
  double wall_ns = 0.0;
  double cpu_ns = 0.0;
};

class Stopwatch {
 public:
  Stopwatch();
  Sample read() const;

 private:
  std::chrono::steady_clock::time_point wall_;
  double cpu_ns_;
};

struct Timing {
  double median_ns = 0.0;
  double low_ns = 0.0;  // 10th and 90th percentile
  double high_ns = 0.0;
  std::size_t samples = 0;
  double disturbed = 0.0;  // the share of the samples above during which the core was lost
};

// With one thread, a sample that spent less than 98 % of its time on a processor waited for one: it is left out where
// at least five others remain. (Several threads also wait for work.)
bool is_disturbed(const Sample& sample);
Timing summarise(const std::vector<Sample>& samples, int threads);

struct MeasureOptions {
  int threads = 1;
  double seconds = 1.0;  // at least five samples are taken however long they last
};

// The time of one call of `body`, after two to warm up. Calls that are shorter than 200 microseconds are timed in
// groups.
Timing measure(const std::function<void()>& body, const MeasureOptions& options);

// Keeps the compiler from removing what computed `value`.
template <class T> void keep(const T& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

}  // namespace bench
