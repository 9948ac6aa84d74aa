#include "examples/translate/experiments/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace translate {

Column column(const std::string& name, double Measures::*measure, int digits, std::size_t test) {
  return {name, [=](const CandidateResult& result) { return measured(result, measure, test); }, digits};
}

ReportTable table_of(const std::string& caption, const std::vector<CandidateResult>& results,
                     const std::vector<Column>& columns) {
  ReportTable table{.caption = caption, .columns = {"model"}};
  for (const CandidateResult& result : results) table.rows.push_back({result.candidate.label});
  for (const Column& column : columns) {
    std::vector<std::string> cells;
    for (const CandidateResult& result : results) cells.push_back(column.number(result).text(column.digits));
    add_column(table, column.name, cells);
  }
  return table;
}

// ---- pictures ----------------------------------------------------------------------------------------------------

std::string line_chart(const std::vector<Line>& lines, const autograd::ChartOptions& options) {
  std::vector<autograd::ChartSeries> series;
  for (const Line& line : lines) {
    if (line.points.empty()) continue;
    autograd::ChartSeries drawn{.name = line.name};
    drawn.dashed = line.dashed_as.has_value();
    if (line.dashed_as < series.size()) drawn.same_colour_as = line.dashed_as;
    const bool has_error_bars =
        std::ranges::any_of(line.points, [](const auto& point) { return point.second.has_spread(); });
    for (const auto& [place, number] : line.points) {
      drawn.x.push_back(place);
      drawn.y.push_back(number.mean());
      if (!has_error_bars) continue;
      drawn.low.push_back(number.mean() - number.spread());
      drawn.high.push_back(number.mean() + number.spread());
    }
    series.push_back(drawn);
  }
  return autograd::chart_svg(series, options);
}

std::string training_curves(const std::vector<CandidateResult>& results, double CurvePoint::*measure,
                            const autograd::ChartOptions& options) {
  std::vector<Line> lines;
  for (const CandidateResult& result : results) {
    Line& line = lines.emplace_back(Line{result.candidate.label});
    for (const Trained& trained : result.trained) {
      for (const CurvePoint& point : trained.curve) {
        if (point.is_validation()) line.points[static_cast<double>(point.epoch)].values.push_back(point.*measure);
      }
    }
    for (auto& [epoch, number] : line.points) number = {{number.mean()}};
  }
  return line_chart(lines, options);
}

}  // namespace translate
