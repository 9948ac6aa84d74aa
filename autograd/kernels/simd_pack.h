// Private to simd_gemm.h: copies parts of matrices into the order in which the innermost loop of a product reads them.
#pragma once

#include "autograd/kernels/simd.h"
#include "autograd/kernels/simd_math.h"
#include "autograd/kernels/simd_part.h"

namespace autograd::kernels {

// A copy of a part of a matrix, transposed.
template <class Isa, class T> struct TransposedCopy {
  typedef T Four __attribute__((vector_size(4 * sizeof(T))));

  static int64_t min(int64_t a, int64_t b) { return a < b ? a : b; }
  static Matrix<T> part(Matrix<T> matrix, int64_t row, int64_t column) {
    const auto& [data, row_stride, column_stride] = matrix;
    return {data + row * row_stride + column * column_stride, row_stride, column_stride};
  }

  // to[p * to_stride + i] = source(i, p) for i < rows and p < depth
  static void copy(T* to, int64_t to_stride, Matrix<T> source, int64_t rows, int64_t depth) {
    if (source.column_stride == 1 && rows >= 4 && depth >= 4) {
      transpose_panel(to, to_stride, source, rows, depth);
      return;
    }
    for (int64_t p = 0; p < depth; ++p) {
      const T* from = source.data + p * source.column_stride;
      for (int64_t i = 0; i < rows; ++i) to[p * to_stride + i] = from[i * source.row_stride];
    }
  }

  // In squares of 4 by 4; the last in a row or column of squares overlaps the one before. Reads four rows at a time
  // from end to end of a strip, and prefetches the next four. The cache lines written in a strip stay in the first
  // cache until they are complete.
  static void transpose_panel(T* packed, int64_t width, Matrix<T> source, int64_t rows, int64_t depth) {
    constexpr int64_t strip = 512 / sizeof(T);
    for (int64_t begin = 0; begin < depth; begin += strip) {
      const int64_t first = min(begin, depth - 4);
      for (int64_t i = 0; i < rows; i += 4) {
        const int64_t row = min(i, rows - 4);
        const T* next = i + 4 < rows ? part(source, i + 4, begin).data : part(source, 0, begin + strip).data;
        transpose_four_rows(packed + first * width + row, width, part(source, row, first).data, source.row_stride,
                            min(strip, depth - first), next);
      }
    }
  }

  // to[p * to_stride + i] = from[i * from_stride + p] for i < 4 and p < count
  static void transpose_four_rows(T* to, int64_t to_stride, const T* from, int64_t from_stride, int64_t count,
                                  const T* next) {
    constexpr int64_t lines = sizeof(T) / 4;  // cache lines of one square
    for (int64_t p = 0; p + 4 <= count; p += 4) {
      for (int64_t i = 0; i < lines; ++i) __builtin_prefetch(next + (p / 4 + 2 * i) % 4 * from_stride + p);
      transpose_4x4(to + p * to_stride, to_stride, from + p, from_stride);
    }
    if (count % 4) transpose_4x4(to + (count - 4) * to_stride, to_stride, from + count - 4, from_stride);
  }

  // to[p * to_stride + i] = from[i * from_stride + p] for i, p < 4
  static void transpose_4x4(T* to, int64_t to_stride, const T* from, int64_t from_stride) {
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
