// In the place of kernels/parallel.cpp: there is one thread, which does all parts. Results are the same to the bit for
// any number of threads, so a program that asks for more is not refused.
#include "autograd/kernels/parallel.h"

namespace autograd::kernels {
namespace {

int threads = 1;

}  // namespace

int thread_count() {
  return threads;
}

void set_thread_count(int count) {
  threads = count;
}

void run_parts(int64_t parts, void (*work)(const void* context, int64_t part), const void* context) {
  for (int64_t part = 0; part < parts; ++part) work(context, part);
}

}  // namespace autograd::kernels
