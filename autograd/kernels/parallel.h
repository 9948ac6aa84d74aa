// Private to the kernels: one loop, done by several threads.
//
//   parallel_for(n, grain, f)    f(begin, end) for parts that together are [0, n)
//
// A kernel divides its output, and computes each part of it just as it would the whole: so the result is the same to
// the bit for any number of threads. What is summed is never divided.
#pragma once

#include <cstdint>

namespace autograd::kernels {

using std::int64_t;

inline constexpr int most_threads = 256;

// The calling thread counts as one of them. What the environment variable BACKSTEP_THREADS said when the program
// started, or else 1, until it is set.
int thread_count();
void set_thread_count(int threads);

// Calls work(context, part) once for every part < parts, on this thread and those that have nothing else to do. An
// exception comes out here, when all parts that had begun have ended. Inside of work(), and while another thread of the
// program is at it, all parts are done by the calling thread.
void run_parts(int64_t parts, void (*work)(const void* context, int64_t part), const void* context);

// Parts of whole grains; the last one takes the rest too. There are more of them than threads: whoever is faster does
// more. (Apart from short loops, which are done without setting anything up.)
template <class F> [[gnu::noinline]] void share_out(int64_t n, int64_t grain, const F& f) {
  if (thread_count() == 1) return f(int64_t(0), n);
  struct Loop {
    const F& f;
    int64_t n, grain, grains, parts;
    int64_t start_of(int64_t part) const { return part == parts ? n : part * grains / parts * grain; }
  };
  const int64_t grains = n / grain;
  const int64_t wanted = 2 * int64_t(thread_count());
  const Loop loop{f, n, grain, grains, grains < wanted ? grains : wanted};
  const auto one_part = [](const void* context, int64_t part) {
    const Loop& l = *static_cast<const Loop*>(context);
    l.f(l.start_of(part), l.start_of(part + 1));
  };
  run_parts(loop.parts, one_part, &loop);
}

template <class F> void parallel_for(int64_t n, int64_t grain, const F& f) {
  if (n >= 2 * grain) return share_out(n, grain, f);
  if (n > 0) f(int64_t(0), n);
}

}  // namespace autograd::kernels
