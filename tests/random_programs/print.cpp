#include "print.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "words.h"

namespace random_programs {
namespace {

struct Language {
  const char* none;
  const char* yes;
  const char* no;
  const char* list;  // a format for its elements
};
constexpr Language cpp{"Tensor()", "true", "false", "{{{}}}"};
constexpr Language python{"None", "True", "False", "[{}]"};

std::string value_name(int number) {
  return fmt::format("v{}", number);
}

std::string joined_by_commas(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, ", "));
}

// What a blank of a word's text stands for: "0", "n1", "all", ..
std::string filled(const std::string& blank, const Step& step, const Language& language) {
  std::vector<std::string> names;
  for (const int operand : step.operands) names.push_back(value_name(operand));
  const auto number = [&] { return static_cast<std::size_t>(std::stoi(blank.substr(1))); };
  if (blank == "all") return fmt::format(fmt::runtime(language.list), joined_by_commas(names));
  if (blank == "args") return joined_by_commas(names);
  if (blank == "rest") return names.size() < 2 ? "" : ", " + joined_by_commas({names.begin() + 1, names.end()});
  if (blank == "reduction") return step.numbers[0] == 0 ? "none" : step.numbers[0] == 1 ? "sum" : "mean";
  if (blank == "l") return fmt::format(fmt::runtime(language.list), fmt::join(step.list, ", "));
  if (blank == "f") return fmt::format("{}", step.factor);
  if (blank == "r") return std::to_string(step.result);
  if (blank[0] == 'n') return std::to_string(step.numbers.at(number()));
  if (blank[0] == 'b') return step.numbers.at(number()) ? language.yes : language.no;
  if (blank[0] == 'o') return number() < names.size() ? names[number()] : language.none;
  return names.at(static_cast<std::size_t>(std::stoi(blank)));
}

std::string fill_in(const std::string& text, const Step& step, const Language& language) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_doubled = i + 1 < text.size() && text[i + 1] == text[i];
    if (text[i] == '{' && !is_doubled) {
      const std::size_t end = text.find('}', i);
      result += filled(text.substr(i + 1, end - i - 1), step, language);
      i = end;
    } else {
      result += text[i];
      i += (text[i] == '{' || text[i] == '}') && is_doubled ? 1 : 0;
    }
  }
  return result;
}

std::string names_of(const std::vector<int>& values) {
  std::vector<std::string> names;
  for (const int value : values) names.push_back(value_name(value));
  return joined_by_commas(names);
}

std::string cpp_line(const Step& step) {
  const std::string call = fill_in(word_of(step).cpp, step, cpp);
  if (word_of(step).is_statement()) {
    return step.no_grad ? fmt::format("{{ const NoGradGuard no_grad; {}; }}\n", call) : call + ";\n";
  }
  const std::string name = value_name(step.result);
  if (!step.no_grad) return fmt::format("const Tensor {} = {};\n", name, call);
  return fmt::format("const Tensor {} = [&]() -> Tensor {{ const NoGradGuard no_grad; return {}; }}();\n", name, call);
}

std::string python_line(const Step& step) {
  const std::string call = fill_in(word_of(step).python, step, python);
  const std::string line = word_of(step).is_statement() ? call : fmt::format("{} = {}", value_name(step.result), call);
  return step.no_grad ? fmt::format("with torch.no_grad(): {}\n", line) : line + "\n";
}

}  // namespace

std::string as_cpp(const Program& program) {
  std::string text;
  for (const Step& step : program.steps) text += cpp_line(step);
  std::vector<std::string> gradients;
  for (const int root : program.roots) gradients.push_back(fmt::format("gradient_of({})", value_name(root)));
  return text + fmt::format("backward({{{}}}, {{{}}});\n", names_of(program.roots), joined_by_commas(gradients));
}

bool is_pytorch(const Program& program) {
  return std::none_of(program.steps.begin(), program.steps.end(),
                      [](const Step& step) { return word_of(step).python.empty(); });
}

std::string as_python(const Program& program) {
  std::string text;
  for (const Step& step : program.steps) text += python_line(step);
  return text;
}

}  // namespace random_programs
