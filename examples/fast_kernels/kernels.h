// The kernels, one file each. Each runs its versions and prints a table, and returns whether all of them are right.
#pragma once

#include "examples/fast_kernels/table.h"

namespace fast_kernels {

bool matmul(const Options& options);   // size m, n, k
bool tanh(const Options& options);     // size n
bool softmax(const Options& options);  // size rows, n

}  // namespace fast_kernels
