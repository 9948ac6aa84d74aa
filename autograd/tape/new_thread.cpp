#include "autograd/tape/new_thread.h"

#include <atomic>

namespace autograd {
namespace {

constinit std::atomic<ThreadBegins> to_call = nullptr;
constinit std::atomic<PassBegins> to_call_before_passes = nullptr;
constinit thread_local bool has_begun = false;

}  // namespace

void call_in_new_threads(ThreadBegins begins) {
  to_call = begins;
}

void begin_thread() {
  if (has_begun) return;
  has_begun = true;
  if (const ThreadBegins begins = to_call) begins();
}

void call_before_passes(PassBegins begins) {
  to_call_before_passes = begins;
}

void begin_pass() {
  begin_thread();
  if (const PassBegins begins = to_call_before_passes.load(std::memory_order_relaxed)) begins();
}

}  // namespace autograd
