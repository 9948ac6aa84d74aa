// Factories: new tensors from constants, ranges, values written out, and random numbers of the default generator
// (random.h). The dtype is float32 unless another is given, as in PyTorch.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "autograd/tensor/tensor.h"

namespace autograd {

// Does empty() hold NaN, and -10^18 among integers, instead of what was in that memory before? The course's answers are
// checked this way, because a program which forgets to write there may otherwise be right by chance.
inline constinit bool empty_is_nan = false;

Tensor zeros(const Shape& shape, DType dtype = float32, Where where = Where::current());
Tensor ones(const Shape& shape, DType dtype = float32, Where where = Where::current());
Tensor full(const Shape& shape, double value, DType dtype = float32, Where where = Where::current());
Tensor empty(const Shape& shape, DType dtype = float32, Where where = Where::current());  // unspecified elements
Tensor zeros_like(const Tensor& x, Where where = Where::current());
Tensor ones_like(const Tensor& x, Where where = Where::current());
Tensor full_like(const Tensor& x, double value, Where where = Where::current());
Tensor empty_like(const Tensor& x, Where where = Where::current());
Tensor eye(Int n, DType dtype = float32, Where where = Where::current());         // the identity matrix
Tensor eye(Int n, Int m, DType dtype = float32, Where where = Where::current());  // n x m
Tensor arange(Int stop, DType dtype = int64, Where where = Where::current());     // 0, 1, ..., stop - 1
// start, start + step, ..., before stop; a negative step counts down.
Tensor arange(Int start, Int stop, Int step = 1, DType dtype = int64, Where where = Where::current());
// The same with fractions, float32 unless another dtype is given: arange(0, 1, 0.25) is 0, 0.25, 0.5, 0.75.
Tensor arange_of_fractions(double start, double stop, double step, DType dtype, Where where);
template <class T>
concept Number = WholeNumber<T> || std::floating_point<T>;
template <std::floating_point Stop> Tensor arange(Stop stop, DType dtype = float32, Where where = Where::current()) {
  return arange_of_fractions(0.0, stop, 1.0, dtype, where);
}
template <Number Start, Number Stop, Number Step = int>
requires(std::floating_point<Start> || std::floating_point<Stop> || std::floating_point<Step>) Tensor
    arange(Start start, Stop stop, Step step = 1, DType dtype = float32, Where where = Where::current()) {
  return arange_of_fractions(static_cast<double>(start), static_cast<double>(stop), static_cast<double>(step), dtype,
                             where);
}
Tensor linspace(double start, double stop, Int count, DType dtype = float32, Where where = Where::current());

// Values written out: tensor(3.0), tensor({1, 2, 3}), tensor({{1, 2}, {3, 4}}). Lists of one dim are templates because
// C++ would also read {{1}, {2}} as a list of two numbers, and it prefers the overload that is not a template.
Tensor tensor(double value, DType dtype = float32, Where where = Where::current());
Tensor tensor(const std::vector<double>& values, DType dtype = float32, Where where = Where::current());
template <class = void>
Tensor tensor(std::initializer_list<double> values, DType dtype = float32, Where where = Where::current());
Tensor tensor(std::initializer_list<std::initializer_list<double>> rows, DType dtype = float32,
              Where where = Where::current());
Tensor tensor(std::initializer_list<std::initializer_list<std::initializer_list<double>>> matrices,
              DType dtype = float32, Where where = Where::current());
// true is not a number here; mask({true, false}) is a tensor of booleans.
template <std::same_as<bool> T> Tensor tensor(T value, DType dtype = float32, Where where = Where::current()) = delete;
template <std::same_as<bool> T>
Tensor tensor(std::initializer_list<T> values, DType dtype = float32, Where where = Where::current()) = delete;
template <std::same_as<bool> T>
Tensor tensor(std::initializer_list<std::initializer_list<T>> rows, DType dtype = float32,
              Where where = Where::current()) = delete;
// From a list of any length, filling `shape` in row-major order.
Tensor from_vector(const std::vector<double>& values, const Shape& shape, DType dtype = float32,
                   Where where = Where::current());
// Token ids and masks.
Tensor ids(const std::vector<std::int64_t>& values, const Shape& shape, Where where = Where::current());
template <class = void> Tensor ids(std::initializer_list<std::int64_t> values, Where where = Where::current());
Tensor ids(std::initializer_list<std::initializer_list<std::int64_t>> rows, Where where = Where::current());
template <class = void> Tensor mask(std::initializer_list<bool> values, Where where = Where::current());
Tensor mask(std::initializer_list<std::initializer_list<bool>> rows, Where where = Where::current());

// Random: uniform on [0, 1), standard normal, integers on [low, high), true with probability p, a permutation.
Tensor rand(const Shape& shape, DType dtype = float32, Where where = Where::current());
Tensor randn(const Shape& shape, DType dtype = float32, Where where = Where::current());
Tensor rand_like(const Tensor& x, Where where = Where::current());
Tensor randn_like(const Tensor& x, Where where = Where::current());
Tensor randint(Int low, Int high, const Shape& shape, Where where = Where::current());
Tensor bernoulli(double p, const Shape& shape, DType dtype = float32, Where where = Where::current());
Tensor randperm(Int n, Where where = Where::current());

}  // namespace autograd
