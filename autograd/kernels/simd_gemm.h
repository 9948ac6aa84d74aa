// The matrix product. It follows Goto and van de Geijn, "Anatomy of High-Performance Matrix Multiplication" (2008):
//
//   - The innermost loop, in `tile`, keeps a small tile of C in registers and adds to it one column of A times one
//     row of B per step, so that every number it loads is used several times.
//   - The parts of A and B it reads are first copied (simd_pack.h) into the order in which it reads them.
//   - Around it, blocks of A and B are chosen so that they stay in the caches for as long as they are needed.
//
// A tile reads A and B through strides, so that it can also read them where they are: a copy does not pay in small
// products, nor for parts that are read only a few times. With and without copies, each element of C is the same sum in
// the same order. Only products of one to four rows are computed otherwise ("Few rows"): they read B from end to end.
//
// The rounding error of a sum grows with its length k. So blocks of k are summed by themselves first.
#pragma once

#include <utility>

#include "autograd/kernels/simd.h"
#include "autograd/kernels/simd_math.h"
#include "autograd/kernels/simd_pack.h"
#include "autograd/kernels/simd_part.h"

namespace autograd::kernels {

template <class Isa, class T> struct Gemm {
  using Math = VectorMath<Isa, T>;
  using Vector = typename Math::Vector;
  using Part = PartOf<Isa, T, Isa::vector_bytes>;
  static constexpr int64_t lanes = Math::lanes;
  typedef T Four __attribute__((vector_size(4 * sizeof(T))));

  static constexpr int64_t tile_rows = Isa::tile_rows;
  static constexpr int64_t tile_columns = 2 * lanes;
  using RowsOfA = Panels<Isa, T, tile_rows>;
  using ColumnsOfB = Panels<Isa, T, tile_columns>;

  // Sizes of the blocks, for a first cache of 32 KiB and a second of 1 MiB. With AVX-512, a panel of A (12 rows, 24
  // KiB) stays in the first cache while it is multiplied with all panels of a block of B, and this block (512 KiB)
  // stays in the second while all panels of A use it. The deeper the blocks, the less often C is loaded and stored.
  static constexpr int64_t depth_block = 2048 / sizeof(T);              // of k
  static constexpr int64_t column_block = 8 * tile_columns;             // of n
  static constexpr int64_t row_block = tile_rows * (4096 / tile_rows);  // of m: only limits the memory for A

  // C[m,n] = start[m,n] + A[m,k] * B[k,n]
  static void gemm(int64_t m, int64_t n, int64_t k, const Matrix<T>& a, const Matrix<T>& b, T* c, int64_t ldc,
                   const Rows<T>& start) {
    const bool is_column = n == 1 && m > 1 && ldc == 1 && (!start.data || start.stride == 1);
    if (is_column) {  // as a row it is (A * B)^T = B^T * A^T
      gemm(1, m, k, transposed(b), transposed(a), c, m, start);
      return;
    }
    const bool has_rows_of_b = b.column_stride == 1;
    const bool has_dots = b.row_stride == 1 && a.column_stride == 1;
    const bool has_few_rows = m <= few_rows || (m <= some_rows && n * k <= large_matrix);
    const bool is_small = has_few_rows || m * n * k <= small_product;
    const bool turning_copies_less = m * (k + n) < n * k;  // A and C, rather than B
    if (m == 1 && has_dots && (k >= long_dot || n == 1)) {
      for (int64_t j = 0; j < n; ++j) dot(k, a.data, part(b, 0, j).data, c + j, start.at(0, j));
    } else if (m == 1 && has_rows_of_b) {
      multiply_by_rows(n, k, a, b, c, start.data);
    } else if (m <= most_dot_rows && has_dots) {
      multiply_by_columns(m, n, k, a, b, c, ldc, start);
    } else if (is_small && has_rows_of_b && can_read_part(n)) {
      multiply_in_place(m, n, k, a, b, c, ldc, start);
    } else if (b.row_stride == 1 && m <= rows_to_turn && m % lanes == 0 && turning_copies_less) {
      multiply_turned(m, n, k, a, b, c, ldc, start);
    } else {
      multiply_by_blocks(m, n, k, a, b, c, ldc, start);
    }
  }

  static constexpr int64_t most_dot_rows = 4;
  static constexpr int64_t long_dot = 16 * lanes;
  // B is read once for each panel of rows. For up to three panels, this costs less than copying B; for six, only while
  // B is in the third cache.
  static constexpr int64_t few_rows = 3 * tile_rows;
  static constexpr int64_t some_rows = 6 * tile_rows;
  static constexpr int64_t large_matrix = (int64_t(4) << 20) / sizeof(T);
  static constexpr int64_t small_product = 128 * 128 * 128;  // A and B are in the second cache
  // A is read this many times. Tiles of twelve rows use most of each cache line of a transposed A, smaller ones less.
  static constexpr int64_t few_columns = (tile_rows >= 12 ? 4 : 2) * tile_columns;
  static constexpr int64_t many_columns = 4 * column_block;  // A is read as many times from the third cache
  static constexpr int64_t rows_to_turn = 128;               // for more rows, a copy of B costs less

  static int64_t min(int64_t a, int64_t b) { return a < b ? a : b; }
  static int64_t max(int64_t a, int64_t b) { return a > b ? a : b; }
  static int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }
  static int64_t round_up(int64_t a, int64_t b) { return divide_up(a, b) * b; }

  // The part of a matrix that starts at (row, column).
  static Matrix<T> part(Matrix<T> matrix, int64_t row, int64_t column) {
    const auto& [data, row_stride, column_stride] = matrix;
    return {data + row * row_stride + column * column_stride, row_stride, column_stride};
  }
  static Matrix<T> transposed(Matrix<T> matrix) { return {matrix.data, matrix.column_stride, matrix.row_stride}; }

  // ---- The tile --------------------------------------------------------------------------------------------------

  // C[rows, columns] = start[rows, columns] + A[rows, depth] * B[depth, columns], with all sums in registers. Rows of B
  // are contiguous. The loops over the tile must be unrolled, or the sums would be in memory. Arguments are references,
  // because copies of what was just written would wait for the sums of the tile before.
  template <int rows, int vectors, class LastVector>
  static void tile(int64_t depth, const Matrix<T>& a, const Rows<T>& b, T* c, int64_t ldc, int64_t columns,
                   const Rows<T>& start) {
    const LastVector last(columns - (vectors - 1) * lanes);
    Vector sum[rows][vectors];
#pragma GCC unroll 16
    for (int i = 0; i < rows; ++i) {
#pragma GCC unroll 16
      for (int v = 0; v < vectors; ++v) sum[i][v] = Vector{};
    }
    constexpr int groups = (rows + rows_of_group - 1) / rows_of_group;
    const T* a_group[groups];
#pragma GCC unroll 16
    for (int g = 0; g < groups; ++g) a_group[g] = a.data + g * rows_of_group * a.row_stride;
    const T* b_row = b.data;
    const int64_t ahead = steps_of_fetch * a.column_stride;
    int64_t p = 0;
    for (const int64_t stop : {max(depth - steps_of_fetch, 0), depth}) {
      for (; p < stop; ++p, b_row += b.stride) {
        Vector b_vector[vectors];
#pragma GCC unroll 16
        for (int v = 0; v < vectors - 1; ++v) b_vector[v] = Math::load(b_row + v * lanes);
        b_vector[vectors - 1] = last.load_of_b(b_row + (vectors - 1) * lanes);
        __builtin_prefetch(a_group[0] + ahead);
        __builtin_prefetch(a_group[groups - 1] + ahead);
#pragma GCC unroll 16
        for (int i = 0; i < rows; ++i) {
          const T a_element = a_group[i / rows_of_group][i % rows_of_group * a.row_stride];
#pragma GCC unroll 16
          for (int v = 0; v < vectors; ++v) sum[i][v] += a_element * b_vector[v];
        }
#pragma GCC unroll 16
        for (int g = 0; g < groups; ++g) advance(a_group[g], a.column_stride);
      }
      if (p < depth) fetch_tile<rows, vectors>(c, ldc);
    }
#pragma GCC unroll 16
    for (int i = 0; i < rows; ++i, c += ldc) {
      const T* start_row = start.at(i, 0);
#pragma GCC unroll 16
      for (int v = 0; v < vectors - 1; ++v) {
        Math::store(c + v * lanes, start_row ? Math::load(start_row + v * lanes) + sum[i][v] : sum[i][v]);
      }
      constexpr int v = vectors - 1;
      last.store(c + v * lanes, start_row ? last.load(start_row + v * lanes) + sum[i][v] : sum[i][v]);
    }
  }

  // One pointer serves three rows of A, because the instruction that reads can compute p, p + stride and p + 2 *
  // stride. The empty asm hides from the compiler that all pointers move together. It would otherwise keep one pointer
  // and eleven distances from it, more than there are registers.
  static constexpr int rows_of_group = 3;
  static void advance(const T*& pointer, int64_t stride) {
    pointer += stride;
    asm("" : "+r"(pointer));
  }

  // What comes from far away is fetched this many steps before it is needed: the columns of a transposed A, which lie
  // too far apart for the processor to see what comes next, and C. Fetched at the first step, C would be gone by the
  // last: A and B fill the first cache.
  static constexpr int64_t steps_of_fetch = 32;
  template <int rows, int vectors> static void fetch_tile(const T* c, int64_t ldc) {
    for (int i = 0; i < rows; ++i) {
      for (int v = 0; v < vectors; ++v) __builtin_prefetch(c + i * ldc + v * lanes, 1);
    }
  }

  // The last vector of each row of a tile. It may be whole.
  struct WholeVector {
    explicit WholeVector(int64_t) {}
    Vector load_of_b(const T* x) const { return Math::load(x); }
    Vector load(const T* x) const { return Math::load(x); }
    void store(T* y, Vector v) const { Math::store(y, v); }
  };
  // A last vector of which only the first `count` elements may be read or written.
  struct MaskedVector {
    typename Part::Mask mask;
    explicit MaskedVector(int64_t count) : mask(Part::first(count)) {}
    Vector load_of_b(const T* x) const { return Part::load(x, mask); }
    Vector load(const T* x) const { return Part::load(x, mask); }
    void store(T* y, Vector v) const { Part::store(y, v, mask); }
  };
  // The same for processors without masks, where B was copied and filled up with zeros.
  struct FilledVector {
    int64_t count;
    explicit FilledVector(int64_t columns) : count(columns) {}
    Vector load_of_b(const T* x) const { return Math::load(x); }
    Vector load(const T* x) const { return Math::load_part(x, count, 0); }
    void store(T* y, Vector v) const { Math::store_part(y, v, count); }
  };
  static auto choose_part_of_vector() {
    if constexpr (Part::has_masks)
      return MaskedVector(0);
    else
      return FilledVector(0);
  }
  using PartOfVector = decltype(choose_part_of_vector());
  static bool can_read_part(int64_t columns) {
    return Part::has_masks || columns % lanes == 0;
  }

  // The tile function for a number of rows, with one or with two vectors of columns, of which the last may be a part.
  using Tile = decltype(&tile<1, 1, WholeVector>);
  template <int vectors, class LastVector, int... row>
  static Tile tile_with(int64_t rows, std::integer_sequence<int, row...>) {
    static constexpr Tile tiles[] = {tile<row + 1, vectors, LastVector>...};
    return tiles[rows - 1];
  }
  static Tile tile_for(int64_t rows, int64_t columns) {
    constexpr auto all_rows = std::make_integer_sequence<int, tile_rows>();
    if (columns == 2 * lanes) return tile_with<2, WholeVector>(rows, all_rows);
    if (columns > lanes) return tile_with<2, PartOfVector>(rows, all_rows);
    return columns == lanes ? tile_with<1, WholeVector>(rows, all_rows) : tile_with<1, PartOfVector>(rows, all_rows);
  }

  // ---- Panels ----------------------------------------------------------------------------------------------------

  // Rows of A as a tile reads them: the panel of rows i, i + 1, ... is at data + i * row_step.
  struct PanelsOfA {
    const T* data;
    int64_t row_step;
    int64_t row_stride, column_stride;  // within a panel
    Matrix<T> at(int64_t i) const { return {data + i * row_step, row_stride, column_stride}; }
  };
  // Columns of B, likewise: the panel of columns j, j + 1, ... is at data + j * column_step.
  struct PanelsOfB {
    const T* data;
    int64_t column_step;
    int64_t row_stride;
    Rows<T> at(int64_t j) const { return {data + j * column_step, row_stride}; }
  };
  static PanelsOfA in_place_a(const Matrix<T>& a) {
    return {a.data, a.row_stride, a.row_stride, a.column_stride};
  }
  static PanelsOfA packed_a(const T* packed, int64_t depth) {
    return {packed, depth, 1, tile_rows};
  }
  static PanelsOfB in_place_b(const Matrix<T>& b) {
    return {b.data, 1, b.row_stride};
  }
  static PanelsOfB packed_b(const T* packed, int64_t depth) {
    return {packed, depth, tile_columns};
  }

  // C[m,n] = start[m,n] + A[m,depth] * B[depth,n]
  static void multiply_panels(int64_t m, int64_t n, int64_t depth, PanelsOfA a, PanelsOfB b, T* c, int64_t ldc,
                              const Rows<T>& start) {
    for (int64_t i = 0; i < m; i += tile_rows) {
      const int64_t rows = min(tile_rows, m - i);
      for (int64_t j = 0; j < n; j += tile_columns) {
        const int64_t columns = min(tile_columns, n - j);
        tile_for(rows, columns)(depth, a.at(i), b.at(j), c + i * ldc + j, ldc, columns, start.from(i, j));
      }
    }
  }

  // Takes B in blocks too, so that each stays in the second cache until all panels of A have used it.
  static void multiply_in_place(int64_t m, int64_t n, int64_t k, const Matrix<T>& a, const Matrix<T>& b, T* c,
                                int64_t ldc, Rows<T> start) {
    for (int64_t p = 0; p < k; p += depth_block, start = {c, ldc}) {
      const int64_t depth = min(depth_block, k - p);
      for (int64_t j = 0; j < n; j += column_block) {
        multiply_panels(m, min(column_block, n - j), depth, in_place_a(part(a, 0, p)), in_place_b(part(b, p, j)), c + j,
                        ldc, start.from(0, j));
      }
    }
  }

  // ---- Blocks ----------------------------------------------------------------------------------------------------

  // block_of_b(p, depth, j, columns) is that part of B in panels. a_block has room for A; without it A is read in
  // place.
  template <class BlockOfB>
  static void multiply_blocks(int64_t m, int64_t n, int64_t k, const Matrix<T>& a, T* a_block,
                              const BlockOfB& block_of_b, T* c, int64_t ldc, const Rows<T>& start) {
    for (int64_t i = 0; i < m; i += row_block, c += row_block * ldc) {
      const int64_t rows = min(row_block, m - i);
      Rows<T> sum = start.from(i, 0);
      for (int64_t p = 0; p < k; p += depth_block, sum = {c, ldc}) {
        const int64_t depth = min(depth_block, k - p);
        if (a_block) RowsOfA::pack(a_block, part(a, i, p), rows, depth);
        const PanelsOfA a_panels = a_block ? packed_a(a_block, depth) : in_place_a(part(a, i, p));
        for (int64_t j = 0; j < n; j += column_block) {
          const int64_t columns = min(column_block, n - j);
          const PanelsOfB b_panels = block_of_b(p, depth, j, columns);
          multiply_panels(rows, columns, depth, a_panels, b_panels, c + j, ldc, sum.from(0, j));
        }
      }
    }
  }

  // A panel of short contiguous rows fits into the first cache without a copy. A copy pays only if the panel would have
  // to come from the third cache again for each block of B.
  static int64_t size_of_a_block(int64_t m, int64_t n, int64_t k, const Matrix<T>& a) {
    const bool lies_together = a.column_stride == 1 && a.row_stride <= depth_block;
    const bool is_read_often = m > most_dot_rows && n > (lies_together ? many_columns : few_columns);
    return is_read_often ? round_up(min(row_block, m), tile_rows) * min(depth_block, k) : 0;
  }

  static void multiply_by_blocks(int64_t m, int64_t n, int64_t k, const Matrix<T>& a, const Matrix<T>& b, T* c,
                                 int64_t ldc, const Rows<T>& start) {
    const int64_t a_size = size_of_a_block(m, n, k, a);
    const int64_t b_size = round_up(min(column_block, n), tile_columns) * min(depth_block, k);
    T* b_block = static_cast<T*>(scratch((a_size + b_size) * int64_t(sizeof(T))));
    const auto pack_block = [=](int64_t p, int64_t depth, int64_t j, int64_t columns) {
      ColumnsOfB::pack(b_block, transposed(part(b, p, j)), columns, depth);
      return packed_b(b_block, depth);
    };
    multiply_blocks(m, n, k, a, a_size ? b_block + b_size : nullptr, pack_block, c, ldc, start);
  }

  // ---- A transposed B --------------------------------------------------------------------------------------------

  // C^T = B^T * A^T: contiguous columns of B can be read in place as the rows of B^T, so that A, which has few rows, is
  // copied instead. The rows of A should fill whole vectors. The result is transposed on its way to C.
  static void multiply_turned(int64_t m, int64_t n, int64_t k, const Matrix<T>& a, const Matrix<T>& b, T* c,
                              int64_t ldc, Rows<T> start) {
    const int64_t width = round_up(m, tile_columns);
    const int64_t a_size = width * min(depth_block, k);
    const int64_t piece_size = width * columns_of_piece;
    T* a_block = static_cast<T*>(scratch((a_size + 2 * piece_size) * int64_t(sizeof(T))));
    T* piece = a_block + a_size;
    T* turned = piece + piece_size;
    for (int64_t p = 0; p < k; p += depth_block, start = {c, ldc}) {
      const int64_t depth = min(depth_block, k - p);
      ColumnsOfB::pack(a_block, part(a, 0, p), m, depth);
      for (int64_t j = 0; j < n; j += columns_of_piece) {
        const int64_t columns = min(columns_of_piece, n - j);
        const PanelsOfA b_rows = in_place_a(transposed(part(b, p, j)));
        multiply_panels(columns, m, depth, b_rows, packed_b(a_block, depth), piece, width, {});
        TransposedCopy<Isa, T>::copy(turned, columns_of_piece, {piece, width, 1}, columns, m);
        add_rows_to_start(m, columns, turned, columns_of_piece, c + j, ldc, start.from(0, j));
      }
    }
  }
  static constexpr int64_t columns_of_piece = 4 * tile_rows;  // a piece stays in the first cache

  // C[m,n] = start[m,n] + x[m,n]
  static void add_rows_to_start(int64_t m, int64_t n, const T* x, int64_t x_stride, T* c, int64_t ldc,
                                const Rows<T>& start) {
    for (int64_t i = 0; i < m; ++i, x += x_stride, c += ldc) {
      const T* start_row = start.at(i, 0);
      for (int64_t j = 0; j < n; ++j) c[j] = start_row ? start_row[j] + x[j] : x[j];
    }
  }

  // ---- A packed B ------------------------------------------------------------------------------------------------

  // All of B as panels of all its rows; blocks of B begin in the middle of a panel.
  static int64_t packed_size(int64_t n, int64_t k) {
    return round_up(n, tile_columns) * k;
  }
  static void pack_matrix(T* packed, int64_t n, int64_t k, const Matrix<T>& b) {
    ColumnsOfB::pack(packed, transposed(b), n, k);
  }

  static void gemm_packed(int64_t m, int64_t n, int64_t k, const Matrix<T>& a, const T* b, T* c, int64_t ldc,
                          const Rows<T>& start) {
    const int64_t a_size = size_of_a_block(m, n, k, a);
    T* a_block = a_size ? static_cast<T*>(scratch(a_size * int64_t(sizeof(T)))) : nullptr;
    const auto packed_block = [=](int64_t p, int64_t, int64_t j, int64_t) {
      return PanelsOfB{b + j * k + p * tile_columns, k, tile_columns};
    };
    multiply_blocks(m, n, k, a, a_block, packed_block, c, ldc, start);
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
    for (; j < n; ++j) {
      T sum = start ? start[j] : 0;
      for (int p = 0; p < depth; ++p) sum += factor[p] * b[p * ldb + j];
      c[j] = sum;
    }
  }

  // For one row of A and contiguous rows of B, of which several are added to C at a time.
  static void multiply_by_rows(int64_t n, int64_t k, const Matrix<T>& a, const Matrix<T>& b, T* c, const T* start) {
    add_block_of_rows(n, min(rows_of_sum, k), a, b, c, start);
    if (k <= rows_of_sum) return;
    T* sum = static_cast<T*>(scratch(n * int64_t(sizeof(T))));
    for (int64_t p = rows_of_sum; p < k; p += rows_of_sum) {
      add_block_of_rows(n, min(rows_of_sum, k - p), part(a, 0, p), part(b, p, 0), sum, nullptr);
      add_rows_to_start(1, n, sum, n, c, n, {c, n});
    }
  }
  static constexpr int64_t rows_of_sum = 256;

  static void add_block_of_rows(int64_t n, int64_t depth, const Matrix<T>& a, const Matrix<T>& b, T* c,
                                const T* start) {
    constexpr int64_t together = 4;
    for (int64_t p = 0; p < depth; start = c) {
      const bool is_whole = p + together <= depth;
      const auto add = is_whole ? add_rows<together> : add_rows<1>;
      add(n, part(a, 0, p).data, a.column_stride, part(b, p, 0).data, b.row_stride, c, start);
      p += is_whole ? together : 1;
    }
  }

  // c = start + a[k] * b[k]. One row times a large matrix is as slow as memory, which is fastest when one column is
  // read after the other, and not several at a time.
  static void dot(int64_t k, const T* a, const T* b, T* c, const T* start) {
    for (int64_t p = 0; p < k; p += 4 * block_of_dots, start = c) {
      dot_of_block(min(4 * block_of_dots, k - p), a + p, b + p, c, start);
    }
  }

  // A block has 128 products for each lane.
  static constexpr int64_t block_of_dots = 128 * lanes;

  // Four sums side by side, because in a single one each addition would wait for the one before.
  static void dot_of_block(int64_t k, const T* a, const T* b, T* c, const T* start) {
    Vector sum0 = {}, sum1 = {}, sum2 = {}, sum3 = {};
    int64_t p = 0;
    for (; p + 4 * lanes <= k; p += 4 * lanes) {
      sum0 += Math::load(a + p) * Math::load(b + p);
      sum1 += Math::load(a + p + lanes) * Math::load(b + p + lanes);
      sum2 += Math::load(a + p + 2 * lanes) * Math::load(b + p + 2 * lanes);
      sum3 += Math::load(a + p + 3 * lanes) * Math::load(b + p + 3 * lanes);
    }
    for (; p + lanes <= k; p += lanes) sum0 += Math::load(a + p) * Math::load(b + p);
    T total = Math::sum((sum0 + sum1) + (sum2 + sum3));
    for (; p < k; ++p) total += a[p] * b[p];
    *c = start ? *start + total : total;
  }

  // C[rows, columns] = start[rows, columns] + A[rows, k] * B[k, columns], as dot products of contiguous memory.
  template <int rows, int columns>
  static void dots(int64_t k, const T* a, int64_t lda, const T* b, int64_t ldb, T* c, int64_t ldc,
                   const Rows<T>& start) {
    Vector sum[rows][columns];
#pragma GCC unroll 16
    for (int i = 0; i < rows; ++i) {
#pragma GCC unroll 16
      for (int j = 0; j < columns; ++j) sum[i][j] = Vector{};
    }
    int64_t p = 0;
    for (; p + lanes <= k; p += lanes) add_products<rows, columns>(sum, a + p, lda, b + p, ldb, load_whole);
    if constexpr (Part::has_masks) {
      const auto mask = Part::first(k - p);
      const auto load_rest = [mask](const T* x) -> Vector { return Part::load(x, mask); };
      if (p < k) add_products<rows, columns>(sum, a + p, lda, b + p, ldb, load_rest);
      p = k;
    }
#pragma GCC unroll 16
    for (int i = 0; i < rows; ++i) {
      T total[columns];
      add_lanes<columns>(total, sum[i]);
      const T* start_row = start.at(i, 0);
#pragma GCC unroll 16
      for (int j = 0; j < columns; ++j) {
        for (int64_t rest = p; rest < k; ++rest) total[j] += a[i * lda + rest] * b[j * ldb + rest];
        c[i * ldc + j] = start_row ? start_row[j] + total[j] : total[j];
      }
    }
  }
  static Vector load_whole(const T* x) {
    return Math::load(x);
  }

  template <int rows, int columns, class Load>
  static void add_products(Vector (&sum)[rows][columns], const T* a, int64_t lda, const T* b, int64_t ldb,
                           const Load& load) {
    Vector b_vector[columns];
#pragma GCC unroll 16
    for (int j = 0; j < columns; ++j) b_vector[j] = load(b + j * ldb);
#pragma GCC unroll 16
    for (int i = 0; i < rows; ++i) {
      const Vector a_vector = load(a + i * lda);
#pragma GCC unroll 16
      for (int j = 0; j < columns; ++j) sum[i][j] += a_vector * b_vector[j];
    }
  }

  // total[j] = the sum over the lanes of sum[j]
  template <int columns> static void add_lanes(T* total, const Vector (&sum)[columns]) {
    if constexpr (columns == 4 && lanes >= 4) {
      const Four a = fold<Isa>(sum[0]), b = fold<Isa>(sum[1]), c = fold<Isa>(sum[2]), d = fold<Isa>(sum[3]);
      const Four ab = __builtin_shufflevector(a, b, 0, 4, 1, 5) + __builtin_shufflevector(a, b, 2, 6, 3, 7);
      const Four cd = __builtin_shufflevector(c, d, 0, 4, 1, 5) + __builtin_shufflevector(c, d, 2, 6, 3, 7);
      const Four all = __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
      __builtin_memcpy(total, &all, sizeof all);
    } else {
      for (int j = 0; j < columns; ++j) total[j] = Math::sum(sum[j]);
    }
  }

  // Adds one half to the other until four lanes are left.
  template <class SomeIsa> static Four fold(typename VectorMath<SomeIsa, T>::Vector v) {
    constexpr int64_t some_lanes = VectorMath<SomeIsa, T>::lanes;
    if constexpr (some_lanes == 4) {
      return v;
    } else {
      const auto lower = std::make_integer_sequence<int, some_lanes / 2>();
      return fold<Half<SomeIsa>>(half<0>(v, lower) + half<some_lanes / 2>(v, lower));
    }
  }
  template <int first, class V, int... lane> static auto half(V v, std::integer_sequence<int, lane...>) {
    return __builtin_shufflevector(v, v, (first + lane)...);
  }

  // For contiguous columns of B and rows of A.
  static void multiply_by_columns(int64_t m, int64_t n, int64_t k, const Matrix<T>& a, const Matrix<T>& b, T* c,
                                  int64_t ldc, const Rows<T>& start) {
    for (int64_t j = 0; j < n;) {
      const int64_t columns = n - j >= 4 ? 4 : 1;
      for (int64_t i = 0; i < m;) {
        const int64_t rows = m - i >= 4 ? 4 : m - i >= 2 ? 2 : 1;
        const auto add_dots = dots_for(rows, columns);
        T* sum = c + i * ldc + j;
        Rows<T> so_far = start.from(i, j);
        for (int64_t p = 0; p < k; p += block_of_dots, so_far = {sum, ldc}) {
          add_dots(min(block_of_dots, k - p), part(a, i, p).data, a.row_stride, part(b, p, j).data, b.column_stride,
                   sum, ldc, so_far);
        }
        i += rows;
      }
      j += columns;
    }
  }
  static auto dots_for(int64_t rows, int64_t columns) {
    if (columns == 4) return rows == 4 ? dots<4, 4> : rows == 2 ? dots<2, 4> : dots<1, 4>;
    return rows == 4 ? dots<4, 1> : rows == 2 ? dots<2, 1> : dots<1, 1>;
  }
};

}  // namespace autograd::kernels
