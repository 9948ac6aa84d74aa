// An instrument that watches every thread: one for each, and one summary of all when the program ends.
#pragma once

#include <cstdlib>
#include <mutex>
#include <type_traits>
#include <utility>

#include "autograd/debug/finding.h"

namespace autograd::debug {

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
