#include "runner/check/steps.h"

#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "runner/check/run_judge.h"
#include "runner/system/files.h"
#include "runner/text/valid_text.h"

namespace learn {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Step, kind, name, message, file, line, shape, value, expected_shape,
                                                expected, differs, in_solution)

std::vector<Step> run_steps(const Built& built, const std::string& folder, int seconds) {
  const Finished finished = run_judge(built, {.folder = folder, .seconds = seconds, .steps = true});
  if (finished.result.empty()) throw std::runtime_error("your code does not come to its end: `learn check` says why");
  return valid_json(nlohmann::json::parse(finished.result));
}

// Other ops hand on an infinity, that of a mask say.
static bool makes_infinity(const std::string& op) {
  return op == "exp" || op == "log" || op == "log1p" || op == "div" || op == "pow";
}

// These hand on a NaN and make none: in a branch that is masked later, rightly so.
static bool moves_numbers(const std::string& op) {
  static const std::set<std::string> moving = {"slice",     "select", "transpose", "permute", "squeeze",
                                               "unsqueeze", "expand", "view",      "clone",   "to",
                                               "flip",      "cat",    "gather",    "where",   "index_select"};
  return moving.count(op) > 0;
}

const Step* first_not_finite(const std::vector<Step>& steps, const std::string& file) {
  for (const Step& step : steps) {
    // An infinity that the solution has as well is meant.
    const bool own =
        step.kind == "op" && !step.in_solution && file_name(step.file) == file && !moves_numbers(step.name);
    if (own && (step.has_nan() || (!step.is_finite() && makes_infinity(step.name)))) return &step;
  }
  return nullptr;
}

}  // namespace learn
