// The main() of every exercise's judge: judges what it is asked for and writes the result as JSON. The runner
// (exercises/runner) starts it and shows the result to people.
//
//   judge OUT.json [--calls OP].. [--seed N] -- COMMAND ..   an answer, which this command starts
//   judge OUT.json --steps -- COMMAND ..                     what the answer computes, op by op
//   judge OUT.json --as MISTAKE[+MISTAKE]                    a known mistake in its place
//   judge OUT.json --author [--slow]                         the exercise itself
//   judge OUT.json --mutants [--slow]                        which of its mutants, linked instead of its mistakes, live
//
// --calls names an op that the answer is known to call, --seed chooses other numbers than its writer has seen.
//
// Where the answer's program ends before its time, so does this one, with the same exit code, and nothing is written.
#include <fmt/format.h>
#include <sys/prctl.h>

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

#include "course/answer_process.h"
#include "course/author_check.h"
#include "course/exercise.h"
#include "course/judge.h"
#include "course/mutants.h"
#include "course/steps.h"

namespace {

using nlohmann::json;

// JSON has no NaN and no infinity: they go as text.
json number(double value) {
  return std::isfinite(value) ? json(value) : json(fmt::format("{}", value));
}

json to_json(const course::Axes& sizes) {
  json result = json::object();
  for (const course::Axis& axis : sizes) result[axis.name] = axis.size;
  return result;
}

// What is peculiar about them; "" if nothing.
std::string words_for(course::Numbers numbers) {
  switch (numbers) {
    case course::Numbers::usual: break;
    case course::Numbers::zeros_and_ties: return "some numbers are zero and some are equal";
    case course::Numbers::positive: return "all numbers are positive";
    case course::Numbers::negative: return "all numbers are negative";
    case course::Numbers::far_apart: return "some numbers are hundreds of times larger than others";
  }
  return "";
}

json to_json(const course::Difference& difference) {
  json entries = json::array();
  for (const auto& entry : difference.entries) {
    json shown{{"index", entry.index}, {"yours", number(entry.yours)}, {"expected", number(entry.expected)}};
    if (entry.numeric) shown["numeric"] = number(*entry.numeric);
    entries.push_back(std::move(shown));
  }
  return {
      {"name", difference.name}, {"summary", difference.summary}, {"clues", difference.clues}, {"entries", entries}};
}

json to_json(const course::Verdict& verdict) {
  static const char* const outcomes[] = {"passed", "unwritten", "wrong"};
  json result{{"outcome", outcomes[static_cast<int>(verdict.outcome)]},
              {"message", verdict.message},
              {"stopped_before", verdict.stopped_before},
              {"right", verdict.right},
              {"right_probes", verdict.right_probes},
              {"shown", verdict.shown},
              {"named", verdict.named},
              {"repeatable", verdict.repeatable},
              {"right_when_first", verdict.right_when_first}};
  if (!verdict.only_in.empty()) result["only_in"] = verdict.only_in;
  if (!verdict.named_by_numbers) result["named_by_numbers"] = false;
  result["differences"] = json::array();
  for (const auto& difference : verdict.differences) result["differences"].push_back(to_json(difference));
  if (const auto& probe = verdict.first_probe) {
    json& written = result["first_probe"] = to_json(*probe);
    written["after"] = probe->after;
    written["times_right"] = probe->times_right;
  }
  result["partly_named"] = json::array();
  for (const auto& part : verdict.partly_named) {
    result["partly_named"].push_back({{"mistakes", part.mistakes}, {"explains", part.explains}});
  }
  result["shrunk"] = json::array();
  for (const auto& axis : verdict.shrunk) {
    result["shrunk"].push_back({{"axis", axis.axis},
                                {"size", axis.size},
                                {"right_at_one", axis.right_at_one},
                                {"wrong_from", axis.wrong_from}});
  }
  if (verdict.smallest) {
    json& smallest = result["smallest"] = {{"sizes", to_json(verdict.smallest->sizes)}, {"differences", json::array()}};
    for (const auto& difference : verdict.smallest->differences) smallest["differences"].push_back(to_json(difference));
  }
  result["axes"] = to_json(verdict.setting.sizes);
  if (!(verdict.setting == course::usual_setting())) {
    result["elsewhere"] = {{"usual", to_json(course::axes)},
                           {"other_numbers", verdict.depends_on_numbers},
                           {"numbers", words_for(verdict.setting.numbers)}};
  }
  return result;
}

json to_json(const std::vector<course::Step>& steps) {
  static const char* const kinds[] = {"op", "probe", "threw", "result"};
  json result = json::array();
  for (const auto& step : steps) {
    json shown{{"kind", kinds[static_cast<int>(step.kind)]},
               {"name", step.name},
               {"message", step.message},
               {"file", step.file},
               {"line", step.line},
               {"differs", step.differs},
               {"in_solution", step.in_solution}};
    if (step.value.defined()) {
      shown["shape"] = to_string(step.value.shape());
      shown["value"] = fmt::format("{:.5g}", step.value);
    }
    if (step.expected.defined()) {
      shown["expected_shape"] = to_string(step.expected.shape());
      shown["expected"] = fmt::format("{:.5g}", step.expected);
    }
    result.push_back(std::move(shown));
  }
  return result;
}

json to_json(const course::AuthorReport& report) {
  return {{"problems", report.problems},
          {"mistakes", report.mistakes},
          {"pairs", report.pairs},
          {"pairs_unnamed", report.pairs_unnamed},
          {"only_at_usual_sizes", report.only_at_usual_sizes}};
}

json to_json(const course::MutantReport& report) {
  return {{"living", report.living}, {"problems", report.problems}};
}

course::Run find_mistake(const std::string& names) {
  for (const course::Mistake& mistake : course::exercise.mistakes) {
    std::string joined;
    for (const std::string& name : mistake.names) joined += (joined.empty() ? "" : "+") + name;
    if (joined == names) return mistake.run;
  }
  throw std::runtime_error("no mistake is called '" + names + "'");
}

json run(const std::vector<std::string>& arguments) {
  std::vector<std::string> command;
  std::vector<std::string> calls;
  course::Run mistake = nullptr;
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
  if (mutants) return to_json(course::run_mutants(slow));
  if (author) return to_json(course::check_as_author(slow));
  if (!mistake && command.empty()) throw std::runtime_error("there is no answer to judge");
  ::prctl(PR_SET_DUMPABLE, 0);  // the answer's process may neither read nor change this one
  std::optional<course::AnswerProcess> process;
  if (!mistake) process.emplace(command);
  course::Candidate answer = mistake ? course::candidate_here(mistake) : process->candidate();
  answer.calls = calls;
  json result = steps ? to_json(course::steps_of(answer)) : to_json(course::judge(answer, seed));
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
    file << result.dump(-1, ' ', false, json::error_handler_t::replace) << '\n';
    file.close();
    if (!file) throw std::runtime_error("cannot write " + arguments[0]);
  } catch (const course::AnswerEnded& ended) {
    return ended.exit_code;
  } catch (const std::exception& error) {
    std::cerr << "course: " << error.what() << '\n';
    return 3;
  }
  return 0;
}
