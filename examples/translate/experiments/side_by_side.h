// Models side by side in a report: a table of measures, bars, and the curves of their training.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "examples/translate/experiments/candidates.h"
#include "examples/translate/html_report.h"

namespace translate {

struct ResultColumn {
  std::string name;
  double Measures::*measure;
  int digits = 1;
  std::size_t test = 0;  // number in the corpus
};

// A row per model and a column per measure, of all sentences, with the spread between the seeds. Columns in which no
// model has a number are left out.
ReportTable table_of_results(const std::string& caption, const std::string& first_column,
                             const std::vector<CandidateResult>& results, const std::vector<ResultColumn>& columns);
// The same columns at the end of a table that has a row per model.
void add_columns(ReportTable& table, const std::vector<CandidateResult>& results,
                 const std::vector<ResultColumn>& columns);
// A column more: a text per row.
void add_column(ReportTable& table, const std::string& name, const std::vector<std::string>& cells);

// A group of bars per model that has any of the measures, and in it a bar per measure (of test number 0), with error
// bars where there are several seeds.
std::string bars_of_results(const std::vector<CandidateResult>& results,
                            const std::vector<std::pair<std::string, double Measures::*>>& measures,
                            const std::string& title, const std::string& axis);

// A measure on the validation sentences by epoch.
enum class CurveKind { perplexity, exact_match };
std::string curves_of_results(const std::vector<CandidateResult>& results, CurveKind kind = CurveKind::perplexity);

}  // namespace translate
