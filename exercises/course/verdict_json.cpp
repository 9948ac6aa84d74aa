#include "course/verdict_json.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace course {
namespace {

using nlohmann::json;

// JSON has no NaN and no infinity: they go as text.
json number(double value) {
  return std::isfinite(value) ? json(value) : json(fmt::format("{}", value));
}

json to_json(const Axes& sizes) {
  json result = json::object();
  for (const Axis& axis : sizes) result[axis.name] = axis.size;
  return result;
}

// What is peculiar about them; "" if nothing.
std::string words_for(Numbers numbers) {
  switch (numbers) {
    case Numbers::usual: break;
    case Numbers::zeros_and_ties: return "some numbers are zero and some are equal";
    case Numbers::positive: return "all numbers are positive";
    case Numbers::negative: return "all numbers are negative";
    case Numbers::far_apart: return "some numbers are hundreds of times larger than others";
  }
  return "";
}

json to_json(const Difference& difference) {
  json entries = json::array();
  for (const auto& entry : difference.entries) {
    json shown{{"index", entry.index}, {"yours", number(entry.yours)}, {"expected", number(entry.expected)}};
    if (entry.numeric) shown["numeric"] = number(*entry.numeric);
    entries.push_back(std::move(shown));
  }
  return {
      {"name", difference.name}, {"summary", difference.summary}, {"clues", difference.clues}, {"entries", entries}};
}

}  // namespace

json to_json(const Verdict& verdict) {
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
  if (!(verdict.setting == usual_setting())) {
    result["elsewhere"] = {{"usual", to_json(axes)},
                           {"other_numbers", verdict.depends_on_numbers},
                           {"numbers", words_for(verdict.setting.numbers)}};
  }
  return result;
}

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

}  // namespace course
