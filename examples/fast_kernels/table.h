// The versions of one kernel as a table: each is run, its result is held against the reference, its time is measured.
#pragma once

#include <autograd/autograd.h>

#include <functional>
#include <string>
#include <vector>

namespace fast_kernels {

using autograd::Tensor;
using std::int64_t;

using Tensors = std::vector<Tensor>;

struct Options {
  std::vector<int64_t> size;  // of each dim, as the kernel's function names them
  int step = 0;               // this version only, counted from 1; 0: all
  double seconds = 0.3;       // for the samples of one version
  bool check = false;         // results only, nothing is timed
};

// What a call has to do at least. Time is limited by the arithmetic or by the memory, whatever takes longer.
struct Work {
  double flops = 0;  // floating-point operations; a multiply-add is two
  double bytes = 0;  // that come from memory, each once. What is overwritten comes too: a processor fetches a line of
                     // its cache before it writes into it
  double elements = 0;  // where they are what is counted
  double ops = 1;       // how many a call does one after the other: the time printed is that of one
  enum class Unit { gflops, gigabytes, elements } unit = Unit::gflops;
};

// How much a result may differ from the reference, in units in the last place of float32. `ulp` of an element's own
// size, or of the largest element's: where products of both signs add up to nearly 0, only that says something.
struct Tolerance {
  double ulp = 0;
  bool of_largest = false;
  double absolute = 1e300;
};

class Table {
 public:
  // Prints the head. `reference` are the results in float64.
  Table(const std::string& title, const Work& work, Tensors reference, Tolerance tolerance, const Options& options);

  // Runs it and prints a line. `run` makes the result, float32 tensors like the reference.
  void version(const std::string& name, const std::function<Tensors()>& run);
  void version(const std::string& name, Tolerance tolerance, const std::function<Tensors()>& run);
  // With so many threads inside of the engine's kernels.
  void version_with_threads(const std::string& name, int threads, const std::function<Tensors()>& run);

  // From here on the versions have other work to do, and another result.
  void now(const Work& work, Tensors reference);

  // Did all versions compute the right thing?
  bool all_right() const { return all_right_; }

 private:
  struct Error {
    double ulp = 0;
    double absolute = 0;
  };
  Error error_of(const Tensors& result, Tolerance tolerance) const;
  double shortest_time(int threads) const;
  std::string rate(double seconds) const;
  void print(const std::string& name, double seconds, const Error& error, bool is_right, int threads) const;
  void run_version(const std::string& name, Tolerance tolerance, const std::function<Tensors()>& run, int threads);

  Work work_;
  Tensors reference_;
  Tolerance tolerance_;
  const Options& options_;
  int count_ = 0;
  bool all_right_ = true;
};

// The median time of a call, in seconds.
double median_seconds(const std::function<void()>& call, double seconds);

// "1.23 ms"
std::string time_text(double seconds);

// Random numbers that are the same for every version and in every run.
Tensor uniform(const autograd::Shape& shape, double low, double high);

}  // namespace fast_kernels
