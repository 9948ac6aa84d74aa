#include "runner/check/steps.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "runner/check/sanitizers.h"
#include "runner/system/files.h"
#include "runner/system/process.h"

namespace learn {

std::vector<Step> run_steps(const std::string& program, const std::string& result, const std::string& answer,
                            int seconds) {
  const std::string folder = std::filesystem::path(answer).parent_path();
  const Finished finished = run_process(
      {program, result, "--seconds", std::to_string(seconds), "--steps"},
      {.seconds = seconds + 5.0, .environment = sanitizer_environment(result + ".report"), .folder = folder});
  if (!exists(result)) throw std::runtime_error("your code does not come to its end: `learn check` says why");
  std::vector<Step> steps;
  for (const auto& json : nlohmann::json::parse(read_file(result))) {
    Step step;
    step.kind = json.at("kind");
    step.name = json.at("name");
    step.file = json.at("file");
    step.line = json.at("line");
    step.differs = json.at("differs");
    step.in_solution = json.at("in_solution");
    step.shape = json.value("shape", "");
    step.value = json.value("value", "");
    step.expected_shape = json.value("expected_shape", "");
    step.expected = json.value("expected", "");
    steps.push_back(std::move(step));
  }
  return steps;
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
