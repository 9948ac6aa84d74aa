// A verdict and an answer's steps as JSON, for the runner (runner/report/verdict.h, runner/check/steps.h).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "course/steps.h"
#include "course/verdict.h"

namespace course {

nlohmann::json to_json(const Verdict& verdict);
nlohmann::json to_json(const std::vector<Step>& steps);
// What is no UTF-8 is replaced.
std::string to_line(const nlohmann::json& json);

}  // namespace course
