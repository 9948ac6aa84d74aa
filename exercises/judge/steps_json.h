// An answer's steps as JSON, for the runner (runner/check/steps.h).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "judge/steps.h"

namespace judge {

nlohmann::json to_json(const std::vector<Step>& steps);
// What is not UTF-8 is replaced.
std::string to_line(const nlohmann::json& json);

}  // namespace judge
