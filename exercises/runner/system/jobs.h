// Several things at a time, shown in their order.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace learn {

// As many as there are processors that this process may use.
int default_jobs();

// work(i) for i = 0 ... count-1, `jobs` at a time; show(i, result) in this thread, in order, each as soon as it can be.
// What work throws is thrown here, after the others have ended.
template <class Result, class Work, class Show> void run_in_order(std::size_t count, int jobs, Work work, Show show) {
  std::vector<std::optional<Result>> results(count);
  std::exception_ptr failure;
  std::mutex mutex;
  std::condition_variable changed;
  std::atomic<std::size_t> next{0};
  const auto run = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        Result result = work(i);
        const std::lock_guard lock(mutex);
        results[i] = std::move(result);
      } catch (...) {
        const std::lock_guard lock(mutex);
        failure = std::current_exception();
        next = count;
      }
      changed.notify_all();
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < jobs; ++i) threads.emplace_back(run);
  for (std::size_t i = 0; i < count; ++i) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return results[i].has_value() || failure; });
    if (!results[i]) break;
    lock.unlock();
    show(i, *results[i]);
  }
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace learn
