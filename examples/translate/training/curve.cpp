#include "examples/translate/training/curve.h"

#include <fmt/core.h>
#include <nn/atomic_file.h>
#include <nn/pictures/line_chart.h>

#include <array>
#include <cmath>

#include "examples/translate/messages.h"

namespace translate {
namespace {

constexpr std::int64_t point_size = 7;

std::array<double, point_size> row_of(const CurvePoint& point) {
  return {static_cast<double>(point.step),
          static_cast<double>(point.epoch),
          point.training_loss,
          point.perplexity,
          point.bleu,
          point.exact_match,
          point.alignment_error_rate};
}

CurvePoint point_of(const double* row) {
  return {.step = static_cast<std::int64_t>(row[0]),
          .epoch = static_cast<std::int64_t>(row[1]),
          .training_loss = row[2],
          .perplexity = row[3],
          .bleu = row[4],
          .exact_match = row[5],
          .alignment_error_rate = row[6]};
}

}  // namespace

std::string curve_csv(const Curve& curve) {
  std::string text = "update,epoch,training_loss,validation_perplexity,bleu,exact_match,alignment_error_rate\n";
  for (const CurvePoint& point : curve) {
    std::string line;
    for (const double number : row_of(point)) line += std::isnan(number) ? "," : fmt::format("{},", number);
    line.back() = '\n';
    text += line;
  }
  return text;
}

autograd::Tensor to_tensor(const Curve& curve) {
  std::vector<double> numbers;
  for (const CurvePoint& point : curve) {
    for (const double number : row_of(point)) numbers.push_back(number);
  }
  return autograd::from_vector(numbers, {static_cast<std::int64_t>(curve.size()), point_size}, autograd::float64);
}

Curve curve_from(const autograd::Tensor& tensor) {
  const bool fits = tensor.dtype() == autograd::float64 && tensor.dim() == 2 && tensor.size(1) == point_size;
  if (!fits) {
    refuse_files(fmt::format("the training's curve is {}, not [points, {}]", tensor.shape(), point_size),
                 "train again");
  }
  const autograd::Tensor rows = tensor.contiguous();
  Curve curve;
  for (std::int64_t i = 0; i < rows.size(0); ++i) curve.push_back(point_of(rows.data_ptr<double>() + i * point_size));
  return curve;
}

// ---- the pictures --------------------------------------------------------------------------------------------

namespace {

// Returns the finite values of one member, over the updates.
nn::ChartSeries line_of(const Curve& curve, const std::string& name, double CurvePoint::*member) {
  nn::ChartSeries line{.name = name, .markers = member != &CurvePoint::training_loss};
  for (const CurvePoint& point : curve) {
    if (!std::isfinite(point.*member)) continue;
    line.x.push_back(static_cast<double>(point.step));
    line.y.push_back(point.*member);
  }
  return line;
}

}  // namespace

void write_curve(const std::filesystem::path& folder, const Curve& curve, const std::string& error_rate_name) {
  nn::write_file(folder / "curve.csv", curve_csv(curve));
  nn::ChartSeries validation = line_of(curve, "validation", &CurvePoint::perplexity);
  for (double& y : validation.y) y = std::log(y);
  nn::write_line_chart_svg(folder / "curve.svg", {line_of(curve, "training", &CurvePoint::training_loss), validation},
                           {.title = "Loss", .x_axis = "updates", .y_axis = "nats per target word"});
  std::vector<nn::ChartSeries> measured = {line_of(curve, "BLEU", &CurvePoint::bleu),
                                           line_of(curve, "exact match", &CurvePoint::exact_match),
                                           line_of(curve, error_rate_name, &CurvePoint::alignment_error_rate)};
  std::erase_if(measured, [](const nn::ChartSeries& line) { return line.x.empty(); });
  if (measured.empty()) return;
  nn::write_line_chart_svg(folder / "quality.svg", measured,
                           {.title = "Quality on the validation text",
                            .x_axis = "updates",
                            .y_axis = "percent, or BLEU points",
                            .y_from_zero = true});
}

}  // namespace translate
