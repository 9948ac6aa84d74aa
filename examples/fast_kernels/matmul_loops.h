// The matrix product as a textbook has it, and with its loops in another order. Plain arithmetic, one number at a time.
#pragma once

#include "examples/fast_kernels/vectors.h"

namespace fast_kernels {

void matmul_textbook(const Product& product);
void matmul_loop_order(const Product& product);

// y[n] = W[n, k] x[k]
void matrix_vector_textbook(float* y, const float* w, const float* x, int64_t n, int64_t k);

}  // namespace fast_kernels
