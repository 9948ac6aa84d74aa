// The versions of one kernel as a table: each is run, its result is held against the reference, its time is measured.
#pragma once

#include <autograd/autograd.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace fast_kernels {

using autograd::Tensor;
using std::int64_t;

struct Options {
  std::vector<int64_t> size;  // of each dim, as the kernel's function names them
  int step = 0;               // this version only, counted from 1; 0: all
  bool check = false;         // results only, nothing is timed
};

// What a call has to do at least. Time is limited by the arithmetic or by the memory, whatever takes longer.
struct Work {
  double flops = 0;     // floating-point operations; a multiply-add is two
  double bytes = 0;     // that come from memory, each once, those that are overwritten too
  double elements = 0;  // where they are what is counted
};

// How much a result may differ from the reference; `ulp` in units in the last place of float32.
struct Tolerance {
  double ulp = 0;
  double absolute = 1e300;
};

class Table {
 public:
  // Prints the head. `reference` is the result in float64.
  Table(const std::string& title, const Work& work, const Tensor& reference, Tolerance tolerance,
        const Options& options);

  // Runs it and prints a line. `run` makes the result, a float32 tensor, with so many threads in the engine's kernels.
  void version(const std::string& name, const std::function<Tensor()>& run, std::optional<Tolerance> own_tolerance = {},
               int threads = 1);

  bool all_right() const { return all_right_; }

 private:
  double shortest_time(int threads) const;

  Work work_;
  std::vector<double> reference_;
  Tolerance tolerance_;
  const Options& options_;
  int count_ = 0;
  bool all_right_ = true;
};

// The median time of a call, in seconds.
double median_seconds(const std::function<void()>& call, double seconds);

}  // namespace fast_kernels
