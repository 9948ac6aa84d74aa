// Random programs, each run in many ways that must agree (ways.h), or random calls of the public face (judge.h).
// Ends with 1 on a failure, and prints the failing program made small, or the call, with the command that repeats it;
// --help says the rest.
#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "export.h"
#include "judge.h"
#include "maker.h"
#include "shrink.h"
#include "tests/support/last_words.h"
#include "ways.h"

namespace {

using namespace random_programs;
using Names = std::vector<std::string>;

struct Command {
  std::string self = {};
  std::uint64_t count = 0;
  std::uint64_t seed = 1;
  Names wanted = {};         // ways, or calls
  std::string program = {};  // a file
  bool calls = false;
};

bool contains(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Names all_names(bool of_calls) {
  Names names;
  if (of_calls) {
    for (const Word& word : all_words()) {
      if (word.is_call()) names.push_back(word.name);
    }
  } else {
    for (const Way& way : all_ways()) names.push_back(way.name);
  }
  return names;
}

// Those of `only`, all if there are none.
Names chosen(const Names& all, const Names& only) {
  for (const std::string& name : only) {
    if (contains(all, name)) continue;
    throw CLI::ValidationError(fmt::format("nothing is called {}; there are: {}", name, CLI::detail::join(all, ", ")));
  }
  return only.empty() ? all : only;
}

// What the loop below asks for: to try a seed, and to say what it was that failed.
struct Tried {
  std::string failure;  // empty if all is well
  bool is_error = false;
};

// ---- random calls ----------------------------------------------------------------------------------------------------

Tried try_call(const Command& command, std::uint64_t seed) {
  const std::string& name = command.wanted[seed % command.wanted.size()];
  const std::string again = fmt::format("{} --calls 1 --only {} --seed {}", command.self, name, seed);
  set_last_words(fmt::format("\nended in: {}\n", again));
  const Verdict verdict = judge(word(name), seed);
  if (verdict.wrong.empty()) return {"", verdict.is_error};
  return {fmt::format("{}\n{}\nAgain: {}\n", verdict.text, verdict.wrong, again), verdict.is_error};
}

// ---- random programs -------------------------------------------------------------------------------------------------

Names left_out(const Command& command) {
  Names names;
  for (const std::string& name : all_names(false)) {
    if (!contains(command.wanted, name)) names.push_back(name);
  }
  return names;
}

std::string failure_of(const Program& program, const Finding& finding) {
  return fmt::format("{}: {}\n\n{}\nAs a file for --program:\n{}\n", finding.way, finding.what, as_text(program),
                     to_json(program).dump());
}

// Made small by trying in this process.
Tried try_program(const Command& command, std::uint64_t seed) {
  const std::string again = fmt::format("{} 1 --seed {}", command.self, seed);
  set_last_words(
      fmt::format("\nended in the program of seed {}:\n  {}\n  {} --shrink {}\n", seed, again, command.self, seed));
  const Names without = left_out(command);
  try {
    const Program program = make_program(seed);
    const Finding finding = check(program, without);
    if (!finding) return {};
    fmt::print("\nThe program of seed {} fails; being made small\n", seed);
    const Program small = shrink(program, [&](const Program& one) { return check(one, without).way == finding.way; });
    return {fmt::format("{}Again, before it was made small:\n  {}\n", failure_of(small, check(small, without)), again)};
  } catch (const std::exception& error) {  // a line that the maker wanted
    return {fmt::format("The program of seed {} cannot be made: {}\n", seed, error.what())};
  }
}

int run_file(const Command& command) {
  std::ifstream file(command.program);
  const Program program = program_from(nlohmann::json::parse(file));
  const Finding finding = check(program, left_out(command));
  if (finding) fmt::print("{}", failure_of(program, finding));
  return finding ? 1 : 0;
}

// What crashes is tried in a process of its own.
int shrink_a_crash(const Command& command) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / fmt::format("program.{}.json", getpid());
  std::string options;
  for (const std::string& way : command.wanted) options += " --only " + way;
  const auto fails = [&](const Program& candidate) {
    std::ofstream(file) << to_json(candidate).dump();
    const std::string call = fmt::format("{} --program {}{} >/dev/null 2>&1", command.self, file.string(), options);
    return std::system(call.c_str()) != 0;
  };
  const Program small = shrink(make_program(command.seed), fails);
  std::filesystem::remove(file);
  fmt::print("{}", failure_of(small, {"crash", "ends the process"}));
  return 1;
}

// ---- both ------------------------------------------------------------------------------------------------------------

int run_many(const Command& command) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // so that a crash loses nothing
  say_last_words_at_the_end();
  const bool shows_progress = isatty(STDOUT_FILENO);
  const std::uint64_t often = command.calls ? 500 : 50;
  std::uint64_t errors = 0;
  for (std::uint64_t i = 0; i < command.count; ++i) {
    const Tried tried = (command.calls ? try_call : try_program)(command, command.seed + i);
    errors += tried.is_error;
    if (!tried.failure.empty()) {
      fmt::print("\n{}", tried.failure);
      return 1;
    }
    if (shows_progress && i % often == 0) fmt::print("\r{} of {}", i, command.count), std::fflush(stdout);
  }
  fmt::print("{}{} {} from seed {}, ", shows_progress ? "\r" : "", command.count, command.calls ? "calls" : "programs",
             command.seed);
  if (command.calls) {
    fmt::print("of {} functions, {} errors, {} results: ", command.wanted.size(), errors, command.count - errors);
  } else {
    fmt::print("each in {} ways: ", command.wanted.size());
  }
  fmt::print("all agree\n");
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  Command command{.self = arguments[0]};
  Names only;
  CLI::App app("Random programs, each run in many ways that must agree, or random calls of the public face",
               "random_programs");
  auto* const number = app.add_option("COUNT", command.count, "how many; 500 programs or 20,000 calls if not given");
  app.add_flag("--calls", command.calls, "calls instead of programs");
  app.add_option("--seed", command.seed, "the first seed (1)");
  app.add_option("--only", only, "leaves all others out; may be repeated")->allow_extra_args(false);
  auto* const program =
      app.add_option("--program", command.program, "checks the program in this file, as a failure prints it");
  program->check(CLI::ExistingFile);
  auto* const shrinks = app.add_option("--shrink", command.seed, "makes the program of this seed small that crashes");
  auto* const exports = app.add_option("--export", command.count, "prints so many programs with their values as JSON");
  for (const char* name : {"COUNT", "--seed", "--shrink", "--export"}) {
    app.get_option(name)->check(CLI::Range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max()));
  }
  try {
    app.parse(count, arguments);
    command.wanted = chosen(all_names(command.calls), only);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (*shrinks) return shrink_a_crash(command);
  if (*exports) return export_programs(command.seed, command.count);
  if (*program) return run_file(command);
  if (!*number) command.count = command.calls ? 20'000 : 500;
  return run_many(command);
}
