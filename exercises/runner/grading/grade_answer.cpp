#include "runner/grading/grade_answer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <tuple>

#include "autograd/text/printable.h"
#include "runner/check/builder.h"
#include "runner/check/checker.h"
#include "runner/lessons/settings.h"
#include "runner/report/verdict_sentences.h"
#include "runner/show/show_problem.h"
#include "runner/show/show_report.h"
#include "runner/system/files.h"
#include "runner/text/wrong_usage.h"

namespace learn {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr std::uintmax_t largest_answer = 1 << 20;  // bytes
constexpr int deepest = 3;                          // folders in a student's folder

std::string first_sentence(const Report& report) {
  if (report.problem) return report.problem->sentence;
  if (!report.verdict) return std::string(name(report.outcome));
  if (report.verdict->thrown) return report.verdict->thrown->message;
  if (!report.verdict->message.empty()) return report.verdict->message.substr(0, report.verdict->message.find('\n'));
  if (report.verdict->differences.empty()) return report.verdict->repeatable ? "" : "two runs gave different numbers";
  const Difference& first = report.verdict->differences[0];
  return first.name + ": " + summary_of(first);
}

bool calls_what_is_not_allowed(const Verdict& verdict) {
  return std::any_of(verdict.differences.begin(), verdict.differences.end(),
                     [](const Difference& difference) { return difference.kind == Difference::Kind::forbidden_call; });
}

// Of an answer that has not passed.
int right_parts(const Report& report, int parts) {
  const bool judged = report.outcome == Report::Outcome::wrong || report.outcome == Report::Outcome::unwritten;
  if (!judged || !report.verdict || !report.verdict->repeatable || calls_what_is_not_allowed(*report.verdict)) return 0;
  return std::min(static_cast<int>(report.verdict->right.size()), parts - 1);
}

std::vector<NamedMistake> mistakes_of(const Exercise& exercise, const Verdict& verdict) {
  std::vector<std::string> names;
  if (!verdict.named.empty()) names = verdict.named[0];
  for (const PartlyNamed& part : verdict.partly_named) {
    names.insert(names.end(), part.mistakes.begin(), part.mistakes.end());
  }
  std::vector<NamedMistake> mistakes;
  for (const std::string& each : names) {
    const MistakeText* const text = find_mistake(exercise, each);
    mistakes.push_back({each, text ? question_of(*text, verdict) : ""});
  }
  return mistakes;
}

// Of what is wrong, where that is known.
int line_of(const Report& report, const std::string& name) {
  const Place place = report.problem ? report.problem->place : report.place_of_throw(name);
  return place.file == name ? place.line : 0;
}

// A student may send what is not a file, or one that nobody could have typed.
std::string why_not_read(const std::string& file, const std::string& name) {
  if (file.empty()) return "there is no " + name;
  if (!is_plain_file(file)) return name + " is not a file of its own, but a link, a pipe or a folder";
  std::error_code error;
  if (fs::file_size(file, error) > largest_answer || error) return name + " is larger than 1 MB";
  return "";
}

// Changes with the answer, and with the headers beside it that it may include.
std::string state_of_answer(const std::string& file) {
  if (!is_plain_file(file)) return "";
  std::vector<std::string> states;
  std::error_code error;
  fs::recursive_directory_iterator entry(fs::path(file).parent_path(), error);
  for (const fs::recursive_directory_iterator end; !error && entry != end; entry.increment(error)) {
    if (entry.depth() >= deepest) entry.disable_recursion_pending();
    if (!is_plain_file(entry->path()) || entry->path().extension() == ".cpp") continue;
    std::error_code gone;
    const auto time = entry->last_write_time(gone).time_since_epoch().count();
    states.push_back(fmt::format("{} {} {}\n", entry->path().string(), gone ? 0 : entry->file_size(gone), time));
  }
  std::sort(states.begin(), states.end());
  return fmt::format("{}{}", read_file(file), fmt::join(states, ""));
}

std::optional<Grade> read_kept(const std::string& path, const std::string& key) {
  try {
    const auto json = ordered_json::parse(read_file(path));
    if (json.at("key") == key) return read_grade(json.at("grade"));
  } catch (const std::exception&) {
    // There is none, or it is damaged.
  }
  return std::nullopt;
}

std::string as_text(const ordered_json& json) {
  return json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

std::vector<GradeTask> grade_tasks(const std::vector<std::string>& exercises, double points) {
  std::vector<GradeTask> tasks;
  for (const std::string& text : exercises) {
    const std::size_t equals = text.find('=');
    GradeTask task{load_exercise(find_exercise(text.substr(0, equals))), points};
    if (equals != std::string::npos) {
      char* end = nullptr;
      task.points = std::strtod(text.c_str() + equals + 1, &end);
      if (*end != '\0' || end == text.c_str() + equals + 1 || !(task.points >= 0.0 && task.points < 1e6)) {
        throw WrongUsage("points are a number: 19=4, not " + text);
      }
    }
    tasks.push_back(std::move(task));
  }
  if (tasks.empty()) {
    for (const Exercise& exercise : all_exercises()) tasks.push_back({exercise, points});
  }
  return tasks;
}

struct Grader::Measure {
  std::mutex mutex;
  int parts = 0;        // 0 until it is known
  std::string failure;  // why it never will be
};

Grader::Grader(std::vector<GradeTask> tasks, GradeRules rules) : tasks_(std::move(tasks)), rules_(rules) {
  for (std::size_t i = 0; i < tasks_.size(); ++i) measures_.push_back(std::make_unique<Measure>());
}

Grader::~Grader() = default;

// From a check of the solution, by the same rules: an exercise that its own solution does not pass grades nobody.
int Grader::parts(std::size_t task) {
  Measure& measure = *measures_[task];
  const Exercise& exercise = tasks_[task].exercise;
  const std::lock_guard lock(measure.mutex);
  if (!measure.failure.empty()) throw std::runtime_error(measure.failure);
  if (measure.parts > 0) return measure.parts;
  const std::string path = fmt::format("{}/{}/parts_{}", settings().cache, exercise.id, rules_.seed);
  const std::string state = exercise_state(exercise);
  if (const std::vector<std::string> lines = lines_of(path); lines.size() == 2 && lines[0] == state) {
    return measure.parts = std::stoi(lines[1]);
  }
  const RunFolder folder(runs_folder());
  const std::string file = folder / exercise.answer_name();
  write_file(file, exercise.source.solution());
  const Report report = check_file(exercise, file, {.seconds = rules_.seconds, .seed = rules_.seed});
  if (!report.passed()) {
    measure.failure =
        fmt::format("its own solution is not passed{}: {}",
                    rules_.seed == 0 ? "" : fmt::format(" with --seed {}", rules_.seed), first_sentence(report));
    throw std::runtime_error(measure.failure);
  }
  measure.parts = std::max(1, static_cast<int>(report.verdict->right.size()));
  try {
    write_file(path, fmt::format("{}\n{}\n", exercise_state(exercise), measure.parts));
  } catch (const std::exception&) {
    // The cache may be read-only: then it is found out again the next time.
  }
  return measure.parts;
}

Grade Grader::grade_file(std::size_t task, const std::string& folder, const std::vector<std::string>& files) {
  const Exercise& exercise = tasks_[task].exercise;
  const std::string file = files.empty() ? "" : files[0];
  Grade grade;
  grade.id = exercise.id;
  grade.title = exercise.title();
  grade.file = files.empty() ? exercise.answer_name() : fs::path(file).lexically_relative(folder).string();
  const auto end_with = [&](const char* outcome, const std::string& reason) {
    grade.outcome = outcome;
    grade.message = autograd::printable_lines(reason);
    grade.output = grade.message + "\n";
    return grade;
  };
  if (const std::string reason = why_not_read(file, file.empty() ? grade.file : file_name(file)); !reason.empty()) {
    return end_with(file.empty() ? "missing" : "refused", reason);
  }
  try {
    grade.parts = parts(task);
  } catch (const std::exception& error) {
    return end_with("not graded", error.what());  // nor is anybody else's, but all other exercises are
  }
  const Report report = check_file(exercise, file, {.seconds = rules_.seconds, .seed = rules_.seed, .untrusted = true});
  const bool broken = report.outcome == Report::Outcome::broken;
  grade.outcome = broken ? "not graded" : std::string(name(report.outcome));
  grade.right = report.passed() ? grade.parts : right_parts(report, grade.parts);
  grade.seconds = report.compile_seconds + report.link_seconds + report.run_seconds;
  grade.message = autograd::printable_lines(first_sentence(report));
  Style style;
  style.has_commands = false;
  grade.output = autograd::printable_lines(show_report(style, exercise, report, file));
  for (std::size_t i = 1; i < files.size(); ++i) {
    grade.output += autograd::printable_lines(fs::path(files[i]).lexically_relative(folder).string()) +
                    " is there, too: not looked at\n";
  }
  grade.line = line_of(report, file_name(file));
  if (report.verdict && !report.passed()) grade.mistakes = mistakes_of(exercise, *report.verdict);
  return grade;
}

double Grader::points_of(std::size_t task, const Grade& grade) const {
  const double of = tasks_[task].points;
  if (grade.passed()) return of;
  return rules_.by_parts && grade.parts > 0 ? rounded(of * grade.right / grade.parts) : 0.0;
}

Grade Grader::grade(std::size_t task, const std::string& folder) {
  Grade grade = grade_file(task, folder, answers_in(folder, tasks_[task].exercise.answer_name()));
  grade.of = tasks_[task].points;
  grade.points = points_of(task, grade);
  return grade;
}

Grade Grader::grade(std::size_t task, const std::string& folder, const std::string& kept) {
  const Exercise& exercise = tasks_[task].exercise;
  const std::vector<std::string> files = answers_in(folder, exercise.answer_name());
  std::string text;
  for (const std::string& file : files) text += file + "\n";
  if (!files.empty()) text += state_of_answer(files[0]);
  const std::string key =
      fingerprint(fmt::format("{} {} {} {}", exercise_state(exercise), rules_.seconds, rules_.seed, fingerprint(text)));
  std::optional<Grade> grade = read_kept(kept, key);
  if (!grade) {
    grade = grade_file(task, folder, files);
    if (grade->graded()) write_file(kept, as_text({{"key", key}, {"grade", to_json(*grade)}}));
  }
  grade->of = tasks_[task].points;
  grade->points = points_of(task, *grade);
  return *grade;
}

std::vector<std::string> answers_in(const std::string& folder, const std::string& name) {
  std::vector<std::string> found;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error);
  for (const fs::recursive_directory_iterator end; !error && entry != end; entry.increment(error)) {
    const std::string own = entry->path().filename();
    if (entry->is_symlink() || own[0] == '.' || entry.depth() >= deepest) entry.disable_recursion_pending();
    if (without_mark_of_copy(own) == name) found.push_back(entry->path());
  }
  // The same one every time, whatever the order in which a file system lists them.
  std::sort(found.begin(), found.end(), [&](const std::string& a, const std::string& b) {
    const auto rank = [&](const std::string& path) {
      return std::tuple(file_name(path) != name, std::count(path.begin(), path.end(), '/'));
    };
    return rank(a) != rank(b) ? rank(a) < rank(b) : a < b;
  });
  return found;
}

}  // namespace learn
