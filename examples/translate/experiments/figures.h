// Column, Line: numbers of several models side by side, as tables, and as lines along an axis.
#pragma once

#include <autograd/pictures/chart.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "examples/translate/experiments/candidates.h"
#include "examples/translate/report/report.h"

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
}  // namespace columns

// Returns a row per model, with the spread between the seeds. Leaves out columns in which no model has a number.
ReportTable table_of(const std::string& caption, const std::vector<CandidateResult>& results,
                     const std::vector<Column>& columns);
// Numbers along an axis.
struct Line {
  std::string name;
  std::map<double, Measured> points = {};
  std::optional<std::size_t> dashed_as = {};  // dashed, in the colour of the line with this index
};
std::string line_chart(const std::vector<Line>& lines, const autograd::ChartOptions& options);
// Returns a measure of the validation sentences by epoch, averaged over the seeds.
std::string training_curves(const std::vector<CandidateResult>& results, double CurvePoint::*measure,
                            const autograd::ChartOptions& options);

}  // namespace translate
