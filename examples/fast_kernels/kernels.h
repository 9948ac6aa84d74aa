// The kernels, one file each: every one runs its versions and prints a table. They return false if one of them is
// wrong.
#pragma once

#include "examples/fast_kernels/table.h"

namespace fast_kernels {

bool matmul(const Options& options);         // size m, n, k
bool few_rows(const Options& options);       // size n, k
bool exp(const Options& options);            // size n
bool tanh(const Options& options);           // size n
bool softmax(const Options& options);        // size rows, n
bool cross_entropy(const Options& options);  // size rows, classes
bool gru(const Options& options);            // size time, batch, input, hidden
bool attention(const Options& options);      // size batch, steps, source, attention
bool adam(const Options& options);           // size n
bool ops(const Options& options);            // size n
bool memory(const Options& options);         // size MiB

}  // namespace fast_kernels
