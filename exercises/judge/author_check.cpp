#include "judge/author_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>

#include "judge/exercise.h"
#include "judge/judge.h"

namespace judge {
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

void check_observation(const Observation& observation, std::vector<std::string>& problems) {
  using Kind = Observation::Kind;
  if (observation.kind == Kind::threw || observation.kind == Kind::unwritten) {
    problems.push_back("the solution ends with: " + observation.text + observation.thrown.message);
  }
  if (!observation.holds)
    problems.push_back(fmt::format("the solution fails '{}': {}", observation.name, observation.text));
  if (observation.kind == Kind::value) check_value(observation, problems);
}

void check_solution(bool slow_too, std::vector<std::string>& problems) {
  const Setting usual = usual_setting();
  const Observed solution = observe(exercise.solution, usual, {.slow_too = slow_too});
  if (solution.record.observations.empty()) problems.push_back("the check looks at nothing");
  std::set<std::string> names;
  for (const Observation& observation : solution.record.observations) {
    check_observation(observation, problems);
    if (!names.insert(observation.name).second) {
      problems.push_back(fmt::format("two observations are called '{}'", observation.name));
    }
  }
  if (!same(observe(exercise.solution, usual).record, observe(exercise.solution, usual).record, 0.0)) {
    problems.push_back("the solution gives other numbers the second time");
  }
}

// "batch = 5, in = 4, seed 1"
std::string words_for(const Setting& setting) {
  std::string text;
  for (const Axis& axis : setting.sizes) text += fmt::format("{} = {}, ", axis.name, axis.size);
  return text + fmt::format("seed {}", setting.seed);
}

// A right answer must be right there, too, so the check must not count on its own sizes and numbers.
void check_other_settings(std::vector<std::string>& problems) {
  for (const Setting& setting : other_settings()) {
    std::vector<std::string> there;
    for (const Observation& observation : observe(exercise.solution, setting).record.observations) {
      check_observation(observation, there);
    }
    for (const std::string& problem : there)
      problems.push_back(fmt::format("where {}: {}", words_for(setting), problem));
  }
}

// Does anything that both have differ?
bool differ(const Record& a, const Record& b) {
  for (const Observation& one : a.observations) {
    for (const Observation& other : b.observations) {
      if (one.name == other.name && !same(one, other, 0.0)) return true;
    }
  }
  return false;
}

// An axis on whose length nothing depends that the check looks at: an answer to which it is a fixed number would pass.
void check_axes(const Record& solution, std::vector<std::string>& problems) {
  const auto is_value = [](const Observation& observation) { return observation.kind == Observation::Kind::value; };
  if (std::none_of(solution.observations.begin(), solution.observations.end(), is_value)) return;  // words, at any size
  for (const Axis& axis : axes) {
    const Setting longer{with_size(axes, axis.name, axis.size + 1)};
    if (differ(observe(exercise.solution, longer).record, solution)) continue;
    problems.push_back(fmt::format("nothing that the check looks at depends on the length of '{}'", axis.name));
  }
}

// What cannot be looked at with other sizes: an answer may have a number in it there that stands for a size.
std::vector<std::string> only_at_usual_sizes(const Record& solution) {
  if (axes.empty()) return {"everything"};
  std::set<std::string> elsewhere;
  for (const Setting& setting : other_settings()) {
    for (const Observation& other : observe(exercise.solution, setting).record.observations)
      elsewhere.insert(other.name);
  }
  std::vector<std::string> names;
  for (const Observation& observation : solution.observations) {
    if (!elsewhere.count(observation.name)) names.push_back(observation.name);
  }
  return names;
}

bool has_failure(const Record& record, const Record& solution) {
  return !same(record, solution, 1e-8);
}

// An observation that every known mistake gets right may be one that every answer gets right.
void check_that_each_is_broken(const Record& solution, const std::vector<Record>& records,
                               std::vector<std::string>& problems) {
  for (const Observation& expected : solution.observations) {
    const bool is_broken = std::any_of(records.begin(), records.end(), [&](const Record& record) {
      return std::any_of(record.observations.begin(), record.observations.end(), [&](const Observation& own) {
        return own.name == expected.name && !same(own, expected, 1e-8);
      });
    });
    if (!is_broken) problems.push_back(fmt::format("no known mistake breaks '{}'", expected.name));
  }
}

// Does it give other numbers than the solution anywhere but at the usual setting: where there is one of something, say?
bool shows_elsewhere(const Mistake& mistake) {
  for (const auto& settings : {other_settings(), special_settings()}) {
    for (const Setting& setting : settings) {
      const Record solution = observe(exercise.solution, setting).record;
      if (is_sound(solution) && has_failure(observe(mistake.run, setting).record, solution)) return true;
    }
  }
  return false;
}

// Names of what gives the same as mistake i, and is not more than it.
std::vector<std::string> alike_to(std::size_t i, const std::vector<Record>& records, const Record& solution) {
  const Mistake& mistake = exercise.mistakes[i];
  std::vector<std::string> alike;
  if (!has_failure(records[i], solution)) alike.push_back("the solution");
  for (std::size_t j = 0; j < records.size(); ++j) {
    const Mistake& other = exercise.mistakes[j];
    if (j != i && other.names.size() <= mistake.names.size() && same(records[i], records[j], 1e-7)) {
      alike.push_back(fmt::format("{}", fmt::join(other.names, " + ")));
    }
  }
  return alike;
}

}  // namespace

AuthorReport check_as_author(bool slow_too) {
  AuthorReport report;
  check_solution(slow_too, report.problems);
  const Record solution = observe(exercise.solution, usual_setting()).record;
  check_other_settings(report.problems);
  check_axes(solution, report.problems);
  report.only_at_usual_sizes = only_at_usual_sizes(solution);
  std::vector<Record> records;
  for (const Mistake& mistake : exercise.mistakes) records.push_back(observe(mistake.run, usual_setting()).record);
  check_that_each_is_broken(solution, records, report.problems);
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Mistake& mistake = exercise.mistakes[i];
    if (mistake.names.size() == 1 && !has_failure(records[i], solution) && shows_elsewhere(mistake)) {
      ++report.mistakes;
      continue;
    }
    const std::vector<std::string> alike = alike_to(i, records, solution);
    if (mistake.names.size() == 1) {
      ++report.mistakes;
      if (alike.empty()) continue;
      report.problems.push_back(
          fmt::format("mistake '{}' gives the same as {}", mistake.names[0], fmt::join(alike, ", ")));
    } else if (alike.empty()) {
      ++report.pairs;
    }
  }
  return report;
}

}  // namespace judge
