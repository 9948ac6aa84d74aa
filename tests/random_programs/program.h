// A program as data: a list of steps, so that it can be run in many ways, printed, written to a file, and made smaller.
// One step is one line, and a call is one step:
//
//   v7 = narrow(v3, 1, 0, 2)         {"narrow", result 7, operands {3}, numbers {1, 0, 2}}
//
// What each word does is said once, in words_*.cpp.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace random_programs {

struct Step {
  static constexpr int none = -1;  // in place of an operand

  std::string word;
  int result = 0;                          // the number of the value; of a statement, such as add_, the step's own
  std::vector<int> operands = {};          // the values that it uses, results of earlier steps
  std::vector<std::int64_t> numbers = {};  // dims, positions, flags
  std::vector<std::int64_t> list = {};     // a shape, dims or lengths
  std::vector<double> reals = {};
  bool no_grad = false;  // under NoGradGuard
  int piece = none;      // which of several results

  bool operator==(const Step&) const = default;
};

struct Program {
  std::vector<Step> steps;
  std::vector<int> roots;  // the values that backward() starts from, each with a random gradient of its own

  bool operator==(const Program&) const = default;
};

// [[[word, result, operands, numbers, list, reals, no_grad, piece], ..], roots], with what is empty at the end left
// out.
nlohmann::json to_json(const Program& program);
Program program_from(const nlohmann::json& json);

// Without the steps that no root depends on.
Program without_unused(const Program& program);

// One line for each step, as Python runs it with the words of fixtures/random_programs.py.
std::string as_text(const Program& program);
std::string call_text(const Step& step);  // narrow(v3, 1, 0, 2)

}  // namespace random_programs
