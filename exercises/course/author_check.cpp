#include "course/author_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>

#include "course/exercise.h"
#include "course/judge.h"

namespace course {
namespace {

// A value of zeros would be right for an answer that returns zeros; so would a gradient that the numbers do not bear
// out.
void check_value(const Observation& value, std::vector<std::string>& problems) {
  if (!value.value.defined()) return;
  if (!value.may_be_zero && !(value.value.to(autograd::float64).norm().item() > 1e-3)) {
    problems.push_back(fmt::format("'{}' proves nothing: the expected value is zero", value.name));
  }
  if (!value.numeric) return;
  const std::vector<double> exact = value.value.to_vector();
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double numeric = value.numeric(static_cast<std::int64_t>(i));
    if (std::abs(numeric - exact[i]) <= 1e-6 * std::max(1.0, value.value.to(autograd::float64).norm().item())) continue;
    problems.push_back(fmt::format("'{}': entry {} of the solution is {:.10g}, numerically {:.10g}", value.name, i,
                                   exact[i], numeric));
    return;
  }
}

void check_solution(bool slow_too, std::vector<std::string>& problems) {
  const Observed solution = observe(exercise.solution, axes, {.slow_too = slow_too});
  if (solution.record.observations.empty()) problems.push_back("the check looks at nothing");
  std::set<std::string> names;
  for (const Observation& observation : solution.record.observations) {
    using Kind = Observation::Kind;
    if (observation.kind == Kind::threw || observation.kind == Kind::unwritten) {
      problems.push_back("the solution ends with: " + observation.text);
    }
    if (!observation.holds)
      problems.push_back(fmt::format("the solution fails '{}': {}", observation.name, observation.text));
    if (observation.kind == Kind::value) check_value(observation, problems);
    if (!names.insert(observation.name).second) {
      problems.push_back(fmt::format("two observations are called '{}'", observation.name));
    }
  }
  if (!same(observe(exercise.solution, axes).record, observe(exercise.solution, axes).record, 0.0)) {
    problems.push_back("the solution gives other numbers the second time");
  }
}

bool has_failure(const Record& record, const Record& solution) {
  return !same(record, solution, 1e-8);
}

}  // namespace

AuthorReport check_as_author(bool slow_too) {
  AuthorReport report;
  check_solution(slow_too, report.problems);
  const Record solution = observe(exercise.solution, axes).record;
  std::vector<Record> records;
  std::set<std::string> broken;  // properties that some mistake breaks
  for (const Mistake& mistake : exercise.mistakes) {
    records.push_back(observe(mistake.run, axes).record);
    for (const Observation& observation : records.back().observations) {
      if (observation.kind == Observation::Kind::property && !observation.holds) broken.insert(observation.name);
    }
  }
  for (const Observation& observation : solution.observations) {
    if (observation.kind == Observation::Kind::property && !broken.count(observation.name)) {
      report.problems.push_back(fmt::format("no known mistake breaks '{}'", observation.name));
    }
  }
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Mistake& mistake = exercise.mistakes[i];
    const bool single = mistake.names.size() == 1;
    std::vector<std::string> alike;
    if (!has_failure(records[i], solution)) alike.push_back("the solution");
    for (std::size_t j = 0; j < records.size(); ++j) {
      const bool first_found = exercise.mistakes[j].names.size() <= mistake.names.size();
      if (j != i && first_found && same(records[i], records[j], 1e-7)) {
        alike.push_back(fmt::format("{}", fmt::join(exercise.mistakes[j].names, " + ")));
      }
    }
    const std::string name = fmt::format("{}", fmt::join(mistake.names, " + "));
    if (single) {
      ++report.mistakes;
      if (!alike.empty()) {
        report.problems.push_back(fmt::format("mistake '{}' gives the same as {}", name, fmt::join(alike, ", ")));
      }
    } else if (alike.empty()) {
      ++report.pairs;
    } else {
      report.pairs_unnamed.push_back(name);
    }
  }
  return report;
}

}  // namespace course
