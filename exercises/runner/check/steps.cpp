#include "runner/check/steps.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "judge/verdict_json.h"
#include "runner/check/run_judge.h"
#include "runner/system/files.h"
#include "runner/text/printable_json.h"

namespace learn {

std::vector<Step> run_steps(const Built& built, const std::string& folder, int seconds) {
  const Finished finished = run_judge(built, {.folder = folder, .seconds = seconds, .steps = true});
  if (finished.result.empty()) throw std::runtime_error("your code does not come to its end: `learn check` says why");
  return printable_json(nlohmann::json::parse(finished.result));
}

const Step* first_not_finite(const std::vector<Step>& steps, const std::string& file) {
  const auto found = std::find_if(steps.begin(), steps.end(), [&](const Step& step) {
    return step.not_finite != judge::NotFinite::none && !step.in_solution && file_name(step.file) == file;
  });
  return found == steps.end() ? nullptr : &*found;
}

}  // namespace learn
