// The versions that are written with vectors. They are compiled once for each width of vector, as the engine's kernels
// are (autograd/kernels/simd.h), and which of them run is chosen when the program starts.
#pragma once

#include <cstdint>
#include <string_view>

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

// One step of Adam; the rates are those of autograd::AdamStep.
struct AdamUpdate {
  int64_t n;
  float* parameter;
  const float* gradient;
  float* exp_avg;
  float* exp_avg_sq;
  float beta1, rest1, beta2, rest2;  // rest = 1 - beta, from float64: in float32 1 - 0.999f has lost two digits
  float eps, step_size, root_scale;
};

// scores[b, t, s] = sum over a of v[a] * tanh(query[b, t, a] + key[b, s, a])
struct AdditiveScore {
  int64_t batch, steps, source, attention;
  const float* query;  // [batch, steps, attention]
  const float* key;    // [batch, source, attention]
  const float* v;      // [attention]
  float* scores;       // [batch, steps, source]
};

// The gradients of query, key and v; they are added to what is there.
struct AdditiveScoreGradients {
  const float* dscores;
  float* dquery;
  float* dkey;
  float* dv;
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

  // few_rows_vectors.h: y[n] = W[n, k] x[k]
  void (*one_sum)(float* y, const float* w, const float* x, int64_t n, int64_t k);
  void (*four_sums)(float* y, const float* w, const float* x, int64_t n, int64_t k);

  // exp_vectors.h: y[i] = f(x[i])
  void (*exp)(float* y, const float* x, int64_t n);
  void (*tanh_by_exp)(float* y, const float* x, int64_t n);
  void (*tanh_by_expm1)(float* y, const float* x, int64_t n);

  // softmax_vectors.h: x, y [rows, n]; peak and total [rows] are for what has to be kept between passes
  void (*softmax_by_passes)(float* y, const float* x, float* peak, float* total, int64_t rows, int64_t n);
  void (*softmax_by_rows)(float* y, const float* x, int64_t rows, int64_t n);
  void (*softmax_online)(float* y, const float* x, int64_t rows, int64_t n);
  // loss [rows] and the gradient of its mean, dx [rows, n]
  void (*cross_entropy)(float* loss, float* dx, const float* x, const int64_t* target, int64_t rows, int64_t n);

  // attention_vectors.h
  void (*additive_score)(const AdditiveScore& score);
  void (*additive_score_backward)(const AdditiveScore& score, const AdditiveScoreGradients& gradients);

  // adam_vectors.h
  void (*adam)(const AdamUpdate& update);
};

// The widest that this processor has, or those that were asked for.
const Vectors& vectors();

// "baseline", "avx2" or "avx512". Returns false where there are none of that name.
bool choose_vectors(std::string_view name);

}  // namespace fast_kernels
