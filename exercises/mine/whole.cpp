#include "mine/whole.h"

#include <autograd/tensor/error.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace mine {
namespace {

template <class Wanted> Outcome outcome_with(const std::vector<Plug>& plugs, const Model& model, Wanted wanted) {
  parts = parts_from(plugs, wanted);
  running_exercise = 0;
  Outcome outcome;
  try {
    return model();
  } catch (const autograd::Error& error) {
    outcome.error = error.summary();
  } catch (const std::exception& error) {
    outcome.error = error.what();
  }
  outcome.thrown_in = std::exchange(running_exercise, 0);
  return outcome;
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
  verdict.error = yours.error;
  verdict.thrown_in = yours.thrown_in;
  if (!yours.error.empty()) return verdict;
  for (std::size_t i = 0; i < expected.all.size(); ++i) {
    const auto& [name, numbers, tolerance] = expected.all[i];
    const double found = difference(yours.all[i].numbers, numbers);
    if (found > tolerance) verdict.wrong.push_back(name);
    if (tolerance < tolerance_of_steps) verdict.difference = std::max(verdict.difference, found);
  }
  return verdict;
}

}  // namespace

Verdict judged(const std::vector<Plug>& plugs, const Model& model) {
  const auto all = [](const Plug&) { return true; };
  const Outcome expected = outcome_with(plugs, model, [](const Plug&) { return false; });
  if (!expected.error.empty()) throw std::runtime_error(expected.error);
  Verdict verdict = compare(outcome_with(plugs, model, all), expected);
  if (verdict.is_right()) return verdict;
  for (const Plug& plug : plugs) {
    if (!plug.plug_in) continue;
    const Outcome alone = outcome_with(plugs, model, [&](const Plug& each) { return &each == &plug; });
    if (!compare(alone, expected).is_right()) verdict.culprits.push_back(&plug);
  }
  parts = parts_from(plugs, all);
  return verdict;
}

}  // namespace mine
