#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "runner/author/dev.h"
#include "runner/author/mutants.h"
#include "runner/author/mutants_file.h"
#include "runner/check/builder.h"
#include "runner/lessons/settings.h"
#include "runner/system/files.h"
#include "runner/system/jobs.h"
#include "runner/system/process.h"

namespace learn {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

struct Result {
  std::size_t compiled = 0;
  std::size_t stated = 0;      // live, and are said to be equal
  std::vector<Mutant> living;  // and are not
  std::vector<std::string> problems;
  double seconds = 0.0;
};

// Compiles the mutants, and takes away those that are no C++, until the others are.
Built build(const Exercise& exercise, const RunFolder& folder, const std::vector<Mutant>& mutants,
            std::set<std::size_t>& chosen) {
  for (std::size_t i = 0; i < mutants.size(); ++i) chosen.insert(i);
  const std::string file = folder / "mutants.cpp";
  while (true) {
    write_file(file, mutants_file(exercise, mutants, chosen));
    const Built built = build_variants(exercise, file, folder / "mutants");
    if (built.ok) return built;
    const std::set<std::size_t> wrong = mutants_in(built.messages);
    const std::size_t before = chosen.size();
    for (const std::size_t i : wrong) chosen.erase(i);
    if (chosen.size() == before) throw std::runtime_error("the mutants do not compile:\n" + built.messages);
  }
}

json run(const Built& built, bool slow) {
  const std::string result = built.program + ".json";
  std::vector<std::string> command{built.program, result, "--mutants"};
  if (slow) command.push_back("--slow");
  const Finished finished = run_process(command, {.seconds = 3600.0});
  if (finished.exit_code != 0 || !exists(result)) {
    throw std::runtime_error(fmt::format("the mutants ended with {}:\n{}", finished.exit_code, finished.output));
  }
  return json::parse(read_file(result));
}

Result try_mutants(const std::string& id, bool slow) {
  const Clock::time_point start = Clock::now();
  Result result;
  const Exercise exercise = load_exercise(id);
  const RunFolder folder(runs_folder());
  const std::vector<Mutant> mutants = mutants_of(exercise.source.solution_lines());
  std::set<std::size_t> chosen;
  const json report = run(build(exercise, folder, mutants, chosen), slow);
  result.compiled = chosen.size();
  result.problems = report.at("problems").get<std::vector<std::string>>();
  std::set<std::string> stated;
  for (const EqualMutants& equal : exercise.source.equal_mutants) {
    stated.insert(equal.codes.begin(), equal.codes.end());
  }
  std::set<std::string> found;
  for (const std::string name : report.at("living")) {
    const Mutant& mutant = mutants[std::stoul(name)];
    found.insert(mutant.code);
    if (stated.count(mutant.code)) {
      ++result.stated;
    } else {
      result.living.push_back(mutant);
    }
  }
  for (const std::string& code : stated) {
    if (!found.count(code)) result.problems.push_back("stated as equal, but it fails, or is not a mutant: " + code);
  }
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return result;
}

}  // namespace

int dev_mutants(const std::vector<std::string>& ids, bool slow, int jobs) {
  std::size_t all = 0;
  std::size_t living = 0;
  std::size_t stated = 0;
  int broken = 0;
  const auto work = [&](std::size_t i) {
    try {
      return try_mutants(ids[i], slow);
    } catch (const std::exception& error) {
      Result failed;
      failed.problems.push_back(error.what());
      return failed;
    }
  };
  const auto show = [&](std::size_t i, const Result& result) {
    const bool is_broken = !result.living.empty() || !result.problems.empty();
    fmt::print("{} {:<34} {:>3} mutants, {:>2} live, {:>2} are stated as equal, {:>4.1f} s\n",
               is_broken ? "FAIL" : "ok  ", ids[i], result.compiled, result.living.size(), result.stated,
               result.seconds);
    for (const Mutant& mutant : result.living) fmt::print("     line {}: {}\n", mutant.line, mutant.code);
    for (const std::string& problem : result.problems) fmt::print("     {}\n", problem);
    std::fflush(stdout);
    all += result.compiled;
    living += result.living.size();
    stated += result.stated;
    broken += is_broken ? 1 : 0;
  };
  run_in_order<Result>(ids.size(), jobs > 0 ? jobs : default_jobs(), work, show);
  fmt::print("{} exercises, {} broken; {} mutants, {} live, {} are stated as equal\n", ids.size(), broken, all, living,
             stated);
  return broken == 0 ? 0 : 1;
}

}  // namespace learn
