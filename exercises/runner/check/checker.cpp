#include "runner/check/checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "runner/check/answer_sandbox.h"
#include "runner/check/run_judge.h"
#include "runner/check/sanitizers.h"
#include "runner/check/steps.h"
#include "runner/course/settings.h"
#include "runner/explain/compiler_messages.h"
#include "runner/explain/crash.h"
#include "runner/system/files.h"
#include "runner/system/process.h"

namespace learn {
namespace {

namespace fs = std::filesystem;
using Outcome = Report::Outcome;

AnswerFile answer_file(const Exercise& exercise, const std::string& file) {
  return {file, lines_of(file), exercise.source.answer};
}

// One check of one file: compiles it, runs its program, and fills in the report.
class CheckOfFile {
 public:
  CheckOfFile(const Exercise& exercise, const std::string& file, const CheckOptions& options)
      : exercise_(exercise),
        file_(full_path(file)),
        seconds_(options.seconds > 0 ? options.seconds : exercise.source.seconds),
        options_(options),
        folder_(runs_folder()) {
    report_.id = exercise.id;
    report_.file_state = fingerprint(read_file(file_));
  }

  Report run() {
    const Built built = build_answer(exercise_, file_, {.folder = folder_.path(), .untrusted = options_.untrusted});
    report_.compile_seconds = built.compile_seconds;
    report_.link_seconds = built.link_seconds;
    if (!built.ok) {
      explain_build(built);
    } else {
      const Finished finished = run(built);
      report_.run_seconds = finished.seconds;
      read_result(finished);
      if (report_.outcome != Outcome::passed) {
        report_.warnings = explain_warnings(built.messages, answer_file(exercise_, file_));
        find_first_nan(built);
      }
      if (report_.verdict && (!report_.printed.empty() || threw_from_nowhere())) run_once();
    }
    return std::move(report_);
  }

 private:
  void explain_build(const Built& built) {
    if (built.messages.find("No space left on device") != std::string::npos) {
      throw std::runtime_error("the disk is full, so nothing can be compiled. Your file is as it was.");
    }
    const AnswerFile answer = answer_file(exercise_, file_);
    report_.outcome = Outcome::does_not_compile;
    report_.raw = built.messages;
    if (!built.foreign_include.empty()) {
      report_.problem = {"your file includes " + built.foreign_include + ", which is not part of your answer",
                         "Include what is given, the library and the standard library, and files of your own folder.",
                         place_of_line("#include", file_name(built.foreign_include))};
      return;
    }
    if (!built.foreign_symbol.empty()) {
      report_.problem = {"your file has to do with " + built.foreign_symbol + ", by which the check and the judge work",
                         "Leave it out. What an answer needs is in the library and in the standard library.",
                         {}};
      return;
    }
    report_.problem =
        built.compiled ? explain_link_error(built.messages, answer) : explain_compile_error(built.messages, answer);
  }

  Finished run(const Built& built) {
    return run_judge(
        built, {.folder = own_folder(), .seconds = seconds_, .seed = options_.seed, .untrusted = options_.untrusted});
  }

  // The only folder that the answer may change.
  std::string own_folder() const { return folder_ / "own"; }

  void read_result(const Finished& finished) {
    const std::string logs = read_logs(report_log(own_folder()));
    const std::string text = finished.output + logs;
    report_.printed = without_reports(finished.output);
    if (finished.result.empty() || finished.timed_out) {
      explain_end(finished, text);
      return;
    }
    report_.verdict = read_verdict(nlohmann::json::parse(finished.result));
    const std::string& outcome = report_.verdict->outcome;
    report_.outcome = outcome == "passed"      ? Outcome::passed
                      : outcome == "unwritten" ? Outcome::unwritten
                                               : Outcome::wrong;
    if (auto leak = explain_leak(logs, file_name(file_)); leak && report_.passed()) {
      report_.outcome = Outcome::crashed;
      report_.problem = std::move(leak);
      report_.raw = logs;
    }
  }

  void explain_end(const Finished& finished, const std::string& text) {
    report_.raw = text;
    if (const Place place = place_of_main(); place.known()) {
      report_.outcome = Outcome::does_not_compile;
      report_.problem = {"your file has a main() of its own, so the check never ran",
                         "Leave it out: the check calls your functions. To try something, print inside them.", place};
      return;
    }
    if (text.find("course: the answer's process sent") != std::string::npos) {
      report_.outcome = Outcome::crashed;
      report_.problem = {"your code wrote where the check reads what your functions return",
                         "Write to files that your code has opened, and to std::cout, and to no other.",
                         {}};
      return;
    }
    Explained explained =
        explain_ending({finished.exit_code, finished.timed_out, text, seconds_, lines_of(file_)}, file_name(file_));
    report_.outcome = explained.outcome;
    report_.problem = std::move(explained.problem);
  }

  // The first line that begins so and has this in it.
  Place place_of_line(const std::string& begin, const std::string& part = "") const {
    const std::vector<std::string> lines = lines_of(file_);
    const auto found = std::find_if(lines.begin(), lines.end(), [&](const std::string& line) {
      return line.rfind(begin, 0) == 0 && line.find(part) != std::string::npos;
    });
    return found == lines.end() ? Place{} : Place{file_name(file_), static_cast<int>(found - lines.begin()) + 1, 0};
  }

  Place place_of_main() const {
    const Place place = place_of_line("int main(");
    return place.known() ? place : place_of_line("auto main(");
  }

  // A NaN in the results: the first line that made one.
  void find_first_nan(const Built& built) {
    if (!report_.verdict || report_.problem) return;
    const auto has_nan = [](const Difference& difference) {
      return std::any_of(difference.entries.begin(), difference.entries.end(), [](const auto& entry) {
        return !std::isfinite(entry.yours) && std::isfinite(entry.expected);
      });
    };
    const auto& differences = report_.verdict->differences;
    if (std::none_of(differences.begin(), differences.end(), has_nan)) return;
    const bool handed_in = std::none_of(differences.begin(), differences.end(), [&](const Difference& difference) {
      return has_nan(difference) && difference.name.find("NaN") == std::string::npos;
    });
    std::vector<Step> steps;
    try {
      steps = run_steps(built, own_folder(), seconds_);
    } catch (const std::runtime_error&) {
      return;  // then the numbers must do
    }
    const Step* const first = first_not_finite(steps, file_name(file_));
    if (!first) return;
    const std::string said =
        handed_in ? fmt::format("the NaN that the check hands in gets through '{}' in this line first", first->name)
                  : fmt::format("the first {} in a tensor comes out of '{}' in this line",
                                first->has_nan() ? "NaN" : "infinity", first->name);
    report_.problem = {said, "", {file_name(file_), first->line, 0}};
  }

  // The engine's exceptions name their line; others do not.
  bool threw_from_nowhere() const {
    return report_.outcome == Outcome::wrong && !report_.verdict->message.empty() &&
           report_.verdict->message.find("at: " + file_name(file_)) == std::string::npos;
  }

  // A check runs the answer several times. This run finds what it prints once, and where it throws.
  void run_once() {
    const Built built =
        build_answer(exercise_, file_,
                     {.folder = folder_.path(), .name = "once", .run_once = true, .untrusted = options_.untrusted});
    if (!built.ok) return;
    std::vector<std::string> environment = sanitizer_environment(own_folder() + "/once");
    environment.push_back("LEARN_TRACE_THROW=1");
    const Sandbox sandbox = answer_sandbox(built.program, own_folder(), seconds_, environment, options_.untrusted);
    const Finished finished =
        run_process(contained(sandbox, {built.program}), {.seconds = static_cast<double>(seconds_),
                                                          .environment = environment,
                                                          .most_output = 200000,
                                                          .line_by_line = true,
                                                          .small_folder = sandbox.folder});
    report_.printed = without_reports(finished.output);
    if (threw_from_nowhere()) {
      report_.thrown_at =
          first_place_in(finished.output + read_logs(own_folder() + "/once"), file_name(file_), "course: thrown");
    }
  }

  const Exercise& exercise_;
  std::string file_;
  int seconds_;
  CheckOptions options_;
  RunFolder folder_;
  Report report_;
};

}  // namespace

Report check_file(const Exercise& exercise, const std::string& file, const CheckOptions& options) {
  try {
    return CheckOfFile(exercise, file, options).run();
  } catch (const std::exception& error) {
    Report report;
    report.id = exercise.id;
    report.outcome = Outcome::broken;
    report.problem = Problem{error.what(), "", {}};
    return report;
  }
}

}  // namespace learn
