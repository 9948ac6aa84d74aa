#include "autograd/tensor/factories.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "autograd/tensor/checks.h"
#include "autograd/tensor/format.h"
#include "autograd/tensor/kernel_arguments.h"
#include "autograd/tensor/random.h"

namespace autograd {
namespace {

// Throws for negative sizes, and for more elements than memory can hold.
void check_shape(const char* op, const Shape& shape, Where where) {
  for (const std::int64_t size : shape) {
    if (size >= 0) continue;
    fail(ErrorId::bad_argument, op, where, fmt::format("{} has a negative size", shape), "use sizes of 0 or more");
  }
  check_size(op, shape, where);
}

// Fills a new tensor element by element, in row-major order. Throws dtype-mismatch for a number that would be cut.
template <class Next> Tensor generate(const char* op, const Shape& shape, DType dtype, Where where, Next&& next) {
  check_shape(op, shape, where);
  Tensor result = make_tensor(shape, dtype);
  with_type(dtype, [&]<class T>(T) {
    for (std::int64_t i = 0; i < result.numel(); ++i) {
      const auto value = next(i);
      if constexpr (std::is_same_v<decltype(value), const double> && !std::is_floating_point_v<T>) {
        if (dtype == int64) check_number(op, value, dtype, where);
      }
      pointer<T>(result)[i] = static_cast<T>(value);
    }
  });
  return result;
}

template <class Rows> std::int64_t row_length(const char* op, const Rows& rows, Where where) {
  const std::size_t length = rows.size() == 0 ? 0 : rows.begin()->size();
  for (const auto& row : rows) {
    if (row.size() != length) {
      fail(ErrorId::shape_mismatch, op, where, fmt::format("one row has {} values, another {}", length, row.size()),
           "make all rows equally long");
    }
  }
  return static_cast<std::int64_t>(length);
}

template <class T, class Rows> std::vector<T> flattened(const Rows& rows) {
  std::vector<T> values;
  for (const auto& row : rows) values.insert(values.end(), row.begin(), row.end());
  return values;
}

template <class T>
Tensor from_values(const char* op, const std::vector<T>& values, const Shape& shape, DType dtype, Where where) {
  check_shape(op, shape, where);
  if (static_cast<std::int64_t>(values.size()) != shape.numel()) {
    fail(ErrorId::shape_mismatch, op, where,
         fmt::format("{} values do not fill {}, which has {} elements", values.size(), shape, shape.numel()),
         "give as many values as the product of the sizes");
  }
  return generate(op, shape, dtype, where, [&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; });
}

template <class T, class Rows> Tensor from_rows(const char* op, const Rows& rows, DType dtype, Where where) {
  const Shape shape{static_cast<std::int64_t>(rows.size()), row_length(op, rows, where)};
  return from_values(op, flattened<T>(rows), shape, dtype, where);
}

Tensor constant(const char* op, const Shape& shape, double value, DType dtype, Where where) {
  check_shape(op, shape, where);
  if (dtype == int64) check_number(op, value, dtype, where);  // of booleans, every number but 0 is true
  Tensor result = make_tensor(shape, dtype);
  with_type(dtype, [&]<class T>(T) { kernels::fill(pointer<T>(result), static_cast<T>(value), result.numel()); });
  return result;
}

}  // namespace

Tensor zeros(const Shape& shape, DType dtype, Where where) {
  return constant("zeros", shape, 0.0, dtype, where);
}

Tensor ones(const Shape& shape, DType dtype, Where where) {
  return constant("ones", shape, 1.0, dtype, where);
}

Tensor full(const Shape& shape, double value, DType dtype, Where where) {
  return constant("full", shape, value, dtype, where);
}

Tensor empty(const Shape& shape, DType dtype, Where where) {
  if (empty_is_nan) return constant("empty", shape, is_floating(dtype) ? NAN : -1e18, dtype, where);
  check_shape("empty", shape, where);
  return make_tensor(shape, dtype);
}

Tensor zeros_like(const Tensor& x, Where where) {
  check_defined("zeros_like", x, where);
  return zeros(x.shape(), x.dtype(), where);
}

Tensor ones_like(const Tensor& x, Where where) {
  check_defined("ones_like", x, where);
  return ones(x.shape(), x.dtype(), where);
}

Tensor full_like(const Tensor& x, double value, Where where) {
  check_defined("full_like", x, where);
  return constant("full_like", x.shape(), value, x.dtype(), where);
}

Tensor empty_like(const Tensor& x, Where where) {
  check_defined("empty_like", x, where);
  return empty(x.shape(), x.dtype(), where);
}

Tensor eye(Int n, DType dtype, Where where) {
  return eye(n, n, dtype, where);
}

Tensor eye(Int n, Int m, DType dtype, Where where) {
  return generate("eye", {n, m}, dtype, where, [&](std::int64_t i) { return i / m == i % m ? 1 : 0; });
}

Tensor arange(Int stop, DType dtype, Where where) {
  return generate("arange", {stop}, dtype, where, [](std::int64_t i) { return i; });
}

Tensor arange(Int start, Int stop, Int step, DType dtype, Where where) {
  if (step == 0 || (stop < start) != (step < 0 && stop != start)) {
    fail(ErrorId::bad_argument, "arange", where,
         fmt::format("steps of {} do not lead from {} to {}", step, start, stop),
         "give a step other than 0 that leads towards stop; for fractions use linspace()");
  }
  // Unsigned, because the distance of two int64 may be too large for a third.
  const std::uint64_t distance =
      step > 0 ? std::uint64_t(stop) - std::uint64_t(start) : std::uint64_t(start) - std::uint64_t(stop);
  const std::uint64_t stride = step > 0 ? std::uint64_t(step) : -std::uint64_t(step);
  const std::uint64_t count = distance / stride + (distance % stride != 0 ? 1 : 0);
  const auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  return generate("arange", {static_cast<std::int64_t>(std::min(count, most))}, dtype, where,
                  [&](std::int64_t i) { return start + i * step; });
}

Tensor arange_of_fractions(double start, double stop, double step, DType dtype, Where where) {
  const double count = std::ceil((stop - start) / step);
  if (!std::isfinite(step) || !std::isfinite(count) || count < 0.0) {
    fail(ErrorId::bad_argument, "arange", where,
         fmt::format("steps of {} do not lead from {} to {}", step, start, stop),
         "give finite numbers, and a step other than 0 that leads towards stop");
  }
  const Shape shape = static_cast<std::int64_t>(std::min(count, 0x1p62));
  return generate("arange", shape, dtype, where, [&](std::int64_t i) { return start + step * static_cast<double>(i); });
}

Tensor linspace(double start, double stop, Int count, DType dtype, Where where) {
  const double step = count > 1 ? (stop - start) / static_cast<double>(count - 1) : 0.0;
  return generate("linspace", {count}, dtype, where, [&](std::int64_t i) {
    return i + 1 == count && count > 1 ? stop : start + step * static_cast<double>(i);
  });
}

Tensor tensor(double value, DType dtype, Where where) {
  return constant("tensor", {}, value, dtype, where);
}

Tensor tensor(const std::vector<double>& values, DType dtype, Where where) {
  return from_values("tensor", values, {static_cast<std::int64_t>(values.size())}, dtype, where);
}

template <class> Tensor tensor(std::initializer_list<double> values, DType dtype, Where where) {
  return from_values("tensor", std::vector<double>(values), {static_cast<std::int64_t>(values.size())}, dtype, where);
}
template Tensor tensor<void>(std::initializer_list<double>, DType, Where);

Tensor tensor(std::initializer_list<std::initializer_list<double>> rows, DType dtype, Where where) {
  return from_rows<double>("tensor", rows, dtype, where);
}

Tensor tensor(std::initializer_list<std::initializer_list<std::initializer_list<double>>> matrices, DType dtype,
              Where where) {
  std::vector<std::initializer_list<double>> rows;
  for (const auto& matrix : matrices) rows.insert(rows.end(), matrix.begin(), matrix.end());
  const Shape shape{static_cast<std::int64_t>(matrices.size()), row_length("tensor", matrices, where),
                    row_length("tensor", rows, where)};
  return from_values("tensor", flattened<double>(rows), shape, dtype, where);
}

Tensor from_vector(const std::vector<double>& values, const Shape& shape, DType dtype, Where where) {
  return from_values("from_vector", values, shape, dtype, where);
}

Tensor ids(const std::vector<std::int64_t>& values, const Shape& shape, Where where) {
  return from_values("ids", values, shape, int64, where);
}

template <class> Tensor ids(std::initializer_list<std::int64_t> values, Where where) {
  return ids(std::vector<std::int64_t>(values), {static_cast<std::int64_t>(values.size())}, where);
}
template Tensor ids<void>(std::initializer_list<std::int64_t>, Where);

Tensor ids(std::initializer_list<std::initializer_list<std::int64_t>> rows, Where where) {
  return from_rows<std::int64_t>("ids", rows, int64, where);
}

template <class> Tensor mask(std::initializer_list<bool> values, Where where) {
  return from_values("mask", std::vector<bool>(values), {static_cast<std::int64_t>(values.size())}, boolean, where);
}
template Tensor mask<void>(std::initializer_list<bool>, Where);

Tensor mask(std::initializer_list<std::initializer_list<bool>> rows, Where where) {
  return from_rows<bool>("mask", rows, boolean, where);
}

Tensor rand(const Shape& shape, DType dtype, Where where) {
  Generator& generator = default_generator();
  const double largest = dtype == float32 ? 0x1.fffffep-1 : 1.0;  // a number nearer to 1 would be rounded to 1
  return generate("rand", shape, dtype, where, [&](std::int64_t) { return std::min(generator.uniform(), largest); });
}

Tensor randn(const Shape& shape, DType dtype, Where where) {
  Generator& generator = default_generator();
  return generate("randn", shape, dtype, where, [&](std::int64_t) { return generator.normal(); });
}

Tensor rand_like(const Tensor& x, Where where) {
  check_floating("rand_like", x, where);
  return rand(x.shape(), x.dtype(), where);
}

Tensor randn_like(const Tensor& x, Where where) {
  check_floating("randn_like", x, where);
  return randn(x.shape(), x.dtype(), where);
}

Tensor randint(Int low, Int high, const Shape& shape, Where where) {
  if (low >= high) {
    fail(ErrorId::bad_argument, "randint", where, fmt::format("there is no integer in [{}, {})", low, high),
         "make high larger than low");
  }
  Generator& generator = default_generator();
  return generate("randint", shape, int64, where, [&](std::int64_t) { return generator.integer(low, high); });
}

Tensor bernoulli(double p, const Shape& shape, DType dtype, Where where) {
  if (!(p >= 0.0 && p <= 1.0)) {
    fail(ErrorId::bad_argument, "bernoulli", where, fmt::format("{} is not a probability", p),
         "use a number from 0 to 1");
  }
  Generator& generator = default_generator();
  return generate("bernoulli", shape, dtype, where, [&](std::int64_t) { return generator.uniform() < p; });
}

Tensor randperm(Int n, Where where) {
  Tensor order = arange(n, int64, where);
  std::int64_t* values = pointer<std::int64_t>(order);
  Generator& generator = default_generator();
  for (std::int64_t i = n - 1; i > 0; --i) std::swap(values[i], values[generator.integer(0, i + 1)]);  // Fisher-Yates
  return order;
}

}  // namespace autograd
