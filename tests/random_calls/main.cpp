// Random calls of the public face (calls.h), each judged (judge.h).
//
//   random_calls [COUNT]        20,000 if not given; progress on a terminal, Ctrl-C ends it
//     --seed N                  the first seed, 1 if not given; the next call has the next one
//     --only CALL               calls of this name; may be repeated
//     --without CALL            no calls of this name; may be repeated
//     --keep-going              does not end with the first failure
//
// Ends with 1 on a failure, and prints the call with the command that repeats it. (The same seed gives the same call
// with the same compiler: the order in which arguments are drawn is the compiler's.)
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "judge.h"
#include "tests/support/last_words.h"

namespace {

using namespace random_calls;

struct Command {
  std::string self = {};
  std::uint64_t count = 20'000;
  std::uint64_t seed = 1;
  std::vector<std::string> only = {};
  std::vector<std::string> without = {};
  bool keeps_going = false;
};

Command command_of(const std::vector<std::string>& arguments) {
  Command command;
  command.self = arguments[0];
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string& name = arguments[i];
    const auto value = [&] { return i + 1 < arguments.size() ? arguments[++i] : std::string("0"); };
    if (name == "--seed") {
      command.seed = std::stoull(value());
    } else if (name == "--only") {
      command.only.push_back(value());
    } else if (name == "--without") {
      command.without.push_back(value());
    } else if (name == "--keep-going") {
      command.keeps_going = true;
    } else {
      command.count = std::stoull(name);
    }
  }
  return command;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Calls wanted(const Command& command) {
  Calls calls;
  for (const Call& call : all_calls()) {
    const bool is_wanted = command.only.empty() || contains(command.only, call.name);
    if (is_wanted && !contains(command.without, call.name)) calls.push_back(call);
  }
  return calls;
}

std::string again(const Command& command, const Call& call, std::uint64_t seed) {
  return fmt::format("{} 1 --only '{}' --seed {}", command.self, call.name, seed);
}

}  // namespace

int main(int count, char** arguments) {
  const Command command = command_of({arguments, arguments + count});
  const Calls calls = wanted(command);
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // so that a crash loses nothing
  say_last_words_at_the_end();
  const bool shows_progress = isatty(STDOUT_FILENO);
  std::uint64_t errors = 0;
  std::uint64_t failures = 0;
  for (std::uint64_t i = 0; i < command.count; ++i) {
    const std::uint64_t seed = command.seed + i;
    const Call& call = calls[seed % calls.size()];
    set_last_words(fmt::format("\nended in: {}\n", again(command, call, seed)));
    const Verdict verdict = judge(call, seed);
    errors += verdict.is_error;
    if (!verdict.wrong.empty()) {
      ++failures;
      fmt::print("\n{}\n{}\nAgain: {}\n", verdict.text, verdict.wrong, again(command, call, seed));
      if (!command.keeps_going) return 1;
    }
    if (shows_progress && i % 500 == 0) fmt::print("\r{} of {}", i, command.count), std::fflush(stdout);
  }
  fmt::print("{}{} calls of {} functions from seed {}: {} errors, {} results, {} failures\n",
             shows_progress ? "\r" : "", command.count, calls.size(), command.seed, errors, command.count - errors,
             failures);
  return failures != 0;
}
