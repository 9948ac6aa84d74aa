#include "nn/translation/positional_encoding.h"

#include <fmt/core.h>

#include <cmath>
#include <vector>

#include "nn/layers/checks.h"

namespace nn {

Tensor sinusoidal_positions(std::int64_t length, std::int64_t d_model, std::int64_t first, DType dtype, Where where) {
  check_positive("sinusoidal_positions", "length", length, where);
  check_positive("sinusoidal_positions", "d_model", d_model, where);
  check_parameter_dtype("sinusoidal_positions", dtype, where);
  if (first < 0) {
    autograd::fail(ErrorId::bad_argument, "sinusoidal_positions", where, fmt::format("first is {}", first),
                   "count positions from 0");
  }
  std::vector<double> values;
  for (std::int64_t position = first; position < first + length; ++position) {
    for (std::int64_t feature = 0; feature < d_model; ++feature) {
      const std::int64_t even = feature - feature % 2;  // 2i, for the sine and for its cosine
      const double exponent = static_cast<double>(even) / static_cast<double>(d_model);
      const double angle = static_cast<double>(position) / std::pow(10000.0, exponent);
      values.push_back(feature == even ? std::sin(angle) : std::cos(angle));
    }
  }
  return autograd::from_vector(values, {length, d_model}, dtype, where);
}

PositionalEncoding::PositionalEncoding(const PositionalEncodingOptions& given, Where where)
    : options(given), dropout({.p = given.dropout}, where) {
  check_positive("PositionalEncoding", "d_model", options.d_model, where);
  register_module("dropout", dropout);
}

Tensor PositionalEncoding::operator()(const Tensor& x, std::int64_t first, Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  check_shape("PositionalEncoding", "x", x, {-1, -1, options.d_model}, "[batch, time, d_model]", where);
  const Tensor positions = sinusoidal_positions(x.size(1), options.d_model, first, x.dtype());  // [time, d_model]
  return dropout(x + positions);
}

}  // namespace nn
