#include "program.h"

#include <algorithm>
#include <set>

#include "words.h"

namespace random_programs {
namespace {

using Json = nlohmann::json;

Json step_to_json(const Step& step) {
  Json json = {step.word, step.result, step.operands, step.numbers, step.list, step.factor, step.no_grad ? 1 : 0};
  const auto says_nothing = [](const Json& part) { return part == Json::array() || part == 0.0 || part == 0; };
  while (json.size() > 2 && says_nothing(json.back())) json.erase(json.size() - 1);
  return json;
}

Step step_from(const Json& json) {
  const auto part = [&](std::size_t at, const Json& otherwise) { return at < json.size() ? json[at] : otherwise; };
  Step step;
  step.word = json.at(0);
  step.result = json.at(1);
  step.operands = part(2, Json::array()).get<std::vector<int>>();
  step.numbers = part(3, Json::array()).get<std::vector<std::int64_t>>();
  step.list = part(4, Json::array()).get<std::vector<std::int64_t>>();
  step.factor = part(5, 0.0).get<double>();
  step.no_grad = part(6, 0).get<int>() != 0;
  return step;
}

}  // namespace

Json to_json(const Program& program) {
  Json steps = Json::array();
  for (const Step& step : program.steps) steps.push_back(step_to_json(step));
  return Json::array({steps, program.roots});
}

Program program_from(const Json& json) {
  Program program;
  for (const Json& step : json.at(0)) program.steps.push_back(step_from(step));
  program.roots = json.at(1).get<std::vector<int>>();
  return program;
}

Program without_unused(const Program& program) {
  std::set<int> used(program.roots.begin(), program.roots.end());
  std::vector<Step> kept;
  for (auto step = program.steps.rbegin(); step != program.steps.rend(); ++step) {
    const bool is_used =
        used.contains(step->result) || (word_of(*step).is_statement() && used.contains(step->operands.at(0)));
    if (!is_used) continue;
    used.insert(step->operands.begin(), step->operands.end());
    kept.push_back(*step);
  }
  std::reverse(kept.begin(), kept.end());
  return {kept, program.roots};
}

}  // namespace random_programs
