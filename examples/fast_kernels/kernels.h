// The kernels, one file each: every one runs its versions and prints a table. They return false if one of them is
// wrong.
#pragma once

#include "examples/fast_kernels/table.h"

namespace fast_kernels {

bool matmul(const Options& options);   // size m, n, k
bool tanh(const Options& options);     // size n
bool softmax(const Options& options);  // size rows, n

}  // namespace fast_kernels
