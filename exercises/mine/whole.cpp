#include "mine/whole.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace mine {
namespace {

// Sums in another order differ by rounding; a mistake differs by more. Steps of training may differ by the small number
// that stands in a denominator.
constexpr double tolerance = 1e-7;
constexpr double tolerance_of_steps = 1e-4;

Outcome outcome_of(const Model& model) {
  running_exercise = 0;
  try {
    return model.compute();
  } catch (const std::exception& error) {
    Outcome outcome;
    outcome.error = error.what();
    outcome.thrown_in = std::exchange(running_exercise, 0);
    return outcome;
  }
}

template <class Wanted> Outcome outcome_with(const std::vector<Plug>& plugs, const Model& model, Wanted wanted) {
  parts = parts_from(plugs, wanted);
  return outcome_of(model);
}

double largest(const std::vector<double>& numbers) {
  double most = 0.0;
  for (const double number : numbers) most = std::max(most, std::abs(number));
  return most;
}

// The largest difference, as a share of the largest expected number; infinite where a number is missing or not finite.
double difference(const std::vector<double>& yours, const std::vector<double>& expected) {
  if (yours.size() != expected.size()) return INFINITY;
  double most = 0.0;
  for (std::size_t i = 0; i < yours.size(); ++i) {
    if (!std::isfinite(yours[i])) return INFINITY;
    most = std::max(most, std::abs(yours[i] - expected[i]));
  }
  return most / std::max(largest(expected), 1e-12);
}

Verdict compare(const Outcome& yours, const Outcome& expected) {
  Verdict verdict;
  const auto compare_one = [&](const std::string& what, const std::vector<double>& a, const std::vector<double>& b) {
    const double found = difference(a, b);
    verdict.numbers += b.size();
    verdict.difference = std::max(verdict.difference, found);
    if (found > tolerance) verdict.wrong.push_back(what);
  };
  if (!yours.error.empty()) {
    verdict.has_ended = true;
    verdict.wrong.push_back(fmt::format("it ends with an error, from exercise {:02}: {}", yours.thrown_in,
                                        yours.error.substr(0, yours.error.find('\n'))));
    return verdict;
  }
  compare_one(fmt::format("the loss is {:.6f} instead of {:.6f}", yours.loss, expected.loss), {yours.loss},
              {expected.loss});
  for (std::size_t i = 0; i < expected.gradients.size(); ++i) {
    const auto& [name, numbers] = expected.gradients[i];
    compare_one("the gradient differs: " + name, yours.gradients[i].numbers, numbers);
  }
  for (std::size_t i = 0; i < expected.others.size(); ++i) {
    const double found = difference(yours.others[i].numbers, expected.others[i].numbers);
    if (found > tolerance_of_steps) verdict.wrong.push_back(expected.others[i].name);
  }
  verdict.right = verdict.wrong.empty();
  return verdict;
}

double slope_by(const Outcome& outcome) {
  double slope = 0.0;
  std::size_t place = 0;
  for (const Named& gradient : outcome.gradients) {
    for (const double number : gradient.numbers) slope += number * direction(place++);
  }
  return slope;
}

// With what is plugged in now.
double numeric_slope_of(const Model& model) {
  constexpr double distance = 1e-6;
  model.move(distance);
  const double above = outcome_of(model).loss;
  model.move(-2.0 * distance);
  const double below = outcome_of(model).loss;
  model.move(distance);
  return (above - below) / (2.0 * distance);
}

// Those parts without any one of which it is right; if there are none, those that alone make it wrong.
void find_culprits(Verdict& verdict, const std::vector<Plug>& plugs, const Model& model, const Outcome& expected) {
  const auto is_right = [&](auto wanted) { return compare(outcome_with(plugs, model, wanted), expected).right; };
  for (const Plug& plug : plugs) {
    if (plug.plug_in && is_right([&](const Plug& each) { return &each != &plug; })) verdict.culprits.push_back(&plug);
  }
  verdict.each_alone = verdict.culprits.empty();
  for (const Plug& plug : plugs) {
    if (!verdict.each_alone || !plug.plug_in) continue;
    if (!is_right([&](const Plug& each) { return &each == &plug; })) verdict.culprits.push_back(&plug);
  }
}

}  // namespace

double direction(std::size_t place) {
  return std::sin(1.0 + static_cast<double>(place));
}

Verdict judge(const std::vector<Plug>& plugs, const Model& model) {
  const auto all = [](const Plug&) { return true; };
  const Outcome expected = outcome_with(plugs, model, [](const Plug&) { return false; });
  if (!expected.error.empty()) throw std::runtime_error(expected.error);
  const Outcome yours = outcome_with(plugs, model, all);
  Verdict verdict = compare(yours, expected);
  verdict.slope = slope_by(yours);
  if (!verdict.has_ended) verdict.numeric_slope = numeric_slope_of(model);
  if (!verdict.right) find_culprits(verdict, plugs, model, expected);
  parts = parts_from(plugs, all);
  return verdict;
}

}  // namespace mine
