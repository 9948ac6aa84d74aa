#include "judge/steps_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace judge {

using nlohmann::json;

json to_json(const std::vector<Step>& steps) {
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

std::string to_line(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace judge
