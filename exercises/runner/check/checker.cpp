#include "runner/check/checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "autograd/text/printable.h"
#include "judge/endings.h"
#include "runner/check/answer_sandbox.h"
#include "runner/check/findings.h"
#include "runner/check/run_judge.h"
#include "runner/check/sanitizers.h"
#include "runner/check/steps.h"
#include "runner/explain/crash.h"
#include "runner/lessons/settings.h"
#include "runner/system/files.h"
#include "runner/system/process.h"

namespace learn {
namespace {

namespace fs = std::filesystem;
using Outcome = Report::Outcome;

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
      findings().read_messages(built);
    } else {
      const Finished finished = run(built);
      report_.run_seconds = finished.seconds;
      findings().read_result(finished, read_logs(report_log(own_folder())));
      if (may_be_a_pair()) look_for_pairs(built);
      if (report_.outcome != Outcome::passed) {
        report_.warnings = findings().warnings_in(built.messages);
        find_first_nan(built);
      }
      if (report_.verdict && (!report_.printed.empty() || threw_from_nowhere())) run_once();
    }
    return std::move(report_);
  }

 private:
  Findings findings() { return {exercise_, file_, seconds_, report_}; }

  Finished run(const Built& built) {
    return run_judge(
        built, {.folder = own_folder(), .seconds = seconds_, .seed = options_.seed, .untrusted = options_.untrusted});
  }

  // What no mistake explains may be two at once.
  bool may_be_a_pair() const {
    return exercise_.source.combine && report_.outcome == Outcome::wrong && !report_.verdict->differences.empty() &&
           report_.verdict->named.empty();
  }
  // A second run can only add names: an answer that ends otherwise this time, or is right, has been wrong all the same.
  void look_for_pairs(Built built) {
    built.judge = judge_of_pairs(exercise_);
    Report first = report_;
    const Finished finished = run(built);
    findings().read_result(finished, read_logs(report_log(own_folder())));
    if (report_.outcome != Outcome::wrong || finished.result.empty()) report_ = std::move(first);
    report_.run_seconds += finished.seconds;
  }

  // The only folder that the answer may change.
  std::string own_folder() const { return folder_ / "own"; }

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
    std::vector<Step> steps;
    try {
      steps = run_steps(built, own_folder(), seconds_);
    } catch (const std::runtime_error&) {
      return;  // then the numbers must do
    }
    const Step* const first = first_not_finite(steps, file_name(file_));
    if (!first) return;
    const std::string said =
        first->not_finite == judge::NotFinite::nan_handed_on
            ? fmt::format("the NaN that the check passes in first gets through at '{}', on this line", first->name)
            : fmt::format("the first {} in a tensor comes out of '{}' in this line",
                          first->not_finite == judge::NotFinite::nan ? "NaN" : "infinity", first->name);
    report_.problem = {said, "", {file_name(file_), first->line, 0}};
  }

  // The engine's exceptions name their line; others do not.
  bool threw_from_nowhere() const {
    return report_.outcome == Outcome::wrong && report_.verdict->thrown &&
           !report_.place_of_throw(file_name(file_)).known();
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
    const Finished finished = run_process(contained(sandbox, {built.program}), {.seconds = patience_for(seconds_),
                                                                                .environment = environment,
                                                                                .most_output = 200000,
                                                                                .line_by_line = true,
                                                                                .small_folder = sandbox.folder});
    report_.printed = without_reports(autograd::printable_lines(finished.output));
    if (threw_from_nowhere()) {
      report_.thrown_at =
          first_place_in(finished.output + read_logs(own_folder() + "/once"), file_name(file_), judge::stack_mark);
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
