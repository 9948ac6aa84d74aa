// The helper threads: started when first needed, never more than asked for, asleep when there is nothing to do for a
// while.
#include "autograd/kernels/parallel.h"

#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <new>
#include <string_view>
#include <system_error>
#include <thread>

#include "autograd/kernels/denormal.h"

namespace autograd::kernels {
namespace {

// One loop that several threads work on.
struct Job {
  void (*work)(const void* context, int64_t part);
  const void* context;
  int64_t parts;
  const bool flushes = flushes_denormals();  // the caller, and so everyone who takes part
  std::atomic<int64_t> next = 0;             // the first part that nobody has begun
  std::atomic<bool> has_failed = false;
  std::exception_ptr error = nullptr;  // of the first that failed

  // Does parts until there are none left.
  void take_part() {
    for (int64_t part = next++; part < parts; part = next++) {
      try {
        work(context, part);
      } catch (...) {
        if (!has_failed.exchange(true)) error = std::current_exception();
        next = parts;
      }
    }
  }
};

// Waking a thread takes up to a tenth of a millisecond. So a thread that waits polls for twice as long before it goes
// to sleep: in a training step or while decoding, the next loop comes within that time.
constexpr auto lookout = std::chrono::microseconds(200);

void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Polls until is_done(), or until the time is over.
template <class F> void look_out_until(const F& is_done) {
  constexpr int looks = 16;  // between two looks at the clock
  const auto end = std::chrono::steady_clock::now() + lookout;
  while (std::chrono::steady_clock::now() < end) {
    for (int i = 0; i < looks; ++i, pause_briefly()) {
      if (is_done()) return;
    }
  }
}

class Helpers {
 public:
  // Does the job together with up to `count` helpers.
  void run(Job& job, int count) {
    {
      const std::lock_guard lock(mutex_);
      while (started_ < count && start_one()) ++started_;
      job_ = &job;
      places_ = count;
    }
    wake_.notify_all();
    job.take_part();
    {
      const std::lock_guard lock(mutex_);
      places_ = 0;  // a helper that wakes up only now finds no work
    }
    look_out_until([this] { return at_work_ == 0; });
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return at_work_ == 0; });
  }

  std::mutex& mutex() { return mutex_; }

 private:
  bool start_one();
  void help();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  // All of these are written under the lock; the atomic ones are read without it.
  Job* job_ = nullptr;
  std::atomic<int> places_ = 0;  // how many more may join the job
  std::atomic<int> at_work_ = 0;
  int started_ = 0;
};

// The number in BACKSTEP_THREADS, or 1. Anything that is not a number of threads ends the program: if it went on with
// another number, the user would find out much later.
int count_from_environment() {
  const char* value = std::getenv("BACKSTEP_THREADS");
  if (!value || !*value) return 1;
  const std::string_view text = value;
  int count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  if (is_number && count >= 1 && count <= most_threads) return count;
  std::fprintf(stderr, "BACKSTEP_THREADS=%s: give a number of threads from 1 to %d\n", value, most_threads);
  std::exit(2);
}

struct {
  std::atomic<int> threads = count_from_environment();
  std::atomic<bool> in_use = false;  // a job is running
  // Never freed: its threads sleep until the program ends. A child process has no such threads after fork(), and starts
  // new ones.
  Helpers* helpers = nullptr;
} team;
thread_local bool is_at_work = false;  // this thread is inside run_parts()

// False if the system gives no more threads, or no memory for them; then there are fewer helpers.
bool Helpers::start_one() {
  // Helpers block all signals, which are for the program's own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool has_started = true;
  try {
    std::thread([this] { help(); }).detach();
  } catch (const std::system_error&) {
    has_started = false;
  } catch (const std::bad_alloc&) {
    has_started = false;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return has_started;
}

void Helpers::help() {
  is_at_work = true;  // a loop inside work() stays on this thread
  const auto is_wanted = [this] { return places_ > 0; };
  while (true) {
    look_out_until(is_wanted);
    std::unique_lock lock(mutex_);
    wake_.wait(lock, is_wanted);
    Job& job = *job_;
    --places_;
    ++at_work_;
    lock.unlock();
    set_flush_denormal(job.flushes);
    job.take_part();
    lock.lock();
    --at_work_;
    if (at_work_ == 0) done_.notify_one();
  }
}

// The helpers, or nullptr if there is no memory for them.
Helpers* all_helpers() {
  static const bool prepared = [] {
    // No helper may hold the lock during fork(): in the child, nobody would ever unlock it.
    pthread_atfork(
        [] {
          if (team.helpers) team.helpers->mutex().lock();
        },
        [] {
          if (team.helpers) team.helpers->mutex().unlock();
        },
        [] {
          team.helpers = nullptr;
          team.in_use = false;
        });
    return true;
  }();
  (void)prepared;
  if (!team.helpers) team.helpers = new (std::nothrow) Helpers;
  return team.helpers;
}

void do_alone(int64_t parts, void (*work)(const void* context, int64_t part), const void* context) {
  for (int64_t part = 0; part < parts; ++part) work(context, part);
}

}  // namespace

int thread_count() {
  return team.threads.load(std::memory_order_relaxed);
}

void set_thread_count(int count) {
  team.threads.store(count, std::memory_order_relaxed);
}

void run_parts(int64_t parts, void (*work)(const void* context, int64_t part), const void* context) {
  if (is_at_work || parts <= 1 || team.in_use.exchange(true)) return do_alone(parts, work, context);
  Helpers* const all = all_helpers();
  if (!all) {
    team.in_use = false;
    return do_alone(parts, work, context);
  }
  is_at_work = true;
  Job job{work, context, parts};
  int count = thread_count() - 1;
  if (count > parts - 1) count = int(parts - 1);
  all->run(job, count);
  is_at_work = false;
  team.in_use = false;
  if (job.error) std::rethrow_exception(job.error);
}

}  // namespace autograd::kernels
