// print: values, gradients, slices, statistics, heatmaps.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "autograd/debug/statistics.h"
#include "autograd/debug/step/answers.h"
#include "autograd/debug/step/expression.h"
#include "autograd/debug/step/refused.h"
#include "autograd/debug/unobserved.h"
#include "autograd/ops/ops.h"
#include "autograd/tensor/format.h"
#include "autograd/text/printable.h"
#include "autograd/text/words.h"

namespace autograd::debug {
namespace {

constexpr std::int64_t corner_size = 3;

// The first elements, at most three along each dim.
Tensor corner_of(const Tensor& tensor) {
  const Unobserved unobserved;
  Tensor corner = tensor;
  for (int dim = 0; dim < tensor.dim(); ++dim) {
    corner = corner.narrow(dim, 0, std::min(corner_size, tensor.shape()[dim]));
  }
  return corner;
}

// ---- statistics -----------------------------------------------------------------------------------------------------

std::string statistics_text(const Tensor& tensor) {
  const Statistics s = statistics_of(tensor.to_vector());
  std::string text = fmt::format("{} {}, {} elements", name(tensor.dtype()), tensor.shape(), tensor.numel());
  if (s.finite > 0) {
    const double variance = std::max(0.0, s.squares / static_cast<double>(s.finite) - s.mean() * s.mean());
    text += fmt::format(": min {}, max {}, mean {}, std {}, norm {}", rough(s.smallest), rough(s.largest),
                        rough(s.mean()), rough(std::sqrt(variance)), rough(s.norm()));
  }
  if (s.zero > 0) text += fmt::format(", {} zero", s.zero);
  if (s.nan > 0) text += fmt::format(", {} NaN", s.nan);
  if (s.infinite > 0) text += fmt::format(", {} infinite", s.infinite);
  return text + "\n";
}

// ---- heatmap --------------------------------------------------------------------------------------------------------

constexpr const char* levels[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

// The elements as a table: the last dim goes across, all others down.
struct Table {
  std::vector<double> values;
  std::int64_t rows = 0, columns = 0;
};

Table table_of(const Tensor& tensor) {
  const std::int64_t columns = tensor.dim() == 0 ? 1 : tensor.shape().back();
  return {tensor.to_vector(), columns == 0 ? 0 : tensor.numel() / columns, columns};
}

// The element furthest from zero among those that share a cell; NaN if there is one.
double cell(const Table& table, std::int64_t row, std::int64_t column, std::int64_t rows, std::int64_t columns) {
  double furthest = 0.0;
  for (std::int64_t i = row * table.rows / rows; i < (row + 1) * table.rows / rows; ++i) {
    for (std::int64_t j = column * table.columns / columns; j < (column + 1) * table.columns / columns; ++j) {
      const double value = table.values[static_cast<std::size_t>(i * table.columns + j)];
      if (std::isnan(value)) return value;
      if (std::abs(value) > std::abs(furthest)) furthest = value;
    }
  }
  return furthest;
}

std::string mark(double value, const Statistics& range) {
  if (std::isnan(value)) return "!";
  if (std::isinf(value)) return value > 0 ? "^" : "v";
  const double extent = range.largest - range.smallest;
  const double share = extent > 0 && std::isfinite(extent) ? (value - range.smallest) / extent : 0.0;
  return levels[std::clamp(static_cast<int>(share * 8.0), 0, 7)];
}

}  // namespace

std::string heatmap(const Tensor& tensor, const Settings& settings) {
  if (tensor.numel() == 0) return fmt::format("{} is empty\n", tensor.shape());
  const Table table = table_of(tensor);
  const Statistics range = statistics_of(table.values);
  const std::int64_t rows = std::min<std::int64_t>(table.rows, 16);
  const std::int64_t columns = std::min(table.columns, settings.width - 4);
  std::string text = fmt::format("{} from {} ▁ to {} █", tensor.shape(), rough(range.smallest), rough(range.largest));
  if (rows < table.rows || columns < table.columns) text += ", the largest of each cell";
  if (range.nan + range.infinite > 0) text += ", ! is NaN, ^ and v infinite";
  text += "\n";
  for (std::int64_t row = 0; row < rows; ++row) {
    text += "  ";
    for (std::int64_t column = 0; column < columns; ++column) {
      text += mark(cell(table, row, column, rows, columns), range);
    }
    text += "\n";
  }
  return text;
}

namespace {

// The tensor in this format, or if it is large, statistics and its corner.
std::string shortened(const Tensor& tensor, const std::string& format, const Settings& settings) {
  if (tensor.numel() == 0) return fmt::format("{} {}, empty\n", name(tensor.dtype()), tensor.shape());
  if (tensor.numel() <= settings.elements) return to_string(tensor, format) + "\n";
  const Tensor corner = corner_of(tensor);
  return statistics_text(tensor) + fmt::format("the first {}:\n{}\n", corner.shape(), to_string(corner, format));
}

std::string every_digit(const Tensor& tensor, const Settings& settings) {
  return shortened(tensor,
                   tensor.dtype() == float32     ? "{:.9g}"
                   : is_floating(tensor.dtype()) ? "{:.17g}"
                                                 : "",
                   settings);
}

std::string tensor_text(const Tensor& tensor, const Settings& settings) {
  const bool fixed = settings.precision >= 0 && is_floating(tensor.dtype());
  if (tensor.numel() == 1 && settings.precision < 0) return exact(tensor.to_vector()[0], tensor.dtype()) + "\n";
  return shortened(tensor, fixed ? fmt::format("{{:.{}f}}", settings.precision) : "", settings);
}

}  // namespace

std::string answer_print(const Question& question) {
  std::string rest = trim(question.arguments);
  std::string flag;
  if (!rest.empty() && rest[0] == '/') flag = take_word(rest);
  const bool known = flag.empty() || flag == "/s" || flag == "/h" || flag == "/x";
  if (!known) throw Refused(fmt::format("'{}' is not a format", printable(flag)), "/s, /h or /x");
  const Value value = evaluate(rest, question.view);
  const std::string note = value.note.empty() ? "" : " (" + value.note + ")";
  if (!value.tensor.defined()) return fmt::format("{} {}\n", value.title, value.note);
  const std::string title = value.title + note;
  if (flag == "/s") return fmt::format("{}: {}", title, statistics_text(value.tensor));
  if (flag == "/h") return fmt::format("{}: {}", title, heatmap(value.tensor, question.settings));
  const bool one_line = value.tensor.numel() <= 1 || value.tensor.dim() <= 1;
  const bool whole = value.tensor.numel() <= question.settings.elements;
  const std::string equals = one_line && whole ? " = " : " =\n";
  if (flag == "/x") return title + equals + every_digit(value.tensor, question.settings);
  return title + equals + tensor_text(value.tensor, question.settings);
}

}  // namespace autograd::debug
