#include "nn/layers/init.h"

#include <fmt/core.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "nn/layers/checks.h"

namespace nn::init {

using autograd::ErrorId;
using autograd::NoGradGuard;

void uniform_(const Tensor& x, double low, double high, Where where) {
  check_range("uniform_", "low", low, std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max(), where);
  check_range("uniform_", "high", high, low, std::numeric_limits<double>::infinity(), where);
  const NoGradGuard no_grad;
  x.copy_(autograd::rand(x.shape(), x.dtype(), where) * (high - low) + low, where);
}

void normal_(const Tensor& x, double mean, double std, Where where) {
  check_range("normal_", "std", std, 0.0, std::numeric_limits<double>::infinity(), where);
  check_range("normal_", "mean", mean, std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max(),
              where);
  const NoGradGuard no_grad;
  x.copy_(autograd::randn(x.shape(), x.dtype(), where) * std + mean, where);
}

void constant_(const Tensor& x, double value, Where where) {
  const NoGradGuard no_grad;
  x.fill_(value, where);
}

void zeros_(const Tensor& x, Where where) {
  constant_(x, 0.0, where);
}
void ones_(const Tensor& x, Where where) {
  constant_(x, 1.0, where);
}

namespace {

void check_is_matrix(std::string_view asked, const Tensor& x, Where where) {
  if (x.dim() >= 2) return;
  autograd::fail(ErrorId::shape_mismatch, asked, where,
                 fmt::format("the tensor is {}, but fan_in and fan_out need two dims", x.shape()),
                 "use it for weights; biases start at zero or small and uniform");
}

struct Fans {
  double in = 0.0;
  double out = 0.0;
};

Fans fans(std::string_view asked, const Tensor& x, Where where) {
  check_is_matrix(asked, x, where);
  const std::int64_t rows = x.shape()[0];
  const std::int64_t columns = x.shape()[1];
  const std::int64_t rest = rows * columns == 0 ? 0 : x.numel() / (rows * columns);
  return {.in = static_cast<double>(columns * rest), .out = static_cast<double>(rows * rest)};
}

}  // namespace

void xavier_uniform_(const Tensor& x, double gain, Where where) {
  const Fans fan = fans("xavier_uniform_", x, where);
  check_range("xavier_uniform_", "gain", gain, 0.0, std::numeric_limits<double>::infinity(), where);
  const double bound = gain * std::sqrt(6.0 / (fan.in + fan.out));
  uniform_(x, -bound, bound, where);
}

void xavier_normal_(const Tensor& x, double gain, Where where) {
  const Fans fan = fans("xavier_normal_", x, where);
  normal_(x, 0.0, gain * std::sqrt(2.0 / (fan.in + fan.out)), where);
}

namespace {

// gain / sqrt(fan), the standard deviation of both.
double kaiming_deviation(std::string_view asked, const Tensor& x, double a, std::string_view mode,
                         std::string_view nonlinearity, Where where) {
  const Fans fan = fans(asked, x, where);
  if (mode != "fan_in" && mode != "fan_out") {
    autograd::fail(ErrorId::bad_argument, asked, where, fmt::format("mode is \"{}\"", mode),
                   "use \"fan_in\" or \"fan_out\"");
  }
  check_range(asked, "a", a, std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max(), where);
  return calculate_gain(nonlinearity, a, where) / std::sqrt(mode == "fan_in" ? fan.in : fan.out);
}

}  // namespace

void kaiming_uniform_(const Tensor& x, double a, std::string_view mode, std::string_view nonlinearity, Where where) {
  const double bound = std::sqrt(3.0) * kaiming_deviation("kaiming_uniform_", x, a, mode, nonlinearity, where);
  uniform_(x, -bound, bound, where);
}

void kaiming_normal_(const Tensor& x, double a, std::string_view mode, std::string_view nonlinearity, Where where) {
  normal_(x, 0.0, kaiming_deviation("kaiming_normal_", x, a, mode, nonlinearity, where), where);
}

// ---- orthogonal ----------------------------------------------------------------------------------------------

namespace {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// Subtracts from x its projection on each of the orthonormal vectors.
void remove_projections(Vector& x, const std::vector<Vector>& orthonormal) {
  for (const Vector& unit : orthonormal) {
    const double along = dot(x, unit);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] -= along * unit[i];
  }
}

Vector random_direction(std::size_t size) {
  Vector x(size);
  for (double& element : x) element = autograd::default_generator().normal();
  return x;
}

// `count` <= size orthonormal vectors by Gram-Schmidt on random directions. Each is cleaned twice: once leaves
// rounding errors that grow with the number of vectors ("twice is enough", Giraud, Langou and Rozloznik 2005).
std::vector<Vector> random_orthonormal(std::size_t count, std::size_t size) {
  std::vector<Vector> result;
  while (result.size() < count) {
    Vector x = random_direction(size);
    remove_projections(x, result);
    remove_projections(x, result);
    const double length = std::sqrt(dot(x, x));
    if (length < 1e-6) continue;  // by chance almost within the span of the others: draw again
    for (double& element : x) element /= length;
    result.push_back(std::move(x));
  }
  return result;
}

}  // namespace

void orthogonal_(const Tensor& x, double gain, Where where) {
  check_is_matrix("orthogonal_", x, where);
  check_range("orthogonal_", "gain", gain, std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max(),
              where);
  if (x.numel() == 0) return;
  const auto rows = static_cast<std::size_t>(x.shape()[0]);
  const std::size_t columns = static_cast<std::size_t>(x.numel()) / rows;
  const bool is_wide = rows <= columns;
  const std::vector<Vector> vectors = is_wide ? random_orthonormal(rows, columns) : random_orthonormal(columns, rows);
  std::vector<double> values;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      values.push_back(gain * (is_wide ? vectors[row][column] : vectors[column][row]));
    }
  }
  const NoGradGuard no_grad;
  x.copy_(autograd::from_vector(values, x.shape(), x.dtype(), where), where);
}

double calculate_gain(std::string_view nonlinearity, double slope, Where where) {
  if (nonlinearity == "linear" || nonlinearity == "sigmoid") return 1.0;
  if (nonlinearity == "tanh") return 5.0 / 3.0;
  if (nonlinearity == "relu") return std::sqrt(2.0);
  if (nonlinearity == "leaky_relu") return std::sqrt(2.0 / (1.0 + slope * slope));
  autograd::fail(ErrorId::bad_argument, "calculate_gain", where,
                 fmt::format("no gain is known for \"{}\"", nonlinearity),
                 "use linear, sigmoid, tanh, relu or leaky_relu");
}

}  // namespace nn::init
