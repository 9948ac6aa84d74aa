#include "examples/translate/experiments/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace translate {

constexpr std::size_t few_lines = 4;  // more would hide each other's markers

Column column(const std::string& name, double Measures::*measure, int digits, std::size_t test) {
  return {name, [=](const CandidateResult& result) { return measured(result, measure, test); }, digits};
}

const Column columns::parameters = {
    "parameters",
    [](const CandidateResult& result) {
      return Measured{{static_cast<double>(result.trained.front().model.model->num_parameters())}};
    },
    0};

Column computed_once(const std::vector<CandidateResult>& results, const Column& column) {
  std::map<std::string, Measured> numbers;
  for (const CandidateResult& result : results) numbers[result.candidate.label] = column.number(result);
  const auto look_up = [numbers](const CandidateResult& result) { return numbers.at(result.candidate.label); };
  return {column.name, look_up, column.digits};
}

std::vector<const CandidateResult*> sorted_by(const std::vector<CandidateResult>& results, const Column& column) {
  std::vector<const CandidateResult*> sorted;
  for (const CandidateResult& result : results) {
    if (!std::isnan(column.number(result).mean())) sorted.push_back(&result);
  }
  std::ranges::stable_sort(sorted, [&column](const CandidateResult* a, const CandidateResult* b) {
    return column.number(*a).mean() < column.number(*b).mean();
  });
  return sorted;
}

std::string extremes(const std::vector<CandidateResult>& results, const Column& column) {
  const std::vector<const CandidateResult*> sorted = sorted_by(results, column);
  if (sorted.size() < 2) return "";
  const CandidateResult& least = *sorted.front();
  const CandidateResult& most = *sorted.back();
  return fmt::format("{}: lowest with {} ({}), highest with {} ({}).", capitalised(column.name), least.candidate.label,
                     column.number(least).text(column.digits), most.candidate.label,
                     column.number(most).text(column.digits));
}

// ---- tables ------------------------------------------------------------------------------------------------------

ReportTable table_of(const std::string& caption, const std::string& first_column,
                     const std::vector<CandidateResult>& results, const std::vector<Column>& columns) {
  ReportTable table{.caption = caption, .columns = {first_column}};
  for (const CandidateResult& result : results) table.rows.push_back({result.candidate.label});
  for (const Column& column : columns) {
    std::vector<std::string> cells;
    for (const CandidateResult& result : results) cells.push_back(column.number(result).text(column.digits));
    const bool is_known = std::ranges::any_of(cells, [](const std::string& cell) { return cell != "–"; });
    if (!is_known) continue;
    table.columns.push_back(column.name);
    for (std::size_t i = 0; i < cells.size(); ++i) table.rows[i].push_back(cells[i]);
  }
  return table;
}

ReportTable table_of(const std::string& caption, const std::string& axis, const std::vector<Line>& lines,
                     std::string (*text)(const Measured& number)) {
  ReportTable table{.caption = caption, .columns = {axis}};
  std::set<double> places;
  for (const Line& line : lines) {
    table.columns.push_back(line.name);
    for (const auto& [place, number] : line.points) places.insert(place);
  }
  for (const double place : places) {
    std::vector<std::string> row = {fmt::format("{}", place)};
    for (const Line& line : lines) {
      const auto found = line.points.find(place);
      row.push_back(found == line.points.end() ? "–" : text(found->second));
    }
    table.rows.push_back(row);
  }
  return table;
}

// ---- bars --------------------------------------------------------------------------------------------------------

namespace {

// Adds the ends of an error bar, mean - spread and mean + spread, if any number of the series has several values.
template <class Series> void add_error_bar(Series& series, const Measured& number, bool has_error_bars) {
  if (!has_error_bars) return;
  series.low.push_back(number.mean() - number.spread());
  series.high.push_back(number.mean() + number.spread());
}

bool has_spread(const Measured& number) {
  return number.values.size() > 1;
}

}  // namespace

std::string bar_chart(const std::vector<std::string>& groups, const std::vector<Bars>& bars,
                      const nn::BarChartOptions& options) {
  std::vector<nn::BarSeries> series;
  for (const Bars& one : bars) {
    nn::BarSeries drawn{.name = bars.size() > 1 ? one.name : ""};
    const bool has_error_bars = std::ranges::any_of(one.values, has_spread);
    for (const Measured& number : one.values) {
      drawn.values.push_back(number.mean());
      add_error_bar(drawn, number, has_error_bars);
    }
    series.push_back(drawn);
  }
  return nn::bar_chart_svg(groups, series, options);
}

std::string bars_of(const std::vector<CandidateResult>& results, const Column& column,
                    const nn::BarChartOptions& options) {
  std::vector<std::string> labels;
  Bars bars;
  for (const CandidateResult& result : results) {
    const Measured number = column.number(result);
    if (std::isnan(number.mean())) continue;
    labels.push_back(result.candidate.label);
    bars.values.push_back(number);
  }
  return bar_chart(labels, {bars}, options);
}

const Column& quality_column(const Setting& setting) {
  return setting.is_artificial() ? columns::exact : columns::bleu;
}

void add_quality_picture(Report& report, const Setting& setting, const std::vector<CandidateResult>& results) {
  const Column& quality = quality_column(setting);
  report.picture("quality",
                 bars_of(results, quality, {.title = "Quality on the test sentences", .value_axis = quality.name}),
                 setting.is_artificial() ? "Test sentences whose translation equals the reference."
                                         : "BLEU on the test sentences.");
}

// ---- lines -------------------------------------------------------------------------------------------------------

std::string line_chart(const std::vector<Line>& lines, const nn::LineChartOptions& options) {
  std::vector<nn::ChartSeries> series;
  for (const Line& line : lines) {
    if (line.points.empty()) continue;
    nn::ChartSeries drawn{.name = line.name, .markers = lines.size() <= few_lines};
    drawn.dashed = line.dashed_as.has_value();
    if (line.dashed_as < series.size()) drawn.same_colour_as = line.dashed_as;
    const bool has_error_bars =
        std::ranges::any_of(line.points, [](const auto& point) { return has_spread(point.second); });
    for (const auto& [place, number] : line.points) {
      drawn.x.push_back(place);
      drawn.y.push_back(number.mean());
      add_error_bar(drawn, number, has_error_bars);
    }
    series.push_back(drawn);
  }
  return nn::line_chart_svg(series, options);
}

Line training_curve(const CandidateResult& result, double CurvePoint::*measure) {
  Line line{result.candidate.label};
  for (const Trained& trained : result.trained) {
    for (const CurvePoint& point : trained.curve) {
      if (point.is_validation()) line.points[static_cast<double>(point.epoch)].values.push_back(point.*measure);
    }
  }
  for (auto& [epoch, number] : line.points) number = {{number.mean()}};
  return line;
}

std::string training_curves(const std::vector<CandidateResult>& results, double CurvePoint::*measure,
                            const nn::LineChartOptions& options) {
  std::vector<Line> lines;
  for (const CandidateResult& result : results) lines.push_back(training_curve(result, measure));
  return line_chart(lines, options);
}

}  // namespace translate
