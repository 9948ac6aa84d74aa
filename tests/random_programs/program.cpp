#include "program.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "words.h"

namespace random_programs {
namespace {

using Json = nlohmann::json;

Json step_to_json(const Step& step) {
  Json json = {step.word, step.result, step.operands, step.numbers, step.list, step.reals, step.no_grad, step.piece};
  const auto says_nothing = [](const Json& part) {
    return part == Json::array() || part == false || part == Step::none;
  };
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
  step.reals = part(5, Json::array()).get<std::vector<double>>();
  step.no_grad = part(6, false).get<bool>();
  step.piece = part(7, Step::none).get<int>();
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

namespace {

std::string value_name(int number) {
  return number == Step::none ? "None" : fmt::format("v{}", number);
}

std::string line_of(const Step& step) {
  std::string line = call_text(step);
  if (step.piece != Step::none) line += fmt::format("[{}]", step.piece);
  if (!word_of(step).is_statement()) line = fmt::format("{} = {}", value_name(step.result), line);
  return step.no_grad ? fmt::format("with no_grad(): {}\n", line) : line + "\n";
}

}  // namespace

std::string call_text(const Step& step) {
  std::vector<std::string> operands, parts;
  for (const int operand : step.operands) operands.push_back(value_name(operand));
  std::size_t operand = 0, number = 0, real = 0;
  for (const Arg& arg : word_of(step).args) {
    switch (arg.is) {
      case Arg::tensors:
        parts.push_back(fmt::format(
            "[{}]", fmt::join(operands.begin() + static_cast<std::ptrdiff_t>(operand), operands.end(), ", ")));
        break;
      case Arg::choice:
        parts.push_back(arg.layout != "2"         ? std::to_string(step.numbers.at(number))
                        : step.numbers.at(number) ? "True"
                                                  : "False");
        ++number;
        break;
      case Arg::integer:
      case Arg::dim:
      case Arg::floating: parts.push_back(std::to_string(step.numbers.at(number++))); break;
      case Arg::list: parts.push_back(fmt::format("[{}]", fmt::join(step.list, ", "))); break;
      case Arg::real: parts.push_back(fmt::format("{}", step.reals.at(real++))); break;
      default: parts.push_back(operands.at(operand++));
    }
  }
  return fmt::format("{}({})", step.word, fmt::join(parts, ", "));
}

std::string as_text(const Program& program) {
  std::string text;
  for (const Step& step : program.steps) text += line_of(step);
  return text;
}

}  // namespace random_programs
