// `learn grade`: the answers of one student, or of a class, with points.
#include <fmt/format.h>
#include <unistd.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "autograd/text/printable.h"
#include "runner/commands/commands.h"
#include "runner/grading/class.h"
#include "runner/grading/class_page.h"
#include "runner/grading/formats.h"
#include "runner/grading/grade_answer.h"
#include "runner/system/files.h"
#include "runner/system/jobs.h"
#include "runner/system/process.h"
#include "runner/system/sandbox.h"
#include "runner/text/wrong_usage.h"

namespace learn {
namespace {

namespace fs = std::filesystem;

std::string shortened(const std::string& text) {
  constexpr std::size_t most = 60;
  return text.size() <= most ? text : text.substr(0, text.rfind(' ', most)) + " ...";
}

// A workflow command is one line, and a colon or a comma ends a value in it.
std::string escaped(const std::string& text, std::string_view more = "") {
  std::string result;
  for (const char c : autograd::printable_lines(text)) {
    const bool special =
        std::string_view("%\r\n").find(c) != std::string_view::npos || more.find(c) != std::string_view::npos;
    result += !special ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return result;
}

// Into the file that the workflow's later steps read, and as remarks beside the code.
void tell_github(const std::vector<Grade>& grades, const std::string& folder) {
  for (const Grade& grade : grades) {
    if (grade.passed()) continue;
    const std::string file = folder == "." ? grade.file : folder + "/" + grade.file;
    const std::string line = grade.line > 0 ? fmt::format(",line={}", grade.line) : "";
    fmt::print("::error file={}{},title={}::{}\n", escaped(file, ":,"), line, grade.id, escaped(grade.message));
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

int jobs_of(const GradeOptions& options) {
  return options.jobs > 0 ? options.jobs : default_jobs();
}

// A teacher must know, whatever else is on the screen.
void say_if_not_contained() {
  if (containment() == Containment::limits_only) complain(describe(containment()));
}

// Where the course is at fault, nobody has earned nothing. Each exercise and reason is said once.
int exit_code_of(const std::vector<GradedStudent>& students) {
  std::set<std::string> not_graded;
  bool passed = true;
  for (const GradedStudent& student : students) {
    for (const Grade& grade : student.grades) {
      passed = passed && grade.passed();
      if (!grade.graded()) not_graded.insert(fmt::format("{} could not be graded: {}", grade.id, grade.message));
    }
  }
  for (const std::string& sentence : not_graded) complain(sentence);
  return !not_graded.empty() ? 2 : passed ? 0 : 1;
}

int grade_student(const Style& style, Grader& grader, const GradeOptions& options) {
  GradedStudent student{file_name(full_path(options.folder)), {}};
  run_in_order<Grade>(
      grader.tasks().size(), jobs_of(options), [&](std::size_t i) { return grader.grade(i, options.folder); },
      [&](std::size_t, const Grade& grade) {
        const std::string mark = grade.passed() ? style.green("✓") : style.red("✗");
        show(style, fmt::format("{} {} {:>5g} of {:<5g} {} {}\n", mark, padded(grade.id, 34), grade.points, grade.of,
                                padded(grade.outcome, 16), style.dim(shortened(grade.message))));
        student.grades.push_back(grade);
      });
  const std::vector<Grade>& grades = student.grades;
  show(style, fmt::format("{:g} of {:g} points\n", total(grades), total_of(grades)));
  if (!options.json.empty()) write_file(options.json, grades_as_json(grades));
  if (!options.gradescope.empty()) write_file(options.gradescope, grades_for_gradescope(grades));
  if (options.github) tell_github(grades, options.folder);
  return exit_code_of({student});
}

// "37 of 212 answers, about 3 minutes left", on one line that the next one replaces.
void show_progress(const Style& style, const ClassProgress& progress) {
  if (::isatty(STDOUT_FILENO) != 1) return;
  const std::string left = progress.seconds_left < 90.0 ? fmt::format("{:.0f} seconds", progress.seconds_left)
                                                        : fmt::format("{:.0f} minutes", progress.seconds_left / 60.0);
  show(style, fmt::format("\r\033[K{} of {} answers, about {} left\r", progress.answers, progress.of, left));
}

void show_student(const Style& style, const GradedStudent& student) {
  show(style, fmt::format("{}{} {:>6g} of {:<6g} {} of {} passed\n", ::isatty(STDOUT_FILENO) == 1 ? "\033[K" : "",
                          padded(autograd::printable_lines(student.name), 34), total(student.grades),
                          total_of(student.grades), passed_of(student.grades), student.grades.size()));
}

std::string conditions(const GradeOptions& options) {
  return fmt::format("Graded by learn grade{}. The answers ran {}.",
                     options.seed == 0 ? std::string() : fmt::format(" --seed {}", options.seed),
                     describe(containment()));
}

// A table with exercises that are not graded this time is kept beside the new one.
void keep_wider_table(const Style& style, const std::vector<GradedStudent>& students, const std::string& folder) {
  const std::vector<std::string> before = lines_of(folder + "/grades.csv");
  std::set<std::string> now;
  for (const Grade& grade : students[0].grades) now.insert(grade.id);
  std::istringstream columns(before.empty() ? "" : before[0]);
  bool wider = false;
  for (std::string column; std::getline(columns, column, ',');) {
    const bool is_exercise = std::isdigit(static_cast<unsigned char>(column[0])) != 0;
    wider = wider || (is_exercise && now.count(column) == 0);
  }
  if (!wider) return;
  int number = 1;
  while (exists(fmt::format("{}/grades.{}.csv", folder, number))) ++number;
  for (const char* const kind : {"csv", "html"}) {
    const std::string file = fmt::format("{}/grades.{}", folder, kind);
    if (exists(file)) fs::rename(file, fmt::format("{}/grades.{}.{}", folder, number, kind));
  }
  show(style, fmt::format("\nThe table from before, with other exercises, is kept as grades.{}.csv\n", number));
}

void write_class(const Style& style, const std::vector<GradedStudent>& students, const GradeOptions& options) {
  const std::string csv = options.folder + "/grades.csv";
  const std::string page = options.folder + "/grades.html";
  keep_wider_table(style, students, options.folder);
  write_file(csv, class_as_csv(students));
  write_file(page, class_page(students, {file_name(full_path(options.folder)), conditions(options)}));
  if (!options.json.empty()) write_file(options.json, class_as_json(students));
  show(style, autograd::printable_lines(fmt::format("\n{}\n{}\n", csv, page)));
}

int grade_students(const Style& style, Grader& grader, const std::vector<Student>& students,
                   const GradeOptions& options) {
  if (!options.gradescope.empty() || options.github) {
    throw WrongUsage("--gradescope and --github are about one student; " + options.folder + " is a class");
  }
  const std::string kept = options.folder + "/.grades";
  if (options.again) fs::remove_all(kept);
  try {
    const std::vector<GradedStudent> graded = grade_class(
        grader, students, kept, jobs_of(options),
        [&](const ClassProgress& progress) { show_progress(style, progress); },
        [&](const GradedStudent& student) { show_student(style, student); });
    write_class(style, graded, options);
    return exit_code_of(graded);
  } catch (const Interrupted&) {
    show(style, "\nWhat is graded is kept: the same command goes on from here.\n");
    throw;
  }
}

}  // namespace

int grade(const Context& context, const GradeOptions& options) try {
  if (!fs::is_directory(options.folder)) throw WrongUsage("there is no folder " + options.folder);
  Grader grader(grade_tasks(options.exercises, options.points),
                {.seconds = options.seconds, .seed = options.seed, .by_parts = options.by_parts});
  say_if_not_contained();
  const std::vector<Student> students = students_in(options.folder);
  if (students.empty()) return grade_student(context.style, grader, options);
  return grade_students(context.style, grader, students, options);
} catch (const std::runtime_error& error) {
  throw WrongUsage(error.what());  // 1 would say that answers are not passed
}

}  // namespace learn
