#include "shrink.h"

#include <algorithm>
#include <exception>
#include <optional>

#include "run.h"

namespace random_programs {
namespace {

using Fails = std::function<bool(const Program&)>;

// The shapes of all values.
std::map<int, Shape> shapes_of(const Program& program) {
  std::map<int, Shape> shapes;
  Run execution(program);
  execution.forward();
  for (const auto& [number, value] : execution.values()) {
    if (value.dtype() == autograd::float64) shapes[number] = value.shape();
  }
  return shapes;
}

// Every program that is one change smaller than this one.
class Smaller {
 public:
  explicit Smaller(const Program& program) : program_(program), shapes_(shapes_of(program)) {
    drop_roots();
    for (std::size_t at = program.steps.size(); at-- > 0;) {
      const Step& step = program.steps[at];
      if (word_of(step).is_statement()) {
        drop_step(at);
      } else if (shapes_.contains(step.result) && word_of(step).kind != Kind::source) {
        become_leaf(at);
        be_replaced_by_operand(at);
      }
    }
  }
  const std::vector<Program>& all() const { return found_; }

 private:
  void drop_roots() {
    for (std::size_t i = 0; i < program_.roots.size() && program_.roots.size() > 1; ++i) {
      Program less = program_;
      less.roots.erase(less.roots.begin() + static_cast<std::ptrdiff_t>(i));
      found_.push_back(less);
    }
  }

  void drop_step(std::size_t at) {
    Program less = program_;
    less.steps.erase(less.steps.begin() + static_cast<std::ptrdiff_t>(at));
    found_.push_back(less);
  }

  void become_leaf(std::size_t at) {
    Program less = program_;
    const Shape& shape = shapes_.at(program_.steps[at].result);
    less.steps[at] = {.word = "leaf",
                      .result = program_.steps[at].result,
                      .numbers = {program_.steps[at].result, 1},
                      .list = {shape.begin(), shape.end()}};
    found_.push_back(less);
  }

  // Whoever used the step's value uses its operand, which has the same shape. A root that nobody uses may have any.
  void be_replaced_by_operand(std::size_t at) {
    const Step& step = program_.steps[at];
    const bool is_used = std::any_of(program_.steps.begin(), program_.steps.end(), [&](const Step& user) {
      return std::count(user.operands.begin(), user.operands.end(), step.result) > 0;
    });
    for (const int operand : step.operands) {
      const auto shape = shapes_.find(operand);  // (what is missing has none)
      if (shape == shapes_.end() || (is_used && !(shape->second == shapes_.at(step.result)))) continue;
      Program less = program_;
      less.steps.erase(less.steps.begin() + static_cast<std::ptrdiff_t>(at));
      for (Step& user : less.steps) replace(user.operands, step.result, operand);
      replace(less.roots, step.result, operand);
      found_.push_back(less);
    }
  }

  static void replace(std::vector<int>& values, int before, int after) {
    for (int& value : values) value = value == before ? after : value;
  }

  const Program& program_;
  std::map<int, Shape> shapes_;
  std::vector<Program> found_;
};

bool still_fails(const Program& program, const Fails& fails) {
  try {
    return fails(program);
  } catch (const std::exception&) {
    return false;
  }
}

std::size_t weight(const Program& program) {
  std::size_t sources = 0;
  for (const Step& step : program.steps) sources += word_of(step).kind == Kind::source;
  return 2 * program.steps.size() - sources + program.roots.size();
}

std::optional<Program> smaller(const Program& program, const Fails& fails) {
  const Smaller ones(program);
  for (const Program& candidate : ones.all()) {
    const Program less = without_unused(candidate);
    if (weight(less) < weight(program) && still_fails(less, fails)) return less;
  }
  return std::nullopt;
}

}  // namespace

Program shrink(const Program& program, const Fails& fails) {
  Program smallest = program;
  while (const auto less = smaller(smallest, fails)) smallest = *less;
  return smallest;
}

}  // namespace random_programs
