// Private to the kernels: one loop, done by several threads.
//
//   parallel_for(n, grain, f)    f(begin, end) for parts that together are [0, n)
//
// A kernel divides its output, never a sum, and computes each part as it would the whole. So results are the same to
// the bit for any number of threads.
#pragma once

#include <cstdint>

namespace autograd::kernels {

using std::int64_t;

inline constexpr int most_threads = 256;

// The number of threads, the calling one included: what BACKSTEP_THREADS said at the program's start, or 1, until
// set_thread_count() sets another.
int thread_count();
void set_thread_count(int threads);

// Calls work(context, part) once for every part < parts, on this thread and on idle helpers. Throws the first exception
// of work(), after all parts that had begun. Inside of work(), and while another thread of the program runs parts, the
// calling thread does all parts itself.
void run_parts(int64_t parts, void (*work)(const void* context, int64_t part), const void* context);

// Divides [0, n) into parts of whole grains, the last one with the rest. There are more parts than threads, so that
// faster threads do more. (noinline keeps short loops, which are not divided, short.)
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
