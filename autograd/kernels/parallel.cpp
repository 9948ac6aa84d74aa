// The threads that help: started when first needed, asleep when there is nothing to do for a while, never more than
// asked for.
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

namespace autograd::kernels {
namespace {

// One loop that is being shared out.
struct Job {
  void (*work)(const void* context, int64_t part);
  const void* context;
  int64_t parts;
  std::atomic<int64_t> next = 0;  // the part that nobody has begun
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

// To wake a thread that sleeps takes up to a tenth of a millisecond. So whoever waits looks out twice as long before it
// sleeps: in a training step or while decoding, the next loop is there by then.
constexpr auto lookout = std::chrono::microseconds(200);

void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Returns when is_done() or when the time is over.
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
      places_ = 0;  // who wakes up only now has nothing to do
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
  // All of it changes under the lock; what is atomic is looked at without it.
  Job* job_ = nullptr;
  std::atomic<int> places_ = 0;  // how many more may join the job
  std::atomic<int> at_work_ = 0;
  int started_ = 0;
};

// What BACKSTEP_THREADS says; 1 where it says nothing. Something else than a number of threads ends the program: to go
// on with another number would be found out much later.
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

std::atomic<int> threads = count_from_environment();
std::atomic<bool> in_use = false;      // a job is under way
thread_local bool is_at_work = false;  // this thread is inside of run_parts()

// Never freed: its threads sleep until the program ends. A child process has none of them after fork(), and so begins
// with new ones.
Helpers* helpers = nullptr;

// False if the system gives no more threads, or no memory for them: then fewer help.
bool Helpers::start_one() {
  // Signals are for the program's own threads.
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
  is_at_work = true;  // whatever it calls is done by itself
  const auto is_wanted = [this] { return places_ > 0; };
  while (true) {
    look_out_until(is_wanted);
    std::unique_lock lock(mutex_);
    wake_.wait(lock, is_wanted);
    Job& job = *job_;
    --places_;
    ++at_work_;
    lock.unlock();
    job.take_part();
    lock.lock();
    --at_work_;
    if (at_work_ == 0) done_.notify_one();
  }
}

// nullptr if there is no memory for them.
Helpers* all_helpers() {
  static const bool prepared = [] {
    // No helper may hold the lock while the process is copied: in the child nobody would ever give it back.
    pthread_atfork(
        [] {
          if (helpers) helpers->mutex().lock();
        },
        [] {
          if (helpers) helpers->mutex().unlock();
        },
        [] {
          helpers = nullptr;
          in_use = false;
        });
    return true;
  }();
  (void)prepared;
  if (!helpers) helpers = new (std::nothrow) Helpers;
  return helpers;
}

void do_alone(int64_t parts, void (*work)(const void* context, int64_t part), const void* context) {
  for (int64_t part = 0; part < parts; ++part) work(context, part);
}

}  // namespace

int thread_count() {
  return threads.load(std::memory_order_relaxed);
}

void set_thread_count(int count) {
  threads.store(count, std::memory_order_relaxed);
}

void run_parts(int64_t parts, void (*work)(const void* context, int64_t part), const void* context) {
  if (is_at_work || parts <= 1 || in_use.exchange(true)) return do_alone(parts, work, context);
  Helpers* const all = all_helpers();
  if (!all) {
    in_use = false;
    return do_alone(parts, work, context);
  }
  is_at_work = true;
  Job job{work, context, parts};
  int count = thread_count() - 1;
  if (count > parts - 1) count = int(parts - 1);
  all->run(job, count);
  is_at_work = false;
  in_use = false;
  if (job.error) std::rethrow_exception(job.error);
}

}  // namespace autograd::kernels
