// The versions that are written with vectors. They are compiled once for each width of vector, as the engine's kernels
// are (autograd/kernels/simd.h), and which of them run is chosen when the program starts.
#pragma once

#include <cstdint>
#include <vector>

namespace fast_kernels {

using std::int64_t;

// C[m, n] = A[m, k] * B[k, n], row-major and without gaps.
struct Product {
  int64_t m, n, k;
  const float* a;
  const float* b;
  float* c;
  float* packed_a;  // room for copies of A and B, with their edges filled up to whole tiles
  float* packed_b;
};

struct Vectors {
  const char* name;
  int bytes;         // of one vector
  int tile_rows;     // of a tile of C,
  int tile_columns;  // which is two vectors wide

  // machine_vectors.h
  float (*multiply_adds)(int64_t steps);  // `registers_in_use` vectors, each multiplied and added to once per step
  int registers_in_use;
  float (*read)(const float* x, int64_t n);

  // matmul_vectors.h
  void (*matmul_rows)(const Product& product);
  void (*matmul_tile)(const Product& product);
  void (*matmul_packed)(const Product& product);
  void (*matmul_blocked)(const Product& product);

  // exp_vectors.h: y[i] = f(x[i])
  void (*tanh_by_exp)(float* y, const float* x, int64_t n);
  void (*tanh_by_expm1)(float* y, const float* x, int64_t n);

  // softmax_vectors.h: x, y [rows, n]
  void (*softmax)(float* y, const float* x, int64_t rows, int64_t n);
};

// Those that this processor has, the widest last.
std::vector<const Vectors*> supported_vectors();

// Those that were chosen.
const Vectors& vectors();
void choose_vectors(const Vectors& width);

}  // namespace fast_kernels
