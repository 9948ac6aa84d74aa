// jac: the local Jacobian of one op, row by row: its backward with a unit gradient for each element of the output.
// Where finite differences of its forward contradict that, both are shown.
#include <fmt/core.h>

#include <cmath>

#include "autograd/debug/step/answers.h"
#include "autograd/debug/step/expression.h"
#include "autograd/debug/step/refused.h"
#include "autograd/debug/step/replay.h"
#include "autograd/debug/unobserved.h"
#include "autograd/gradcheck/check_node.h"
#include "autograd/gradcheck/probe.h"
#include "autograd/ops/ops.h"
#include "autograd/tensor/factories.h"
#include "autograd/tensor/format.h"

namespace autograd::debug {
namespace {

constexpr std::int64_t shown_whole = 256;  // elements of a Jacobian
constexpr std::int64_t most_rows = 1024;   // elements of the output
constexpr std::int64_t most_elements = 4'000'000;

// A gradient as the op returned it, with the broadcasting of its input undone.
std::vector<double> fitted(const Tensor& gradient, const Shape& shape) {
  const Unobserved unobserved;
  Tensor sum_ = gradient.detach();
  while (sum_.dim() > shape.dim()) sum_ = sum(sum_, 0);
  for (int dim = 0; dim < shape.dim(); ++dim) {
    if (shape[dim] == 1 && sum_.shape()[dim] != 1) sum_ = sum(sum_, dim, true);
  }
  return sum_.to_vector();
}

struct Matrix {
  std::vector<double> values;
  std::int64_t rows = 0, columns = 0;
  double at(std::int64_t row, std::int64_t column) const {
    return values[static_cast<std::size_t>(row * columns + column)];
  }
};

// One Jacobian for each input; those of inputs without a gradient have no columns.
std::vector<Matrix> jacobians(const Node& node, const Call& call) {
  std::vector<Matrix> result(call.inputs.size());
  const std::int64_t rows = node.shape.numel();
  for (std::int64_t row = 0; row < rows; ++row) {
    const Grads gradients = run_backward(node, unit(node.shape, node.dtype, index_at(row, node.shape)));
    for (std::size_t i = 0; i < gradients.size() && i < result.size(); ++i) {
      if (!node.needs(i)) continue;
      result[i].rows = rows;
      result[i].columns = call.inputs[i].numel();
      std::vector<double> values(static_cast<std::size_t>(result[i].columns), 0.0);
      if (gradients[i].defined()) values = fitted(gradients[i], call.inputs[i].shape());
      result[i].values.insert(result[i].values.end(), values.begin(), values.end());
    }
  }
  return result;
}

std::string summary(const Matrix& matrix, const Shape& output, const Shape& input) {
  std::int64_t nonzero = 0;
  std::int64_t off_diagonal = 0;
  std::int64_t largest = 0;
  double squares = 0.0;
  for (std::int64_t i = 0; i < matrix.rows * matrix.columns; ++i) {
    const double value = matrix.values[static_cast<std::size_t>(i)];
    squares += value * value;
    nonzero += value != 0.0;
    off_diagonal += value != 0.0 && i / matrix.columns != i % matrix.columns;
    if (std::abs(value) > std::abs(matrix.values[static_cast<std::size_t>(largest)])) largest = i;
  }
  std::string text =
      fmt::format("    {} of {} elements are not 0, norm {}", nonzero, matrix.values.size(), rough(std::sqrt(squares)));
  if (nonzero == 0) return text + "\n";
  if (off_diagonal == 0 && matrix.rows == matrix.columns) text += ", diagonal: each y depends on its own x only";
  return text + fmt::format("\n    largest: dy{}/dx{} = {}\n", index_text(index_at(largest / matrix.columns, output)),
                            index_text(index_at(largest % matrix.columns, input)),
                            rough(matrix.values[static_cast<std::size_t>(largest)]));
}

std::string rows_text(const Matrix& matrix, const Shape& output) {
  std::string text;
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    text += fmt::format("    y{:<10}", index_text(index_at(row, output)));
    for (std::int64_t column = 0; column < matrix.columns; ++column) {
      text += fmt::format(" {:>10}", rough(matrix.at(row, column)));
    }
    text += "\n";
  }
  return text;
}

std::string text_of(const Matrix& matrix, std::size_t i, const Node& node, const Shape& input,
                    const Settings& settings) {
  std::string text = fmt::format("  dy/dx{}: y {} by x{} {}, a matrix of {} by {}\n", i, node.shape, i, input,
                                 matrix.rows, matrix.columns);
  const bool small = matrix.rows * matrix.columns <= shown_whole && matrix.columns * 11 + 16 <= settings.width;
  return text + (small ? rows_text(matrix, node.shape) : summary(matrix, node.shape, input));
}

void check_jacobian_size(const Node& node, const Call& call) {
  const std::int64_t rows = node.shape.numel();
  std::int64_t columns = 0;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    if (call.inputs[i].defined() && node.needs(i)) columns += call.inputs[i].numel();
  }
  if (rows <= most_rows && rows * std::max(columns, rows) <= most_elements) return;
  throw Refused(fmt::format("the Jacobian of {} has {} by {} elements", describe(node), rows, columns),
                fmt::format("at most {} rows and {} elements", most_rows, most_elements));
}

constexpr std::int64_t most_compared = 20'000;  // elements of the Jacobian; each costs some twenty calls of the op

// A gradient for the output without symmetries, in which an error of any row shows.
Tensor uneven(const Shape& shape, DType dtype) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < shape.numel(); ++i) values.push_back((i % 2 == 0 ? 1.0 : -1.0) * (1.0 + 0.37 * (i % 7)));
  const Unobserved unobserved;
  return tensor(values, dtype).reshape(shape);
}

// One input's Jacobian by central differences in float64.
Matrix numeric_jacobian(const Node& node, const Call& call, std::size_t input) {
  const Unobserved unobserved;
  const Inputs inputs = checker::copies_of(call.inputs);
  const checker::Evaluate run = checker::replay(node, inputs);
  Matrix matrix;
  matrix.rows = node.shape.numel();
  matrix.columns = inputs[input].numel();
  matrix.values.resize(static_cast<std::size_t>(matrix.rows * matrix.columns));
  for (std::int64_t column = 0; column < matrix.columns; ++column) {
    const Tensor element = element_of(inputs[input], index_at(column, inputs[input].shape()));
    const double x = element.item();
    const double step = 6e-6 * std::max(1e-3, std::abs(x));
    const auto output_at = [&](double moved) {
      element.fill_(moved);
      return checker::flatten(run());
    };
    const std::vector<double> up = output_at(x + step);
    const std::vector<double> down = output_at(x - step);
    element.fill_(x);
    for (std::int64_t row = 0; row < matrix.rows; ++row) {
      const auto i = static_cast<std::size_t>(row);
      matrix.values[static_cast<std::size_t>(row * matrix.columns + column)] = (up[i] - down[i]) / (2.0 * step);
    }
  }
  return matrix;
}

// For each input, whether finite differences contradict the op's own backward.
std::vector<bool> contradicted(const Node& node, const Call& call, const std::vector<Matrix>& matrices) {
  std::vector<bool> result(call.inputs.size(), false);
  std::size_t elements = 0;
  for (const Matrix& matrix : matrices) elements += matrix.values.size();
  if (elements == 0 || elements > most_compared) return result;
  const Tensor dy = uneven(node.shape, node.dtype);
  const Grads gradients = run_backward(node, dy);
  const Unobserved unobserved;
  Inputs inputs;
  for (const Tensor& each : call.inputs) inputs.push_back(each.defined() ? each.detach() : each);  // without names
  const NodeReport report = check_node(node, inputs, dy, gradients);
  for (const InputReport& input : report.inputs) {
    for (std::size_t i = 0; i < result.size(); ++i) {
      if (input.verdict == Verdict::fail && input.name == fmt::format("input {}", i)) result[i] = true;
    }
  }
  return result;
}

}  // namespace

std::string answer_jac(const Question& question) {
  check_is_backward(question.view);
  const Node& node = node_or_current(question.arguments, question.view);
  if (node.is_leaf() || node.released) run_backward(node, Tensor());  // refuses
  const Call call = question.view.call(node);
  check_jacobian_size(node, call);
  std::string text = fmt::format("{}\n  {}\n", describe(node), node.op->text.formula);
  const std::vector<Matrix> matrices = jacobians(node, call);
  const std::vector<bool> wrong = contradicted(node, call, matrices);
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    if (matrices[i].values.empty()) continue;
    text += text_of(matrices[i], i, node, call.inputs[i].shape(), question.settings);
    if (!wrong[i]) continue;
    text += "  its backward is wrong: finite differences of its forward give\n";
    text += text_of(numeric_jacobian(node, call, i), i, node, call.inputs[i].shape(), question.settings);
  }
  return text;
}

}  // namespace autograd::debug
