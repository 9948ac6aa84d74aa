// Threads. How many the large kernels use: matrix products, updates of the optimisers, functions of millions of
// numbers. A tensor and its graph are used by one thread at a time; only the arithmetic inside an op is shared out.
//
// Results are the same to the bit for any number of threads: threads divide the output among them, never a sum.
#pragma once

#include "autograd/tensor/where.h"

namespace autograd {

// 1 unless the environment variable BACKSTEP_THREADS, read once, or a call of set_num_threads() says otherwise.
int num_threads();
// For the whole program. Throws bad-argument for a number outside 1 ... 256.
void set_num_threads(int threads, Where where = Where::current());

// With true, numbers too small for all their digits (in float32 below 1.2e-38) count as 0 in all that this thread
// computes from now on, its helpers included. Many processors take a hundred times as long for such numbers. It is off
// when the program begins. Returns whether this processor can do it.
bool set_flush_denormal(bool flush);

}  // namespace autograd
