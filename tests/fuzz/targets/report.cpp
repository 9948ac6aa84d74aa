// A verdict, as a check program writes it, and a report, as it is kept: refused, or read, shown, and the same when it
// is written and read again.
#include "runner/report/report.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tests/fuzz/example_exercise.h"
#include "tests/fuzz/fuzz.h"

namespace fuzz_report {

using nlohmann::json;

// A verdict that cannot be read is a std::runtime_error; a report may throw that of the JSON too.
void check_verdict(const json& value) {
  learn::Verdict verdict;
  if (fuzz::throws<std::runtime_error>([&] { verdict = learn::read_verdict(value); })) return;
  const json written = to_json(verdict);
  fuzz::require(to_json(learn::read_verdict(written)) == written, "another verdict when read again");
  fuzz::require(learn::fill_in("{batch", verdict.axes) == "{batch", "an axis without its brace");
}

void check_report(const json& value) {
  learn::Report report;
  if (fuzz::throws<std::exception>([&] { report = learn::read_report(value); })) return;
  const json written = to_json(report);
  fuzz::require(to_json(learn::read_report(written)) == written, "another report when read again");
  fuzz::show_all_of(report);
}

void run(const std::string& input) {
  const json value = json::parse(input, nullptr, false);
  if (value.is_discarded()) return;
  check_verdict(value);
  check_report(value);
}

const fuzz::Target target("report", run);

}  // namespace fuzz_report
