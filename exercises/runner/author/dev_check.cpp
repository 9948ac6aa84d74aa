#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "runner/author/dev.h"
#include "runner/check/builder.h"
#include "runner/lessons/hints.h"
#include "runner/lessons/road.h"
#include "runner/lessons/settings.h"
#include "runner/system/files.h"
#include "runner/system/jobs.h"
#include "runner/system/process.h"

namespace learn {
namespace {

using nlohmann::json;
using Problems = std::vector<std::string>;

// Runs the judge on the answer, or on the exercise itself, and reads what it wrote.
json run_judge(const Built& built, const std::vector<std::string>& arguments, double seconds, Problems& problems) {
  const Finished finished = run_process(judge_command(built, arguments, {built.program, "--seconds", "0"}),
                                        {.seconds = patience_for(seconds), .with_result = true});
  if (finished.exit_code != 0 || finished.result.empty()) {
    problems.push_back(fmt::format("{} ended with {}:\n{}", built.program, finished.exit_code, finished.output));
    return {};
  }
  return json::parse(finished.result);
}

Built build_text(const Exercise& exercise, const RunFolder& folder, const std::string& kind, const std::string& text,
                 Problems& problems) {
  const std::string file = folder / (kind + ".cpp");
  write_file(file, text);
  Built built = build_answer(exercise, file, {.folder = folder.path(), .name = kind, .warnings_are_errors = true});
  if (!built.foreign_include.empty())
    problems.push_back(fmt::format("the {} includes {}", kind, built.foreign_include));
  else if (!built.foreign_symbol.empty())
    problems.push_back(fmt::format("the {} has to do with {}", kind, built.foreign_symbol));
  else if (!built.ok)
    problems.push_back(fmt::format("the {} does not compile:\n{}", kind, built.messages));
  return built;
}

// A hunt's stub is one of the known mistakes; any other says that it is not written yet.
void check_stub(const Exercise& exercise, const RunFolder& folder, Problems& problems) {
  const Built built = build_text(exercise, folder, "stub", exercise.source.stub(), problems);
  if (!built.ok) return;
  const json verdict = run_judge(built, {}, exercise.source.seconds, problems);
  if (verdict.is_null()) return;
  const bool unwritten = verdict.at("outcome") == "unwritten" && !verdict.at("message").get<std::string>().empty();
  const bool a_mistake = verdict.at("outcome") == "wrong" && !verdict.at("named").empty();
  if (!unwritten && !a_mistake) problems.push_back("the stub does not fail with its own message: " + verdict.dump());
}

void check_texts(const Exercise& exercise, Problems& problems) {
  for (const char* const name : {"README.md", "hints.md"}) {
    if (!exists(exercise.folder + "/" + name)) problems.push_back(fmt::format("there is no {}", name));
  }
  if (!exists(exercise.folder + "/hints.md")) return;
  const Hints hints(exercise);
  for (const std::string& level : hints.levels()) {
    if (level != first_formula && hints.text(level).empty()) {
      problems.push_back(fmt::format("hints.md has no ## {}", level));
    }
  }
  const std::string sources =
      exercise.source.solution() + read_file(exercise.folder + "/check.cpp");  // where what a part is about is named
  for (const FormulaPart& part : hints.formula_parts()) {
    for (const std::string& name : part.names) {
      if (sources.find('"' + name) != std::string::npos) continue;
      problems.push_back(fmt::format("hints.md has a formula of '{}', which is neither shown nor compared", name));
    }
  }
}

struct Counts {
  int mistakes = 0;
  int pairs = 0;
  std::vector<std::string> only_at_usual_sizes;
};

Problems check_exercise(const std::string& id, bool slow, Counts& counts) {
  Problems problems;
  const Exercise exercise = load_exercise(id);
  check_texts(exercise, problems);
  for (const std::string& problem : problems_of_road(exercise)) problems.push_back(problem);
  const RunFolder folder(runs_folder());
  check_stub(exercise, folder, problems);
  Built solution = build_text(exercise, folder, "solution", exercise.source.solution(), problems);
  if (!solution.ok) return problems;
  std::vector<std::string> arguments;
  const json verdict = run_judge(solution, arguments, 120.0, problems);
  if (!verdict.is_null() && verdict.at("outcome") != "passed")
    problems.push_back("the solution fails: " + verdict.dump());
  arguments.push_back("--author");
  if (slow) {
    arguments.push_back("--slow");
    solution.judge = judge_of_pairs(exercise);
  }
  const json report = run_judge(solution, arguments, 300.0, problems);
  if (report.is_null()) return problems;
  for (const std::string problem : report.at("problems")) problems.push_back(problem);
  counts.mistakes += report.at("mistakes").get<int>();
  counts.pairs += report.at("pairs").get<int>();
  counts.only_at_usual_sizes = report.at("only_at_usual_sizes").get<std::vector<std::string>>();
  return problems;
}

}  // namespace

int dev_check(const std::vector<std::string>& ids, bool slow, int jobs) {
  struct Result {
    Counts counts;
    Problems problems;
  };
  Counts all;
  int broken = 0;
  const auto check = [&](std::size_t i) {
    Result result;
    try {
      result.problems = check_exercise(ids[i], slow, result.counts);
    } catch (const std::exception& error) {
      result.problems.push_back(error.what());
    }
    return result;
  };
  const auto show = [&](std::size_t i, const Result& result) {
    const Counts& counts = result.counts;
    fmt::print("{} {:<34} {:>3} mistakes{}\n", result.problems.empty() ? "ok  " : "FAIL", ids[i], counts.mistakes,
               slow ? fmt::format(" {:>4} pairs named", counts.pairs) : "");
    for (const std::string& problem : result.problems) fmt::print("     {}\n", problem);
    if (!counts.only_at_usual_sizes.empty()) {
      fmt::print("     at these sizes only: {}\n", fmt::join(counts.only_at_usual_sizes, ", "));
    }
    std::fflush(stdout);
    broken += result.problems.empty() ? 0 : 1;
    all.mistakes += counts.mistakes;
    all.pairs += counts.pairs;
  };
  run_in_order<Result>(ids.size(), jobs > 0 ? jobs : default_jobs(), check, show);
  fmt::print("{} exercises, {} broken; {} known mistakes{}\n", ids.size(), broken, all.mistakes,
             slow ? fmt::format(", {} pairs named", all.pairs) : "");
  return broken == 0 ? 0 : 1;
}

}  // namespace learn
