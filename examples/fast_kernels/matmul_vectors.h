// The matrix product with vectors: rows, then a tile in registers, then packed, then in blocks.
#pragma once

#include "examples/fast_kernels/vector.h"

namespace fast_kernels {
namespace {

// 3. A row of C at a time. __restrict promises that C is nowhere in A or B, and the compiler makes vectors of the inner
// loop.
void matmul_rows(const Product& product) {
  const auto& [m, n, k, a, b, c, packed_a, packed_b] = product;
  for (int64_t i = 0; i < m; ++i) {
    float* __restrict c_row = c + i * n;
    for (int64_t j = 0; j < n; ++j) c_row[j] = 0;
    for (int64_t p = 0; p < k; ++p) {
      const float factor = a[i * k + p];
      const float* __restrict b_row = b + p * n;
      for (int64_t j = 0; j < n; ++j) c_row[j] += factor * b_row[j];
    }
  }
}

// 4. A tile of C stays in registers while k runs innermost. What is loaded, a column of A and a row of B, is used
// tile_rows and two vectors' times.
void tile_in_place(int64_t k, const float* a, int64_t lda, const float* b, int64_t ldb, float* c, int64_t ldc) {
  Vector sums[tile_rows][2] = {};
  for (int64_t p = 0; p < k; ++p) {
    const Vector b_left = load(b + p * ldb);
    const Vector b_right = load(b + p * ldb + lanes);
    for (int64_t i = 0; i < tile_rows; ++i) {
      sums[i][0] += a[i * lda + p] * b_left;
      sums[i][1] += a[i * lda + p] * b_right;
    }
  }
  for (int64_t i = 0; i < tile_rows; ++i) {
    store(c + i * ldc, sums[i][0]);
    store(c + i * ldc + lanes, sums[i][1]);
  }
}

// The last tile of a row or a column overlaps the one before it.
void matmul_tile(const Product& product) {
  const auto& [m, n, k, a, b, c, packed_a, packed_b] = product;
  if (m < tile_rows || n < tile_columns) return matmul_rows(product);
  for (int64_t j = 0; j < n; j += tile_columns) {
    const int64_t column = smaller(j, n - tile_columns);
    for (int64_t i = 0; i < m; i += tile_rows) {
      const int64_t row = smaller(i, m - tile_rows);
      tile_in_place(k, a + row * k, k, b + column, n, c + row * n + column, n);
    }
  }
}

// 5. A and B are copied into the order in which the tile reads them: panels of tile_rows rows, of tile_columns columns.
// Panels at the edge are filled up with zeros.
void pack_a(float* packed, const float* a, int64_t lda, int64_t m, int64_t depth) {
  for (int64_t i = 0; i < m; i += tile_rows) {
    for (int64_t p = 0; p < depth; ++p) {
      for (int64_t row = i; row < i + tile_rows; ++row) *packed++ = row < m ? a[row * lda + p] : 0;
    }
  }
}

void pack_b(float* packed, const float* b, int64_t ldb, int64_t n, int64_t depth) {
  for (int64_t j = 0; j < n; j += tile_columns) {
    const int64_t columns = smaller(tile_columns, n - j);
    for (int64_t p = 0; p < depth; ++p, packed += tile_columns) {
      for (int64_t column = 0; column < tile_columns; ++column) {
        packed[column] = column < columns ? b[p * ldb + j + column] : 0;
      }
    }
  }
}

// C[rows, columns] += a panel of A times a panel of B. At the edge only this much of the tile is in C.
void tile_of_panels(int64_t depth, const float* a, const float* b, float* c, int64_t ldc, int64_t rows,
                    int64_t columns) {
  Vector sums[tile_rows][2] = {};
  for (int64_t p = 0; p < depth; ++p, a += tile_rows, b += tile_columns) {
    const Vector b_left = load(b);
    const Vector b_right = load(b + lanes);
    for (int64_t i = 0; i < tile_rows; ++i) {
      sums[i][0] += a[i] * b_left;
      sums[i][1] += a[i] * b_right;
    }
  }
  for (int64_t i = 0; i < rows; ++i) {
    add_up_to(c + i * ldc, sums[i][0], columns);
    add_up_to(c + i * ldc + lanes, sums[i][1], columns - lanes);
  }
}

// C[m, n] += packed A [m, depth] * packed B [depth, n]
void multiply_panels(int64_t m, int64_t n, int64_t depth, const float* packed_a, const float* packed_b, float* c,
                     int64_t ldc) {
  for (int64_t j = 0; j < n; j += tile_columns) {
    for (int64_t i = 0; i < m; i += tile_rows) {
      tile_of_panels(depth, packed_a + i * depth, packed_b + j * depth, c + i * ldc + j, ldc, smaller(tile_rows, m - i),
                     smaller(tile_columns, n - j));
    }
  }
}

// In blocks of so much of k, m and n.
void multiply_blocks(const Product& product, int64_t depth_block, int64_t row_block, int64_t column_block) {
  const auto& [m, n, k, a, b, c, packed_a, packed_b] = product;
  for (int64_t i = 0; i < m * n; ++i) c[i] = 0;
  for (int64_t p = 0; p < k; p += depth_block) {
    const int64_t depth = smaller(depth_block, k - p);
    for (int64_t j = 0; j < n; j += column_block) {
      const int64_t columns = smaller(column_block, n - j);
      pack_b(packed_b, b + p * n + j, n, columns, depth);
      for (int64_t i = 0; i < m; i += row_block) {
        const int64_t rows = smaller(row_block, m - i);
        pack_a(packed_a, a + i * k + p, k, rows, depth);
        multiply_panels(rows, columns, depth, packed_a, packed_b, c + i * n + j, n);
      }
    }
  }
}

void matmul_packed(const Product& product) {
  multiply_blocks(product, product.k, product.m, product.n);
}

// 6. Blocks that stay in a cache for as long as they are needed: a block of A and a panel of B in the second one, a
// block of B in the third. With AVX-512 they have 384, 128 and 4096 KiB.
void matmul_blocked(const Product& product) {
  multiply_blocks(product, 1024, 8 * tile_rows, 32 * tile_columns);
}

}  // namespace
}  // namespace fast_kernels
