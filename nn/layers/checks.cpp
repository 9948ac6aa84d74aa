#include "nn/layers/checks.h"

#include <fmt/core.h>

#include <cmath>

namespace nn {

void check_positive(std::string_view asked, std::string_view option, std::int64_t value, Where where) {
  if (value >= 1) return;
  autograd::fail(ErrorId::bad_argument, asked, where, fmt::format("{} is {}", option, value),
                 fmt::format("give a positive number, {{.{} = ...}}", option));
}

void check_size(std::string_view asked, std::string_view option, std::int64_t value, Where where) {
  constexpr std::int64_t largest = std::int64_t{1} << 48;
  check_positive(asked, option, value, where);
  if (value <= largest) return;
  autograd::fail(ErrorId::bad_argument, asked, where, fmt::format("{} is {}, which no memory holds", option, value),
                 fmt::format("give a smaller number, {{.{} = ...}}", option));
}

void check_layers(std::string_view asked, std::string_view option, std::int64_t value, Where where) {
  check_positive(asked, option, value, where);
  check_range(asked, option, static_cast<double>(value), 1, 10'000, where);
}

void check_range(std::string_view asked, std::string_view option, double value, double low, double high, Where where) {
  if (value >= low && value <= high && std::isfinite(value)) return;
  autograd::fail(ErrorId::bad_argument, asked, where, fmt::format("{} is {}", option, value),
                 std::isinf(high) ? fmt::format("give a finite number, {} or more", low)
                                  : fmt::format("give a number from {} to {}", low, high));
}

void check_parameter_dtype(std::string_view asked, DType dtype, Where where) {
  if (autograd::is_floating(dtype)) return;
  autograd::fail(ErrorId::dtype_mismatch, asked, where, fmt::format("parameters of dtype {} were asked for", dtype),
                 "use float32 or float64: only they have gradients");
}

namespace {

bool fits(const Shape& shape, const Shape& expected) {
  if (shape.dim() != expected.dim()) return false;
  for (int i = 0; i < shape.dim(); ++i) {
    if (expected[i] != -1 && shape[i] != expected[i]) return false;
  }
  return true;
}

// "[?, 256]"
std::string pattern(const Shape& expected) {
  std::string text;
  for (const std::int64_t size : expected) {
    text += text.empty() ? "[" : ", ";
    text += size == -1 ? "?" : std::to_string(size);
  }
  return text + "]";
}

}  // namespace

void check_shape(std::string_view asked, std::string_view argument, const Tensor& x, const Shape& expected,
                 std::string_view layout, Where where) {
  check_defined(asked, argument, x, where);
  if (fits(x.shape(), expected)) return;
  autograd::fail(ErrorId::shape_mismatch, asked, where,
                 fmt::format("{} is {}, not {} = {}", argument, x.shape(), layout, pattern(expected)),
                 "check the order of the dims and the sizes the module was made with");
}

void check_defined(std::string_view asked, std::string_view argument, const Tensor& x, Where where) {
  if (x.defined()) return;
  autograd::fail(ErrorId::undefined_tensor, asked, where, fmt::format("{} was never given a value", argument),
                 "pass a tensor that was made by a factory or an op");
}

}  // namespace nn
