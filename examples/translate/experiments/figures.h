// Column, Bars, Line: numbers of several models side by side, as tables, as bars, and as lines along an axis.
#pragma once

#include <nn/pictures/bar_chart.h>
#include <nn/pictures/line_chart.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "examples/translate/experiments/candidates.h"
#include "examples/translate/report/html_report.h"

namespace translate {

// A number that every model has.
struct Column {
  std::string name;
  std::function<Measured(const CandidateResult&)> number;
  int digits = 1;
};
// Returns the column for a measure of all sentences in the corpus' test number `test`.
Column column(const std::string& name, double Measures::*measure, int digits = 1, std::size_t test = 0);
namespace columns {
inline const Column exact = column("exact %", &Measures::exact_match);
inline const Column bleu = column("BLEU", &Measures::bleu);
inline const Column error_rate = column("AER %", &Measures::alignment_error_rate);
inline const Column must_look = column("AER must look %", &Measures::alignment_error_rate_must_look);
inline const Column entropy = column("entropy, nats per word", &Measures::entropy, 2);
extern const Column parameters;
}  // namespace columns
// Returns the same column with its numbers computed only once, for numbers that take long to compute.
Column computed_once(const std::vector<CandidateResult>& results, const Column& column);

// Returns "Entropy: lowest with dot (0.00), highest with multi_head (1.06).", or nothing if fewer than two models have
// the number.
std::string extremes(const std::vector<CandidateResult>& results, const Column& column);
// Returns the results that have the number, the smallest first.
std::vector<const CandidateResult*> sorted_by(const std::vector<CandidateResult>& results, const Column& column);

// Returns a row per model, with the spread between the seeds. Leaves out columns in which no model has a number.
ReportTable table_of(const std::string& caption, const std::string& first_column,
                     const std::vector<CandidateResult>& results, const std::vector<Column>& columns);
// Returns a bar for each model that has the number.
std::string bars_of(const std::vector<CandidateResult>& results, const Column& column,
                    const nn::BarChartOptions& options);

// Returns what models are ranked by: sentences without a mistake on the artificial language, which has one right
// translation of each; else BLEU.
const Column& quality_column(const Setting& setting);
void add_quality_picture(Report& report, const Setting& setting, const std::vector<CandidateResult>& results);

// One bar in each group, with error bars where there are several seeds.
struct Bars {
  std::string name = "";
  std::vector<Measured> values = {};  // one per group
};
std::string bar_chart(const std::vector<std::string>& groups, const std::vector<Bars>& bars,
                      const nn::BarChartOptions& options);

// Numbers along an axis.
struct Line {
  std::string name;
  std::map<double, Measured> points = {};
  std::optional<std::size_t> dashed_as = {};  // dashed, in the colour of the line with this index
};
std::string line_chart(const std::vector<Line>& lines, const nn::LineChartOptions& options);
// Returns a row per point of the axis and a column per line.
ReportTable table_of(const std::string& caption, const std::string& axis, const std::vector<Line>& lines,
                     std::string (*text)(const Measured& number));

// Returns a measure of the validation sentences by epoch, averaged over the seeds.
Line training_curve(const CandidateResult& result, double CurvePoint::*measure);
std::string training_curves(const std::vector<CandidateResult>& results, double CurvePoint::*measure,
                            const nn::LineChartOptions& options);

}  // namespace translate
