// How many threads the large kernels use: matrix products, updates of the optimisers, functions of millions of numbers.
// A program, its tensors and its graph stay on one thread; only the arithmetic inside an op is shared out.
//
// Results are the same to the bit for any number of threads: threads divide the output among them, never a sum.
#pragma once

#include "autograd/tensor/where.h"

namespace autograd {

// 1 unless the environment variable BACKSTEP_THREADS, read once, or a call of set_num_threads() says otherwise.
int num_threads();
// For the whole program. Throws bad-argument for a number outside 1 ... 256.
void set_num_threads(int threads, Where where = Where::current());

}  // namespace autograd
