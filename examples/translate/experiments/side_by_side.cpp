#include "examples/translate/experiments/side_by_side.h"

#include <nn/pictures/bar_chart.h>
#include <nn/pictures/line_chart.h>

#include <algorithm>
#include <cmath>

namespace translate {

namespace {

constexpr std::size_t few_lines = 4;  // more would hide each other's markers

}  // namespace

// ---- tables ------------------------------------------------------------------------------------------------------

ReportTable table_of_results(const std::string& caption, const std::string& first_column,
                             const std::vector<CandidateResult>& results, const std::vector<ResultColumn>& columns) {
  ReportTable table{.caption = caption, .columns = {first_column}};
  for (const CandidateResult& result : results) table.rows.push_back({result.candidate.label});
  add_columns(table, results, columns);
  return table;
}

void add_columns(ReportTable& table, const std::vector<CandidateResult>& results,
                 const std::vector<ResultColumn>& columns) {
  for (const ResultColumn& column : columns) {
    std::vector<std::string> cells;
    for (const CandidateResult& result : results) {
      cells.push_back(measured(result, LengthGroup::all, column.measure, column.test).text(column.digits));
    }
    const auto is_empty = [](const std::string& cell) { return cell == "–"; };
    if (!std::all_of(cells.begin(), cells.end(), is_empty)) add_column(table, column.name, cells);
  }
}

void add_column(ReportTable& table, const std::string& name, const std::vector<std::string>& cells) {
  table.columns.push_back(name);
  for (std::size_t i = 0; i < cells.size(); ++i) table.rows[i].push_back(cells[i]);
}

// ---- pictures ----------------------------------------------------------------------------------------------------

std::string bars_of_results(const std::vector<CandidateResult>& results,
                            const std::vector<std::pair<std::string, double Measures::*>>& measures,
                            const std::string& title, const std::string& axis) {
  std::vector<std::string> categories;
  std::vector<nn::BarSeries> bars;
  for (const auto& [name, measure] : measures) bars.push_back({.name = measures.size() > 1 ? name : ""});
  for (const CandidateResult& result : results) {
    const auto is_unknown = [&result](const auto& one) {
      return std::isnan(measured(result, LengthGroup::all, one.second).mean());
    };
    if (std::all_of(measures.begin(), measures.end(), is_unknown)) continue;
    categories.push_back(result.candidate.label);
    for (std::size_t i = 0; i < measures.size(); ++i) {
      const Measured value = measured(result, LengthGroup::all, measures[i].second);
      bars[i].values.push_back(value.mean());
      add_error_bar(bars[i], result.trained, value);
    }
  }
  return nn::bar_chart_svg(categories, bars, {.title = title, .value_axis = axis});
}

std::string curves_of_results(const std::vector<CandidateResult>& results, CurveKind kind) {
  const bool is_perplexity = kind == CurveKind::perplexity;
  std::vector<nn::ChartSeries> lines;
  for (const CandidateResult& result : results) {
    nn::ChartSeries line{.name = result.candidate.label, .markers = results.size() <= few_lines};
    const auto measure = is_perplexity ? &CurvePoint::perplexity : &CurvePoint::exact_match;
    for (const auto& [epoch, value] : validation_curve(result, measure)) {
      line.x.push_back(epoch);
      line.y.push_back(value);
    }
    lines.push_back(line);
  }
  if (is_perplexity) {
    return nn::line_chart_svg(lines, {.title = "Perplexity on the validation sentences",
                                      .x_axis = "epochs",
                                      .y_axis = "perplexity",
                                      .y_logarithmic = true});
  }
  return nn::line_chart_svg(
      lines,
      {.title = "Validation sentences without a mistake", .x_axis = "epochs", .y_axis = "%", .y_from_zero = true});
}

}  // namespace translate
