// The matrix product. It follows Goto and van de Geijn, "Anatomy of High-Performance Matrix Multiplication" (2008):
//
//   - The innermost loop, in `tile`, keeps a small tile of C in registers and adds to it one column of A times one
//     row of B per step, so that every number it loads is used several times.
//   - The parts of A and B it reads are first copied (`pack`) into the order in which it reads them.
//   - Around it, blocks of A and B are chosen so that they stay in the caches for as long as they are needed.
//
// Copying does not pay when C has few rows, or is tiny; the functions under "Few rows" read A and B where they are.
#pragma once

#include <utility>

#include "autograd/kernels/simd.h"
#include "autograd/kernels/simd_math.h"

namespace autograd::kernels {

template <class Isa, class T> struct Gemm {
  using Math = VectorMath<Isa, T>;
  using Vector = typename Math::Vector;
  using Narrow = Gemm<Half<Isa>, T>;
  static constexpr int64_t lanes = Math::lanes;
  static constexpr bool is_narrowest = Math::is_narrowest;

  static constexpr int64_t tile_rows = Isa::tile_rows;
  static constexpr int64_t tile_columns = 2 * lanes;

  // Sizes of the packed blocks: a block of A and a few panels of B fit the second cache, a block of B the third. The
  // deeper they are, the less often C is loaded and stored.
  static constexpr int64_t depth_block = 4096 / sizeof(T);  // of k
  static constexpr int64_t row_block = 8 * tile_rows;       // of m
  static constexpr int64_t column_block = 1024;             // of n
  static constexpr int64_t kept_rows = 4096;                // of A, at most, packed once for all blocks of columns

  // C[m,n] = start[m,n] + A[m,k] * B[k,n]
  static void gemm(int64_t m, int64_t n, int64_t k, Matrix<T> a, Matrix<T> b, T* c, int64_t ldc, Rows<T> start) {
    const bool is_column = n == 1 && m > 1 && ldc == 1 && (!start.data || start.stride == 1);
    if (is_column) {  // as a row it is (A * B)^T = B^T * A^T
      gemm(1, m, k, transposed(b), transposed(a), c, m, start);
      return;
    }
    const bool is_small = m <= 4 || m * n * k <= 256;
    if (is_small && b.column_stride == 1) {
      multiply_by_rows(m, n, k, a, b, c, ldc, start);
    } else if (is_small && b.row_stride == 1 && a.column_stride == 1) {
      multiply_by_columns(m, n, k, a, b, c, ldc, start);
    } else {
      multiply_by_blocks(m, n, k, a, b, c, ldc, start);
    }
  }

  static int64_t min(int64_t a, int64_t b) { return a < b ? a : b; }
  static int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

  // The part of a matrix that starts at (row, column).
  static Matrix<T> part(Matrix<T> matrix, int64_t row, int64_t column) {
    const auto& [data, row_stride, column_stride] = matrix;
    return {data + row * row_stride + column * column_stride, row_stride, column_stride};
  }
  static Matrix<T> transposed(Matrix<T> matrix) { return {matrix.data, matrix.column_stride, matrix.row_stride}; }

  // ---- Packing ---------------------------------------------------------------------------------------------------

  // packed[p, i] = source(i, p) for p < depth and i < width; where there is no such row (i >= rows), 0.
  static void pack_panel(T* packed, int64_t width, Matrix<T> source, int64_t rows, int64_t depth) {
    if (source.row_stride == 1 && width % lanes == 0) {
      copy_panel(packed, width, source, rows, depth);
      return;
    }
    if (source.column_stride == 1 && rows >= 4 && depth >= 4) {
      transpose_panel(packed, width, source, rows, depth);
    } else if (source.row_stride == 1 && rows == tile_rows && width == tile_rows) {
      for (int64_t p = 0; p < depth; ++p) {  // of a size that the compiler knows
        __builtin_memcpy(packed + p * tile_rows, source.data + p * source.column_stride, tile_rows * sizeof(T));
      }
    } else {
      for (int64_t p = 0; p < depth; ++p) {
        const T* from = source.data + p * source.column_stride;
        for (int64_t i = 0; i < rows; ++i) packed[p * width + i] = from[i * source.row_stride];
      }
    }
    for (int64_t p = 0; p < depth && rows < width; ++p) {
      for (int64_t i = rows; i < width; ++i) packed[p * width + i] = 0;
    }
  }

  static void copy_panel(T* packed, int64_t width, Matrix<T> source, int64_t rows, int64_t depth) {
    const int64_t whole = rows - rows % lanes;
    for (int64_t p = 0; p < depth; ++p, packed += width) {
      const T* from = source.data + p * source.column_stride;
      for (int64_t i = 0; i < whole; i += lanes) Math::store(packed + i, Math::load(from + i));
      if (whole < rows) Math::store(packed + whole, Math::load_part(from + whole, rows - whole, 0));
    }
  }

  // In squares of 4 by 4; the last of a row or column of squares overlaps the one before. A strip of 16 elements is
  // about a cache line, all of which is used before the next one is fetched.
  static void transpose_panel(T* packed, int64_t width, Matrix<T> source, int64_t rows, int64_t depth) {
    for (int64_t strip = 0; strip < depth; strip += 16) {
      for (int64_t i = 0; i < rows; i += 4) {
        const int64_t row = min(i, rows - 4);
        for (int64_t p = strip; p < min(strip + 16, depth); p += 4) {
          const int64_t column = min(p, depth - 4);
          const T* from = source.data + row * source.row_stride + column;
          transpose_4x4(packed + column * width + row, width, from, source.row_stride);
        }
      }
    }
  }

  // to[p * to_stride + i] = from[i * from_stride + p] for i, p < 4
  static void transpose_4x4(T* to, int64_t to_stride, const T* from, int64_t from_stride) {
    typedef T Four __attribute__((vector_size(4 * sizeof(T))));
    Four a, b, c, d;
    __builtin_memcpy(&a, from, sizeof a);
    __builtin_memcpy(&b, from + from_stride, sizeof b);
    __builtin_memcpy(&c, from + 2 * from_stride, sizeof c);
    __builtin_memcpy(&d, from + 3 * from_stride, sizeof d);
    const Four ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5);   // a0 b0 a1 b1
    const Four ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);  // a2 b2 a3 b3
    const Four cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    const Four cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);  // a0 b0 c0 d0
    b = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
    c = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
    d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
    __builtin_memcpy(to, &a, sizeof a);
    __builtin_memcpy(to + to_stride, &b, sizeof b);
    __builtin_memcpy(to + 2 * to_stride, &c, sizeof c);
    __builtin_memcpy(to + 3 * to_stride, &d, sizeof d);
  }

  // source [rows, depth] as panels of so many rows, one after the other. The last one may have fewer, but always a
  // multiple of `unit`.
  static void pack(T* packed, int64_t panel_rows, int64_t unit, Matrix<T> source, int64_t rows, int64_t depth) {
    for (int64_t i = 0; i < rows; i += panel_rows) {
      const int64_t count = min(panel_rows, rows - i);
      pack_panel(packed + i * depth, divide_up(count, unit) * unit, part(source, i, 0), count, depth);
    }
  }

  // ---- The tile --------------------------------------------------------------------------------------------------

  // C[rows, columns] = start[rows, columns] + A[rows, depth] * B[depth, columns] for a packed panel of A and one of B.
  template <int rows, int vectors>
  static void tile(int64_t depth, const T* a, const T* b, T* c, int64_t ldc, int64_t columns, Rows<T> start) {
    Vector sum[rows][vectors] = {};
    for (int64_t p = 0; p < depth; ++p, a += rows, b += vectors * lanes) {
      Vector b_row[vectors];
      for (int v = 0; v < vectors; ++v) b_row[v] = Math::load(b + v * lanes);
      for (int i = 0; i < rows; ++i) {
        for (int v = 0; v < vectors; ++v) sum[i][v] += a[i] * b_row[v];
      }
    }
    for (int i = 0; i < rows; ++i, c += ldc) {
      for (int v = 0; v < vectors; ++v) {
        store_row(c + v * lanes, start.at(i, v * lanes), sum[i][v], min(lanes, columns - v * lanes));
      }
    }
  }

  static void store_row(T* c, const T* start, Vector sum, int64_t count) {
    if (count == lanes) {
      Math::store(c, start ? Math::load(start) + sum : sum);
    } else {
      Math::store_part(c, start ? Math::load_part(start, count, 0) + sum : sum, count);
    }
  }

  // The tile function for a number of rows, with one or with two vectors of columns.
  using Tile = decltype(&tile<1, 1>);
  template <int vectors, int... row> static Tile tile_with(int64_t rows, std::integer_sequence<int, row...>) {
    static constexpr Tile tiles[] = {tile<row + 1, vectors>...};
    return tiles[rows - 1];
  }
  static Tile tile_for(int64_t rows, int64_t columns) {
    constexpr auto all_rows = std::make_integer_sequence<int, tile_rows>();
    return columns <= lanes ? tile_with<1>(rows, all_rows) : tile_with<2>(rows, all_rows);
  }

  // Elements between the beginnings of two panels of B is their width times this many rows; the product uses `depth`
  // of them, from row `first` on.
  struct Panels {
    const T* data;
    int64_t rows;
    int64_t first = 0;

    // The panel of columns j, j + 1, ...; all panels before it are whole.
    const T* at(int64_t j, int64_t columns) const {
      return data + j * rows + first * divide_up(columns, lanes) * lanes;
    }
  };

  // C[m,n] = start[m,n] + A[m,depth] * B[depth,n] for a packed block of A and packed panels of B.
  static void multiply_packed(int64_t m, int64_t n, int64_t depth, const T* a, Panels b, T* c, int64_t ldc,
                              Rows<T> start) {
    for (int64_t j = 0; j < n; j += tile_columns) {
      const int64_t columns = min(tile_columns, n - j);
      const T* b_panel = b.at(j, columns);
      for (int64_t i = 0; i < m; i += tile_rows) {
        const int64_t rows = min(tile_rows, m - i);
        tile_for(rows, columns)(depth, a + i * depth, b_panel, c + i * ldc + j, ldc, columns, start.from(i, j));
      }
    }
  }

  static void multiply_by_blocks(int64_t m, int64_t n, int64_t k, Matrix<T> a, Matrix<T> b, T* c, int64_t ldc,
                                 Rows<T> start) {
    const bool keeps_a = n > column_block && m <= kept_rows;
    const int64_t a_rows = keeps_a ? m : row_block;
    T* packed_b = static_cast<T*>(scratch((column_block + a_rows) * depth_block * int64_t(sizeof(T))));
    T* packed_a = packed_b + column_block * depth_block;
    for (int64_t p = 0; p < k; p += depth_block, start = {c, ldc}) {
      const int64_t depth = min(depth_block, k - p);
      if (keeps_a) pack(packed_a, tile_rows, 1, part(a, 0, p), m, depth);
      for (int64_t j = 0; j < n; j += column_block) {
        const int64_t columns = min(column_block, n - j);
        pack(packed_b, tile_columns, lanes, transposed(part(b, p, j)), columns, depth);
        for (int64_t i = 0; i < m; i += row_block) {
          const int64_t rows = min(row_block, m - i);
          if (!keeps_a) pack(packed_a, tile_rows, 1, part(a, i, p), rows, depth);
          const T* a_block = keeps_a ? packed_a + i * depth : packed_a;
          multiply_packed(rows, columns, depth, a_block, {packed_b, depth}, c + i * ldc + j, ldc, start.from(i, j));
        }
      }
    }
  }

  // ---- A packed B ------------------------------------------------------------------------------------------------

  // All of B as panels of all its rows.
  static int64_t packed_size(int64_t n, int64_t k) { return divide_up(n, lanes) * lanes * k; }
  static void pack_matrix(T* packed, int64_t n, int64_t k, Matrix<T> b) {
    pack(packed, tile_columns, lanes, transposed(b), n, k);
  }

  // As multiply_by_blocks, and so with the same bits.
  static void gemm_packed(int64_t m, int64_t n, int64_t k, Matrix<T> a, const T* b, T* c, int64_t ldc, Rows<T> start) {
    const int64_t a_rows = min(m, kept_rows);
    T* packed_a = static_cast<T*>(scratch(a_rows * depth_block * int64_t(sizeof(T))));
    for (int64_t p = 0; p < k; p += depth_block, start = {c, ldc}) {
      const int64_t depth = min(depth_block, k - p);
      for (int64_t i = 0; i < m; i += a_rows) {
        const int64_t rows = min(a_rows, m - i);
        pack(packed_a, tile_rows, 1, part(a, i, p), rows, depth);
        multiply_packed(rows, n, depth, packed_a, {b, k, p}, c + i * ldc, ldc, start.from(i, 0));
      }
    }
  }

  // ---- Few rows --------------------------------------------------------------------------------------------------

  // c[n] = start[n] + a[depth] * B[depth, n], by adding a multiple of each row of B to one row of C.
  template <int depth>
  static void add_rows(int64_t n, const T* a, int64_t a_stride, const T* b, int64_t ldb, T* c, const T* start) {
    T factor[depth];
    for (int p = 0; p < depth; ++p) factor[p] = a[p * a_stride];
    int64_t j = 0;
    for (; j + lanes <= n; j += lanes) {
      Vector sum = start ? Math::load(start + j) : Vector{};
      for (int p = 0; p < depth; ++p) sum += factor[p] * Math::load(b + p * ldb + j);
      Math::store(c + j, sum);
    }
    if constexpr (is_narrowest) {
      for (; j < n; ++j) {
        T sum = start ? start[j] : 0;
        for (int p = 0; p < depth; ++p) sum += factor[p] * b[p * ldb + j];
        c[j] = sum;
      }
    } else if (j < n) {
      Narrow::template add_rows<depth>(n - j, a, a_stride, b + j, ldb, c + j, start ? start + j : start);
    }
  }

  // For contiguous rows of B. Several are added to C at a time; they stay in a cache for the next row of C.
  static void multiply_by_rows(int64_t m, int64_t n, int64_t k, Matrix<T> a, Matrix<T> b, T* c, int64_t ldc,
                               Rows<T> start) {
    constexpr int together = 4;
    const int64_t whole = k - k % together;
    for (int64_t p = 0; p < k; p += p < whole ? together : 1) {
      const auto add = p < whole ? add_rows<together> : add_rows<1>;
      for (int64_t i = 0; i < m; ++i) {
        T* row = c + i * ldc;
        add(n, part(a, i, p).data, a.column_stride, part(b, p, 0).data, b.row_stride, row,
            p > 0 ? row : start.at(i, 0));
      }
    }
  }

  // c[columns] = start[columns] + a[k] * B[k, columns], as dot products of contiguous memory.
  template <int columns> static void dot(int64_t k, const T* a, const T* b, int64_t ldb, T* c, const T* start) {
    if constexpr (!is_narrowest) {
      if (k < lanes) return Narrow::template dot<columns>(k, a, b, ldb, c, start);
    }
    Vector sum[columns] = {};
    int64_t p = 0;
    for (; p + lanes <= k; p += lanes) {
      for (int j = 0; j < columns; ++j) sum[j] += Math::load(a + p) * Math::load(b + j * ldb + p);
    }
    for (int j = 0; j < columns; ++j) {
      T total = Math::sum(sum[j]);
      for (int64_t rest = p; rest < k; ++rest) total += a[rest] * b[j * ldb + rest];
      c[j] = start ? start[j] + total : total;
    }
  }

  // For contiguous columns of B and rows of A.
  static void multiply_by_columns(int64_t m, int64_t n, int64_t k, Matrix<T> a, Matrix<T> b, T* c, int64_t ldc,
                                  Rows<T> start) {
    constexpr int together = 4;
    const int64_t whole = n - n % together;
    for (int64_t j = 0; j < n; j += j < whole ? together : 1) {
      const auto multiply = j < whole ? dot<together> : dot<1>;
      for (int64_t i = 0; i < m; ++i) {
        multiply(k, part(a, i, 0).data, part(b, 0, j).data, b.column_stride, c + i * ldc + j, start.at(i, j));
      }
    }
  }
};

}  // namespace autograd::kernels
