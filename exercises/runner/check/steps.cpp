#include "runner/check/steps.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "runner/check/answer_sandbox.h"
#include "runner/check/sanitizers.h"
#include "runner/system/files.h"
#include "runner/system/process.h"

namespace learn {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Step, kind, name, file, line, shape, value, expected_shape, expected,
                                                differs, in_solution)

std::vector<Step> run_steps(const std::string& program, const std::string& result, int seconds) {
  const std::string folder = std::filesystem::path(result).parent_path();
  const std::vector<std::string> environment = sanitizer_environment(result + ".report");
  const Sandbox sandbox = answer_sandbox(program, folder, seconds, environment);
  run_process(contained(sandbox, {program, result, "--seconds", std::to_string(seconds), "--steps"}),
              {.seconds = seconds + 5.0, .environment = environment, .small_folder = folder});
  if (!is_plain_file(result)) throw std::runtime_error("your code does not come to its end: `learn check` says why");
  return nlohmann::json::parse(read_file(result));
}

const Step* first_not_finite(const std::vector<Step>& steps, const std::string& file) {
  for (const Step& step : steps) {
    // An infinity that the solution has as well, a mask of -inf say, is meant.
    const bool own = step.kind == "op" && !step.in_solution && file_name(step.file) == file;
    if (own && !step.is_finite()) return &step;
  }
  return nullptr;
}

}  // namespace learn
