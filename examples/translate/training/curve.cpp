#include "examples/translate/training/curve.h"

#include <autograd/pictures/chart.h>
#include <fmt/core.h>
#include <nn/saving/atomic_file.h>

#include <cmath>
#include <iterator>

#include "examples/translate/messages.h"

namespace translate {
namespace {

// The columns after the update and the epoch.
constexpr double CurvePoint::*measures[] = {&CurvePoint::training_loss, &CurvePoint::perplexity, &CurvePoint::bleu,
                                            &CurvePoint::exact_match, &CurvePoint::alignment_error_rate};
constexpr std::int64_t point_size = 2 + std::ssize(measures);

}  // namespace

std::string curve_csv(const Curve& curve) {
  std::string text = "update,epoch,training_loss,validation_perplexity,bleu,exact_match,alignment_error_rate\n";
  for (const CurvePoint& point : curve) {
    text += fmt::format("{},{}", point.step, point.epoch);
    for (const auto measure : measures) {
      text += std::isnan(point.*measure) ? "," : fmt::format(",{}", point.*measure);
    }
    text += '\n';
  }
  return text;
}

autograd::Tensor to_tensor(const Curve& curve) {
  std::vector<double> numbers;
  for (const CurvePoint& point : curve) {
    numbers.insert(numbers.end(), {static_cast<double>(point.step), static_cast<double>(point.epoch)});
    for (const auto measure : measures) numbers.push_back(point.*measure);
  }
  return autograd::from_vector(numbers, {std::ssize(curve), point_size}, autograd::float64);
}

Curve curve_from(const autograd::Tensor& tensor) {
  const bool fits = tensor.dtype() == autograd::float64 && tensor.dim() == 2 && tensor.size(1) == point_size;
  if (!fits) {
    refuse_files(fmt::format("the training's curve is {}, not [points, {}]", tensor.shape(), point_size),
                 "train again");
  }
  const std::vector<double> numbers = tensor.to_vector();
  Curve curve;
  for (auto next = numbers.begin(); next != numbers.end();) {
    CurvePoint& point = curve.emplace_back();
    point.step = static_cast<std::int64_t>(*next++);
    point.epoch = static_cast<std::int64_t>(*next++);
    for (const auto measure : measures) point.*measure = *next++;
  }
  return curve;
}

// ---- the pictures --------------------------------------------------------------------------------------------

namespace {

// Returns the finite values of one member, over the updates.
autograd::ChartSeries line_of(const Curve& curve, const std::string& name, double CurvePoint::*member) {
  autograd::ChartSeries line{.name = name};
  for (const CurvePoint& point : curve) {
    if (!std::isfinite(point.*member)) continue;
    line.x.push_back(static_cast<double>(point.step));
    line.y.push_back(point.*member);
  }
  return line;
}

}  // namespace

void write_curve(const std::filesystem::path& folder, const Curve& curve) {
  nn::write_file(folder / "curve.csv", curve_csv(curve));
  autograd::ChartSeries validation = line_of(curve, "validation", &CurvePoint::perplexity);
  for (double& y : validation.y) y = std::log(y);
  nn::write_file(folder / "curve.svg",
                 autograd::chart_svg({line_of(curve, "training", &CurvePoint::training_loss), validation},
                                     {.title = "Loss", .x_axis = "updates", .y_axis = "nats per target word"}));
  std::vector<autograd::ChartSeries> measured = {
      line_of(curve, "BLEU", &CurvePoint::bleu), line_of(curve, "exact match", &CurvePoint::exact_match),
      line_of(curve, "alignment error rate", &CurvePoint::alignment_error_rate)};
  std::erase_if(measured, [](const autograd::ChartSeries& line) { return line.x.empty(); });
  if (measured.empty()) return;
  nn::write_file(folder / "quality.svg", autograd::chart_svg(measured, {.title = "Quality on the validation text",
                                                                        .x_axis = "updates",
                                                                        .y_axis = "percent, or BLEU points",
                                                                        .y_from_zero = true}));
}

}  // namespace translate
