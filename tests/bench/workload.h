// A workload: something to measure under a name, and the figures that come of it.
#pragma once

#include <autograd/autograd.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace bench {

using autograd::Tensor;

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

// The median. With one thread, a sample that spent less than 98 % of its time on a processor waited for one: it is left
// out where at least five others remain. (Several threads also wait for work.)
double median_ns(const std::vector<Sample>& samples, int threads);

struct MeasureOptions {
  int threads = 1;
  double seconds = 1.0;  // at least five samples are taken however long they last
};

// Keeps the compiler from removing what computed `value`.
template <class T> void keep(const T& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

// The resident memory of this process in MiB, as the kernel counts it.
double current_rss_mib();
double peak_rss_mib();  // the highest so far

class Run;

struct Workload {
  std::string name;
  std::string sizes;  // for --list
  std::function<void(const Run&)> run;
  std::string peer = "backstep";  // whose figures these are; "machine" for its limits
};

// What a running workload is given: how to measure, and where to print "workload peer metric value unit".
class Run {
 public:
  Run(const Workload& workload, const MeasureOptions& options) : workload_(workload), options_(options) {}

  int threads() const { return options_.threads; }
  double seconds() const { return options_.seconds; }

  // The time of one call of `body` in nanoseconds, after two to warm up. Calls that are shorter than 200 microseconds
  // are timed in groups.
  double time(const std::function<void()>& body) const;

  void record(const std::string& metric, double value, const std::string& unit) const;
  // A duration in ns, us or ms (or "ns/op", with `per` operations in each call).
  void record_time(const std::string& metric, double ns, const std::string& unit, double per = 1.0) const;
  // What is done per second: `amount` in each call, in units of `scale`.
  void record_rate(const std::string& metric, double ns, double amount, double scale, const std::string& unit) const {
    record(metric, 1e9 * amount / scale / ns, unit);
  }
  // What one unit of a metric takes at least: operations of matrix products in "f32" or "f64", or bytes that must move,
  // from where they lie ("read_8MiB" of the workload bandwidth).
  void record_least(const std::string& metric, const std::string& of, double amount) const {
    record(metric + ":" + of, amount / 1e9, "G");
  }
  // Records `forward` (the graph is built and dropped) and `forward_backward` (the leaves' gradients are dropped, and
  // all outputs differentiated with gradients of ones). `per`: operations in one call.
  void record_forward_backward(const std::string& unit, double per, const std::vector<Tensor>& leaves,
                               const std::function<std::vector<Tensor>()>& forward) const;

 private:
  const Workload& workload_;
  MeasureOptions options_;
};

// Each family adds its own.
void add_machine(std::vector<Workload>& all);
void add_matrix_products(std::vector<Workload>& all);
void add_ops(std::vector<Workload>& all);
void add_layers(std::vector<Workload>& all);
void add_translators(std::vector<Workload>& all);

}  // namespace bench
