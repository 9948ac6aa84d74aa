#include "examples/translate/curve.h"

#include <fmt/core.h>
#include <nn/pictures/line_chart.h>

#include <array>
#include <cmath>
#include <filesystem>

#include "examples/translate/refuse.h"
#include "examples/translate/write_file.h"

namespace translate {

// ---- the table -----------------------------------------------------------------------------------------------

namespace {

std::string cell(double number) {
  return std::isnan(number) ? "" : fmt::format("{}", number);
}

}  // namespace

std::string curve_csv(const Curve& curve) {
  std::string text = "update,epoch,training_loss,validation_perplexity,bleu,exact_match,alignment_error_rate\n";
  for (const CurvePoint& point : curve) {
    text += fmt::format("{},{},{},{},{},{},{}\n", point.step, point.epoch, cell(point.training_loss),
                        cell(point.perplexity), cell(point.bleu), cell(point.exact_match),
                        cell(point.alignment_error_rate));
  }
  return text;
}

// ---- the pictures --------------------------------------------------------------------------------------------

namespace {

// The finite values of one member, over the updates.
template <class Value> nn::ChartSeries series(const Curve& curve, const std::string& name, Value value) {
  nn::ChartSeries result{.name = name};
  for (const CurvePoint& point : curve) {
    const double y = value(point);
    if (!std::isfinite(y)) continue;
    result.x.push_back(static_cast<double>(point.step));
    result.y.push_back(y);
  }
  return result;
}

std::vector<nn::ChartSeries> losses(const Curve& curve) {
  nn::ChartSeries training = series(curve, "training", [](const CurvePoint& point) { return point.training_loss; });
  nn::ChartSeries validation = series(curve, "validation", [](const CurvePoint& p) { return std::log(p.perplexity); });
  validation.markers = true;
  return {training, validation};
}

// Those that were measured.
std::vector<nn::ChartSeries> qualities(const Curve& curve, const std::string& error_rate_name) {
  std::vector<nn::ChartSeries> measured;
  for (nn::ChartSeries one :
       {series(curve, "BLEU", [](const CurvePoint& point) { return point.bleu; }),
        series(curve, "exact match", [](const CurvePoint& point) { return point.exact_match; }),
        series(curve, error_rate_name, [](const CurvePoint& point) { return point.alignment_error_rate; })}) {
    one.markers = true;
    if (!one.x.empty()) measured.push_back(one);
  }
  return measured;
}

}  // namespace

void write_curve(const std::string& folder, const Curve& curve, const std::string& error_rate_name) {
  const std::filesystem::path path = folder;
  write_file(path / "curve.csv", curve_csv(curve));
  nn::write_line_chart_svg(path / "curve.svg", losses(curve),
                           {.title = "Loss", .x_axis = "updates", .y_axis = "nats per target word"});
  const std::vector<nn::ChartSeries> measured = qualities(curve, error_rate_name);
  if (measured.empty()) return;
  nn::write_line_chart_svg(path / "quality.svg", measured,
                           {.title = "Quality on the validation text",
                            .x_axis = "updates",
                            .y_axis = "percent, or BLEU points",
                            .y_from_zero = true});
}

// ---- as a tensor ---------------------------------------------------------------------------------------------

namespace {

constexpr std::int64_t point_size = 7;

std::array<double, point_size> row(const CurvePoint& point) {
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

autograd::Tensor to_tensor(const Curve& curve) {
  std::vector<double> numbers;
  for (const CurvePoint& point : curve) {
    for (const double number : row(point)) numbers.push_back(number);
  }
  return autograd::from_vector(numbers, {static_cast<std::int64_t>(curve.size()), point_size}, autograd::float64);
}

Curve curve_from(const autograd::Tensor& tensor) {
  const bool fits = tensor.dtype() == autograd::float64 && tensor.dim() == 2 && tensor.size(1) == point_size;
  if (!fits)
    refuse_files(fmt::format("the training's curve is {}, not [points, {}]", tensor.shape(), point_size),
                 "train again");
  const autograd::Tensor rows = tensor.contiguous();
  Curve curve;
  for (std::int64_t i = 0; i < rows.size(0); ++i) curve.push_back(point_of(rows.data_ptr<double>() + i * point_size));
  return curve;
}

}  // namespace translate
