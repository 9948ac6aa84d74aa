// An instrument that watches every thread: one for each, and one summary of all when the program ends.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <type_traits>
#include <utility>

#include "autograd/debug/finding.h"
#include "autograd/debug/moments.h"

namespace autograd::debug {

// Into how many of a thread's backward passes an instrument has looked.
class PassesSeen {
 public:
  PassesSeen() { listen(); }
  // Into the pass that is running.
  void look() {
    if (std::exchange(last_, *begun_) != *begun_) ++seen_;
  }
  std::int64_t seen() const { return seen_; }
  // Since this object was made; it counts on while the instrument is detached.
  std::int64_t all() const { return *begun_ - before_; }

 private:
  const std::int64_t* begun_ = &outer_passes_begun;  // of this thread, though another one may ask at the program's end
  std::int64_t before_ = outer_passes_begun;
  std::int64_t last_ = outer_passes_begun;
  std::int64_t seen_ = 0;
};

// `Instrument` has summary(), and what this returns has add(), passed() and to_string().
template <class Instrument> class InstrumentOfThread final : public Instrument {
 public:
  using Summary = std::decay_t<decltype(std::declval<const Instrument&>().summary())>;

  // For the thread that calls it, the main thread first. Lives until the thread ends.
  template <class Options> static Instrument* make(const Options& options) {
    auto* const made = new InstrumentOfThread(options);
    if (!of_main_thread) {
      of_main_thread = made;
      std::atexit(finish);
    }
    return made;
  }
  ~InstrumentOfThread() override {
    const std::lock_guard lock(ended().mutex);
    ended().summary.add(this->summary());
  }

 private:
  using Instrument::Instrument;

  // What those of threads that have ended saw; never freed, because it is asked when the program ends.
  struct Ended {
    std::mutex mutex;
    Summary summary;
  };
  static Ended& ended() {
    static Ended& ended = *new Ended;
    return ended;
  }

  static void finish() {
    const std::lock_guard lock(ended().mutex);
    Summary all = of_main_thread->summary();
    all.add(ended().summary);
    if (!all.passed()) end_program(to_string(all));
    print_after_output(to_string(all));
  }

  static inline const Instrument* of_main_thread = nullptr;
};

}  // namespace autograd::debug
