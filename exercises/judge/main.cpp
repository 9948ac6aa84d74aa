// The main() of every exercise's judge: judges what it is asked for and writes the result as JSON. The runner
// (exercises/runner) starts it and shows the result to people.
//
//   judge OUT.json [--calls F].. [--seed N] -- COMMAND ..    an answer, which this command starts
//   judge OUT.json --steps -- COMMAND ..                     what the answer computes, op by op
//   judge OUT.json --as MISTAKE[+MISTAKE]                    a known mistake in its place
//   judge OUT.json --author [--slow]                         the exercise itself
//   judge OUT.json --mutants [--slow]                        which of its mutants, linked instead of its mistakes, live
//
// --calls names a function that the answer calls, as the linker does; --seed chooses other numbers than its writer has seen.
//
// Where the answer's program ends before its time, so does this one, with the same exit code, and nothing is written.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "judge/answer_process.h"
#include "judge/author_check.h"
#include "judge/exercise.h"
#include "judge/judge.h"
#include "judge/mutants.h"
#include "judge/of_linux.h"
#include "judge/verdict_json.h"

namespace {

using nlohmann::json;

json to_json(const judge::AuthorReport& report) {
  return {{"problems", report.problems},
          {"mistakes", report.mistakes},
          {"pairs", report.pairs},
          {"only_at_usual_sizes", report.only_at_usual_sizes}};
}

json to_json(const judge::MutantReport& report) {
  return {{"living", report.living}, {"problems", report.problems}};
}

judge::Run find_mistake(const std::string& names) {
  for (const judge::Mistake& mistake : judge::exercise.mistakes) {
    std::string joined;
    for (const std::string& name : mistake.names) joined += (joined.empty() ? "" : "+") + name;
    if (joined == names) return mistake.run;
  }
  throw std::runtime_error("no mistake is called '" + names + "'");
}

json run(const std::vector<std::string>& arguments) {
  std::vector<std::string> command;
  std::vector<std::string> calls;
  judge::Run mistake = nullptr;
  std::uint64_t seed = 0;
  bool steps = false;
  bool author = false;
  bool mutants = false;
  bool slow = false;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (arguments[i] == "--") {
      command.assign(arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1, arguments.end());
      break;
    }
    if (arguments[i] == "--seed" && i + 1 < arguments.size()) seed = std::stoull(arguments[++i]);
    if (arguments[i] == "--as" && i + 1 < arguments.size()) mistake = find_mistake(arguments[++i]);
    if (arguments[i] == "--calls" && i + 1 < arguments.size()) calls.push_back(arguments[++i]);
    if (arguments[i] == "--steps") steps = true;
    if (arguments[i] == "--author") author = true;
    if (arguments[i] == "--mutants") mutants = true;
    if (arguments[i] == "--slow") slow = true;
  }
  if (mutants) return to_json(judge::run_mutants(slow));
  if (author) return to_json(judge::check_as_author(slow));
  if (!mistake && command.empty()) throw std::runtime_error("there is no answer to judge");
  judge::guard_memory();  // the answer's process may neither read nor change this one
  std::optional<judge::AnswerProcess> process;
  if (!mistake) process.emplace(command);
  judge::Candidate answer = mistake ? judge::candidate_here(mistake) : judge::candidate_of(*process);
  answer.calls = judge::forbidden_calls(calls);
  json result = steps ? json(judge::steps_of(answer)) : json(judge::judge(answer, seed));
  if (process) process->end();
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.empty()) {
    std::cerr << "This is started by the course's runner: exercises/learn\n";
    return 2;
  }
  try {
    const json result = run(arguments);
    std::ofstream file(arguments[0]);
    file << judge::to_line(result);
    file.close();
    if (!file) throw std::runtime_error("cannot write " + arguments[0]);
  } catch (const judge::AnswerEnded& ended) {
    return ended.exit_code;
  } catch (const std::exception& error) {
    std::cerr << "course: " << error.what() << '\n';
    return 3;
  }
  return 0;
}
