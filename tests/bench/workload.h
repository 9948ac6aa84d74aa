// A workload: something to measure under a name, and the figures that come of it.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "bench/measure.h"

namespace bench {

// One line of the output: "workload peer metric value unit". low and high are the 10th and 90th percentile.
struct Figure {
  std::string workload;
  std::string peer;
  std::string metric;
  double value = 0.0;
  std::string unit;
  double low = 0.0;
  double high = 0.0;
  std::size_t samples = 1;
  double disturbed = 0.0;
};

// What a running workload is given: how to measure, and whom to tell.
class Run {
 public:
  Run(const MeasureOptions& options, std::function<void(const Figure&)> tell)
      : options_(options), tell_(std::move(tell)) {}

  int threads() const { return options_.threads; }
  double seconds() const { return options_.seconds; }
  Timing time(const std::function<void()>& body) const { return measure(body, options_); }

  void record(const std::string& metric, double value, const std::string& unit) const;
  // A duration in ns, us or ms (or "ns/op", with `per` operations in each call).
  void record_time(const std::string& metric, const Timing& timing, const std::string& unit, double per = 1.0) const;
  // What is done per second: `amount` in each call, in units of `scale`.
  void record_rate(const std::string& metric, const Timing& timing, double amount, double scale,
                   const std::string& unit) const;

 private:
  MeasureOptions options_;
  std::function<void(const Figure&)> tell_;
};

struct Workload {
  std::string name;
  std::string sizes;  // for --list
  std::function<void(const Run&)> run;
  std::string peer = "backstep";  // whose figures these are; "machine" for its limits
};

// Each family adds its own.
void add_machine(std::vector<Workload>& all);
void add_matrix_products(std::vector<Workload>& all);
void add_functions(std::vector<Workload>& all);
void add_graphs(std::vector<Workload>& all);
void add_gradbench(std::vector<Workload>& all);
void add_attention(std::vector<Workload>& all);
void add_recurrent_layers(std::vector<Workload>& all);
void add_training_steps(std::vector<Workload>& all);
void add_decoding(std::vector<Workload>& all);
void add_scaling(std::vector<Workload>& all);

}  // namespace bench
