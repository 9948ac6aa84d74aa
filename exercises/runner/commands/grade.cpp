// `learn grade`: all answers of a folder, with points.
#include "runner/commands/grade.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "runner/check/checker.h"
#include "runner/commands/commands.h"
#include "runner/show/show_report.h"
#include "runner/system/files.h"
#include "runner/system/jobs.h"

namespace learn {
namespace {

struct Task {
  Exercise exercise;
  double points = 1.0;
};

// "25=4" -> exercise 25 for 4 points.
std::vector<Task> tasks_of(const GradeOptions& options) {
  std::vector<Task> tasks;
  for (const std::string& text : options.exercises) {
    const std::size_t equals = text.find('=');
    Task task{load_exercise(find_exercise(text.substr(0, equals))), options.points};
    if (equals != std::string::npos) {
      char* end = nullptr;
      task.points = std::strtod(text.c_str() + equals + 1, &end);
      if (*end != '\0' || end == text.c_str() + equals + 1 || task.points < 0.0) {
        throw std::runtime_error("points are a number: 25=4, not " + text);
      }
    }
    tasks.push_back(std::move(task));
  }
  if (tasks.empty()) {
    for (const Exercise& exercise : all_exercises()) tasks.push_back({exercise, options.points});
  }
  return tasks;
}

std::string first_sentence(const Report& report) {
  if (report.problem) return report.problem->sentence;
  if (!report.verdict) return std::string(name(report.outcome));
  if (!report.verdict->message.empty()) return report.verdict->message.substr(0, report.verdict->message.find('\n'));
  if (report.verdict->differences.empty()) return report.verdict->repeatable ? "" : "two runs gave different numbers";
  const Difference& first = report.verdict->differences[0];
  return first.name + ": " + first.summary;
}

Grade grade_one(const Task& task, const GradeOptions& options) {
  Grade grade;
  grade.id = task.exercise.id;
  grade.title = task.exercise.title();
  grade.file = task.exercise.answer_name();
  grade.of = task.points;
  const std::string file = options.folder + "/" + grade.file;
  if (!exists(file)) {
    grade.outcome = "missing";
    grade.message = "there is no " + grade.file;
    grade.output = grade.message + "\n";
    return grade;
  }
  const Report report = check_file(task.exercise, file, {.seconds = options.seconds});
  if (report.outcome == Report::Outcome::broken) {
    throw std::runtime_error(fmt::format("{} cannot be graded: {}", grade.id, report.problem->sentence));
  }
  grade.outcome = name(report.outcome);
  grade.points = report.passed() ? task.points : 0.0;
  grade.seconds = report.compile_seconds + report.link_seconds + report.run_seconds;
  grade.message = first_sentence(report);
  grade.output = show_report(Style{}, task.exercise, report, file);
  if (report.problem && report.problem->place.file == grade.file) grade.line = report.problem->place.line;
  return grade;
}

std::string shortened(const std::string& text) {
  constexpr std::size_t most = 60;
  return text.size() <= most ? text : text.substr(0, text.rfind(' ', most)) + " ...";
}

// A workflow command is one line.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '%' ? "%25" : c == '\r' ? "%0D" : c == '\n' ? "%0A" : std::string(1, c);
  return result;
}

// Into the file that the workflow's later steps read, and as remarks beside the code.
void tell_github(const std::vector<Grade>& grades, const std::string& folder) {
  for (const Grade& grade : grades) {
    if (grade.passed()) continue;
    fmt::print("::error file={},line={},title={}::{}\n", folder == "." ? grade.file : folder + "/" + grade.file,
               std::max(grade.line, 1), grade.id, escaped(grade.message));
  }
  const std::string line = "result=" + grades_for_github(grades) + "\n";
  const char* const output = std::getenv("GITHUB_OUTPUT");
  if (!output) {
    fmt::print("{}", line);
    return;
  }
  std::ofstream file(output, std::ios::app);
  file << line;
  if (!file.flush()) throw std::runtime_error(std::string("cannot write ") + output);
}

}  // namespace

int grade(const Context& context, const GradeOptions& options) {
  const Style& style = context.style;
  if (!exists(options.folder)) throw std::runtime_error("there is no folder " + options.folder);
  const std::vector<Task> tasks = tasks_of(options);
  std::vector<Grade> grades;
  run_in_order<Grade>(
      tasks.size(), options.jobs > 0 ? options.jobs : default_jobs(),
      [&](std::size_t i) { return grade_one(tasks[i], options); },
      [&](std::size_t, const Grade& grade) {
        const std::string mark = grade.passed() ? style.green("✓") : style.red("✗");
        show(style, fmt::format("{} {} {:>5g} of {:<5g} {} {}\n", mark, padded(grade.id, 34), grade.points, grade.of,
                                padded(grade.outcome, 16), style.dim(shortened(grade.message))));
        grades.push_back(grade);
      });
  show(style, fmt::format("{:g} of {:g} points\n", total(grades), total_of(grades)));
  if (!options.json.empty()) write_file(options.json, grades_as_json(grades));
  if (!options.junit.empty()) write_file(options.junit, grades_as_junit(grades));
  if (!options.gradescope.empty()) write_file(options.gradescope, grades_for_gradescope(grades));
  if (options.github) tell_github(grades, options.folder);
  return total(grades) == total_of(grades) ? 0 : 1;
}

}  // namespace learn
