// What a program wrote before it ended, sanitizers' reports and stack traces included, before "=====" the answer:
// always something that can be shown.
#include "runner/explain/crash.h"

#include "runner/show/show_problem.h"
#include "runner/text/lines.h"
#include "tests/fuzz/fuzz.h"

namespace fuzz_crash {

constexpr const char* answer = "25_linear_layer.cpp";

void check(const learn::Problem& problem, const std::string& file) {
  fuzz::require(!problem.sentence.empty(), "nothing is said");
  fuzz::require(problem.place.line >= 0 && problem.place.column >= 0, "a place before the file");
  fuzz::require(!learn::show_problem({.width = 60}, problem, "error", file).empty(), "nothing is shown");
}

void run(const std::string& input) {
  const std::vector<std::string> parts = fuzz::parts_of(input, 2);
  const std::string file = fuzz::file_with(parts[0], answer);
  learn::Ending ending{.text = parts[1], .seconds = 10, .lines = learn::lines_in(parts[0])};
  for (const int code : {0, 1, 124, 134}) {
    ending.exit_code = code;
    check(learn::explain_ending(ending, answer).problem, file);
  }
  if (const auto leak = learn::explain_leak(parts[1], answer)) check(*leak, file);
  fuzz::require(learn::without_reports(parts[1]).size() <= parts[1].size() + 1, "more than the program wrote");
}

const fuzz::Target target("crash", run);

}  // namespace fuzz_crash
