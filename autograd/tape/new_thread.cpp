#include "autograd/tape/new_thread.h"

#include <atomic>

namespace autograd {
namespace {

constinit std::atomic<ThreadBegins> to_call = nullptr;
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

}  // namespace autograd
