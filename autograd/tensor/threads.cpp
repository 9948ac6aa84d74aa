#include "autograd/tensor/threads.h"

#include <fmt/core.h>

#include "autograd/kernels/denormal.h"
#include "autograd/kernels/parallel.h"
#include "autograd/tensor/error.h"

namespace autograd {

int num_threads() {
  return kernels::thread_count();
}

void set_num_threads(int threads, Where where) {
  if (threads < 1 || threads > kernels::most_threads) {
    fail(ErrorId::bad_argument, "set_num_threads", where, fmt::format("{} threads were asked for", threads),
         fmt::format("give a number from 1 to {}", kernels::most_threads));
  }
  kernels::set_thread_count(threads);
}

bool set_flush_denormal(bool flush) {
  return kernels::set_flush_denormal(flush);
}

}  // namespace autograd
