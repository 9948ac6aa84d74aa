// Private to simd_gemm.h: copies parts of matrices into the order in which the innermost loop of a product reads them.
#pragma once

#include <utility>

#include "autograd/kernels/simd.h"
#include "autograd/kernels/simd_math.h"
#include "autograd/kernels/simd_part.h"

namespace autograd::kernels {

// A copy of a part of a matrix, transposed.
template <class Isa, class T> struct TransposedCopy {
  static constexpr int64_t lanes = VectorMath<Isa, T>::lanes;

  static int64_t min(int64_t a, int64_t b) { return a < b ? a : b; }
  static Matrix<T> part(Matrix<T> matrix, int64_t row, int64_t column) {
    const auto& [data, row_stride, column_stride] = matrix;
    return {data + row * row_stride + column * column_stride, row_stride, column_stride};
  }

  // to[p * to_stride + i] = source(i, p) for i < rows and p < depth
  static void copy(T* to, int64_t to_stride, Matrix<T> source, int64_t rows, int64_t depth) {
    constexpr int wide = lanes > 4 ? lanes : 4;
    if (source.column_stride == 1 && rows >= 4 && depth >= 4) {
      const auto transpose = rows >= wide && depth >= wide ? transpose_panel<wide> : transpose_panel<4>;
      transpose(to, to_stride, source, rows, depth);
      return;
    }
    for (int64_t p = 0; p < depth; ++p) {
      const T* from = source.data + p * source.column_stride;
      for (int64_t i = 0; i < rows; ++i) to[p * to_stride + i] = from[i * source.row_stride];
    }
  }

  // In squares, as wide as a vector where the source is; the last in a row or column of squares overlaps the one
  // before. Reads the rows of a square from end to end of a strip, and prefetches the next ones. The cache lines
  // written in a strip stay in the first cache until they are complete.
  template <int side>
  static void transpose_panel(T* packed, int64_t width, Matrix<T> source, int64_t rows, int64_t depth) {
    constexpr int64_t strip = 512 / sizeof(T);
    for (int64_t begin = 0; begin < depth; begin += strip) {
      const int64_t first = min(begin, depth - side);
      for (int64_t i = 0; i < rows; i += side) {
        const int64_t row = min(i, rows - side);
        const T* next = i + side < rows ? part(source, i + side, begin).data : part(source, 0, begin + strip).data;
        transpose_rows<side>(packed + first * width + row, width, part(source, row, first).data, source.row_stride,
                             min(strip, depth - first), next);
      }
    }
  }

  // to[p * to_stride + i] = from[i * from_stride + p] for i < side and p < count
  template <int side>
  static void transpose_rows(T* to, int64_t to_stride, const T* from, int64_t from_stride, int64_t count,
                             const T* next) {
    constexpr int64_t squares = 64 / sizeof(T) / side;  // of one cache line
    for (int64_t p = 0; p + side <= count; p += side) {
      for (int64_t i = p / side % squares; i < side; i += squares) __builtin_prefetch(next + i * from_stride + p);
      transpose_square<side>(to + p * to_stride, to_stride, from + p, from_stride);
    }
    const int64_t last = count - side;
    if (count % side) transpose_square<side>(to + last * to_stride, to_stride, from + last, from_stride);
  }

  // to[p * to_stride + i] = from[i * from_stride + p] for i, p < side
  template <int side> static void transpose_square(T* to, int64_t to_stride, const T* from, int64_t from_stride) {
    typedef T Row __attribute__((vector_size(side * sizeof(T))));
    Row row[side];
#pragma GCC unroll 16
    for (int i = 0; i < side; ++i) __builtin_memcpy(&row[i], from + i * from_stride, sizeof(Row));
    exchange_quarters<side / 2>(row);
#pragma GCC unroll 16
    for (int i = 0; i < side; ++i) __builtin_memcpy(to + i * to_stride, &row[i], sizeof(Row));
  }

  // In each square of 2 * half rows and columns, the upper right quarter changes places with the lower left one. Then
  // the same is done within each quarter.
  template <int half, class Row, int side> static void exchange_quarters(Row (&row)[side]) {
#pragma GCC unroll 16
    for (int i = 0; i < side; ++i) {
      if (i % (2 * half) < half) exchange<half>(row[i], row[i + half], std::make_integer_sequence<int, side>());
    }
    if constexpr (half > 1) exchange_quarters<half / 2>(row);
  }
  template <int half, class Row, int... lane>
  static void exchange(Row& upper, Row& lower, std::integer_sequence<int, lane...>) {
    constexpr int side = sizeof...(lane);
    const Row left = __builtin_shufflevector(upper, lower, (lane & half ? side + lane - half : lane)...);
    lower = __builtin_shufflevector(upper, lower, (lane & half ? side + lane : lane + half)...);
    upper = left;
  }
};

// Panels of `width` rows of a matrix.
template <class Isa, class T, int64_t width> struct Panels {
  using Math = VectorMath<Isa, T>;
  using Vector = typename Math::Vector;
  using Part = PartOf<Isa, T, Isa::vector_bytes>;
  using Transposed = TransposedCopy<Isa, T>;
  static constexpr int64_t lanes = Math::lanes;

  // source [rows, depth] as panels of `width` rows, one after the other: in each of them packed[p, i] = source(i, p).
  // Where vectors are always loaded whole, the last one is filled up with zeros.
  static void pack(T* packed, Matrix<T> source, int64_t rows, int64_t depth) {
    if (source.row_stride == 1) {
      copy_panels(packed, source, rows, depth);
      return;
    }
    for (int64_t i = 0; i < rows; i += width) {
      pack_panel(packed + i * depth, Transposed::part(source, i, 0), Transposed::min(width, rows - i), depth);
    }
  }

  // Several panels at a time, because memory is faster when longer pieces of it are read at once.
  static void copy_panels(T* packed, Matrix<T> source, int64_t rows, int64_t depth) {
    constexpr int64_t together = 8 * width;
    for (int64_t begin = 0; begin < rows; begin += together) {
      const int64_t end = Transposed::min(begin + together, rows);
      for (int64_t p = 0; p < depth; ++p) {
        const T* from = source.data + p * source.column_stride;
        fetch(from + 4 * source.column_stride + begin, end - begin);
        for (int64_t i = begin; i < end; i += width) {
          copy_row(packed + i * depth + p * width, from + i, rows - i);
        }
      }
    }
  }

  // to[i] = from[i] for i < count; what follows up to `width` is 0.
  static void copy_row(T* to, const T* from, int64_t count) {
    if (count >= width) {
      __builtin_memcpy(to, from, width * sizeof(T));
    } else if constexpr (Part::has_masks) {
      for (int64_t i = 0; i < width; i += lanes) {
        const Vector v = Part::load(from + i, Part::first(count > i ? count - i : 0));
        Part::store(to + i, v, Part::first(width - i));
      }
    } else {
      for (int64_t i = 0; i < width; ++i) to[i] = i < count ? from[i] : 0;
    }
  }

  // Prefetches memory that will be needed soon.
  static void fetch(const T* data, int64_t count) {
    constexpr int64_t line = 64 / sizeof(T);
    for (int64_t i = 0; i < count; i += line) __builtin_prefetch(data + i);
  }

  static void pack_panel(T* packed, Matrix<T> source, int64_t rows, int64_t depth) {
    Transposed::copy(packed, width, source, rows, depth);
    for (int64_t p = 0; p < depth && rows < width && !Part::has_masks; ++p) {
      for (int64_t i = rows; i < width; ++i) packed[p * width + i] = 0;
    }
  }
};

}  // namespace autograd::kernels
