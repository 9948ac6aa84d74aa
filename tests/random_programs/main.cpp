// Random programs, each run in many ways that must agree (ways.h).
//
//   random_programs [COUNT]                500 if not given; progress on a terminal, Ctrl-C ends it
//     --seed N                             the first seed, 1 if not given; the next program has the next one
//     --without WAY                        leaves a way out; may be repeated
//     --only WAY                           leaves all others out
//     --keep-going                         does not end with the first failure
//   random_programs --program FILE         checks the program in this file, as a failure prints it
//   random_programs --shrink SEED          makes a program small that ends the process; each try is one of its own
//   random_programs --export COUNT         the programs and their values as JSON, for fixtures/random_programs.py
//
// Ends with 1 on a failure, and prints the failing program made small, with the command that repeats it.
#include <fmt/core.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "export.h"
#include "maker.h"
#include "print.h"
#include "shrink.h"
#include "tests/support/last_words.h"
#include "ways.h"

namespace {

using namespace random_programs;

struct Command {
  std::string self;
  std::uint64_t count = 500;
  std::uint64_t seed = 1;
  std::vector<std::string> without = {};
  std::string program = {};  // a file
  bool keeps_going = false;
  bool shrinks = false;
  bool exports = false;
};

Command command_of(const std::vector<std::string>& arguments) {
  Command command{.self = arguments[0]};
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string& name = arguments[i];
    const auto value = [&] { return i + 1 < arguments.size() ? arguments[++i] : std::string("0"); };
    if (name == "--seed") {
      command.seed = std::stoull(value());
    } else if (name == "--without") {
      command.without.push_back(value());
    } else if (name == "--only") {
      const std::string kept = value();
      for (const Way& way : all_ways()) {
        if (way.name != kept) command.without.push_back(way.name);
      }
    } else if (name == "--program") {
      command.program = value();
    } else if (name == "--keep-going") {
      command.keeps_going = true;
    } else if (name == "--shrink") {
      command.shrinks = true;
      command.seed = std::stoull(value());
    } else if (name == "--export") {
      command.exports = true;
      command.count = std::stoull(value());
    } else {
      command.count = std::stoull(name);
    }
  }
  return command;
}

void prepare_last_words(const Command& command, std::uint64_t seed) {
  set_last_words(fmt::format("\nended in the program of seed {}:\n  {} 1 --seed {}\n  {} --shrink {}\n", seed,
                             command.self, seed, command.self, seed));
}

void print_failure(const Program& program, const Finding& finding) {
  fmt::print("{}: {}\n\n{}\nAs a file for --program:\n{}\n", finding.way, finding.what, as_cpp(program),
             to_json(program).dump());
}

// Made small by trying in this process.
void report(const Command& command, const Program& program, const Finding& finding, std::uint64_t seed) {
  fmt::print("\nThe program of seed {} fails; being made small\n", seed);
  const Program small =
      shrink(program, [&](const Program& candidate) { return check(candidate, command.without).way == finding.way; });
  print_failure(small, check(small, command.without));
  fmt::print("Again, before it was made small:\n  {} 1 --seed {}\n", command.self, seed);
}

// Does all go well with the program of this seed?
bool run_one(const Command& command, std::uint64_t seed) {
  prepare_last_words(command, seed);
  try {
    const Program program = make_program(seed);
    const Finding finding = check(program, command.without);
    if (finding) report(command, program, finding, seed);
    return !finding;
  } catch (const std::exception& error) {  // a line that the maker wanted
    fmt::print("\nThe program of seed {} cannot be made: {}\n", seed, error.what());
    return false;
  }
}

int run_many(const Command& command) {
  say_last_words_at_the_end();
  const bool shows_progress = isatty(STDOUT_FILENO);
  std::uint64_t failures = 0;
  for (std::uint64_t i = 0; i < command.count; ++i) {
    failures += !run_one(command, command.seed + i);
    if (failures > 0 && !command.keeps_going) return 1;
    if (shows_progress && i % 50 == 0) fmt::print("\r{} of {}", i, command.count), std::fflush(stdout);
  }
  fmt::print("{}{} programs from seed {}, each in {} ways: {}\n", shows_progress ? "\r" : "", command.count,
             command.seed, all_ways().size() - command.without.size(),
             failures == 0 ? "all agree" : fmt::format("{} failures", failures));
  return failures != 0;
}

int run_file(const Command& command) {
  std::ifstream file(command.program);
  const Program program = program_from(nlohmann::json::parse(file));
  const Finding finding = check(program, command.without);
  if (finding) print_failure(program, finding);
  return finding ? 1 : 0;
}

// What crashes is tried in a process of its own.
int shrink_a_crash(const Command& command) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / fmt::format("program.{}.json", getpid());
  std::string options;
  for (const std::string& way : command.without) options += " --without " + way;
  const auto fails = [&](const Program& candidate) {
    std::ofstream(file) << to_json(candidate).dump();
    const std::string call = fmt::format("{} --program {}{} >/dev/null 2>&1", command.self, file.string(), options);
    return std::system(call.c_str()) != 0;
  };
  const Program small = shrink(make_program(command.seed), fails);
  std::filesystem::remove(file);
  print_failure(small, {"crash", "ends the process"});
  return 1;
}

}  // namespace

int main(int count, char** arguments) {
  const Command command = command_of({arguments, arguments + count});
  if (command.shrinks) return shrink_a_crash(command);
  if (command.exports) return export_programs(command.seed, command.count);
  return command.program.empty() ? run_many(command) : run_file(command);
}
