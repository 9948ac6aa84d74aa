#include <fmt/format.h>
#include <judge/check.h>

#include <algorithm>
#include <set>

#include "given.h"

const Axes judge::axes = {};

namespace {

Problem smooth() {
  Problem problem;
  problem.f = [](double x) { return std::exp(std::sin(x)); };
  problem.f_float = [](float x) { return std::exp(std::sin(x)); };
  problem.derivative = [](double x) { return std::cos(x) * std::exp(std::sin(x)); };
  for (int i = 0; i < 50; ++i) problem.points.push_back(-2.97 + 0.12 * i);
  return problem;
}

// One point lies beside the kink: within 0.01 of it, and not within 0.001.
Problem beside_a_kink() {
  Problem problem;
  problem.f = [](double x) { return std::abs(x); };
  problem.f_float = [](float x) { return std::abs(x); };
  problem.derivative = [](double x) { return x < 0.0 ? -1.0 : 1.0; };
  problem.points = {0.004, -0.7, 1.3};
  return problem;
}

// How many digits are right: what rounding leaves of an error is not an exact number, but its size is. (The 0.2 keeps
// the sizes that are met here away from the next digit.)
double digits(double error) {
  return std::clamp(std::floor(0.2 - std::log10(std::abs(error))), -1.0, 16.0);
}

// Where error_in_float looks at f_float. At these points and this step, a sum of doubles is not rounded to the place
// that a sum of floats is.
std::string places_in_float(const Answer& answer) {
  constexpr double eps = 0.1;
  std::set<float> found;
  Problem problem;
  problem.f = [](double x) { return x * x; };
  problem.f_float = [&found](float x) {
    found.insert(x);
    return x * x;
  };
  problem.derivative = [](double x) { return 2.0 * x; };
  problem.points = {0.1, 0.3};
  answer.error_in_float(problem, eps);

  if (found.empty()) return "nowhere";
  const float step = static_cast<float>(eps);
  for (const double point : problem.points) {
    const float x = static_cast<float>(point);
    if (!found.count(x + step) || !found.count(x - step)) return "at other places";
  }
  return "at x + eps and x - eps in float";
}

// What the quotient of a line at 0 was, read from its error: its slope is not a float, so that one of the numbers that
// lie this far from it is a float if the quotient was one. It is so small that no relative error looks like a distance.
std::string quotient_in_float(const Answer& answer) {
  constexpr double slope = 0.1 / (1 << 20);
  Problem problem;
  problem.f = [](double x) { return slope * x; };
  problem.f_float = [](float x) { return static_cast<float>(slope) * x; };
  problem.derivative = [](double) { return slope; };
  problem.points = {0.0};
  const double error = answer.error_in_float(problem, 0.1);
  if (!(std::abs(error) < 1e-3 * slope)) return "no distance from the slope";

  const auto is_so_far_from_a_float = [error](double from) {
    const auto is_a_float = [](double x) { return static_cast<double>(static_cast<float>(x)) == x; };
    return is_a_float(from + error) || is_a_float(from - error);
  };
  if (is_so_far_from_a_float(slope)) return "a float, compared in double";
  return is_so_far_from_a_float(static_cast<float>(slope)) ? "a float, compared in float" : "no float";
}

// How far eps lies from 10^-digits, in powers of ten.
double distance(double eps, double digits) {
  return std::abs(std::log10(eps) + digits);
}

std::string in_words(double eps) {
  return fmt::format("{:.0e}", eps);
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const Problem curve = smooth();
  const Problem kink = beside_a_kink();
  const auto in_double = [&](double eps) { return answer.error_in_double(curve, eps); };
  const auto in_float = [&](double eps) { return answer.error_in_float(curve, eps); };

  std::vector<double> errors, double_digits, float_digits;
  for (const double eps : {1e-1, 1e-2, 1e-3}) errors.push_back(in_double(eps));
  check.compare("error in double at 0.1, 0.01, 0.001", errors);
  for (const double eps : {1e-4, 1e-7, 1e-10}) double_digits.push_back(digits(in_double(eps)));
  check.compare("correct digits in double at 1e-4, 1e-7, 1e-10", double_digits);
  check.compare("error beside a kink at 0.01", answer.error_in_double(kink, 1e-2));

  for (const double eps : {1e-1, 1e-2, 3e-4}) float_digits.push_back(digits(in_float(eps)));
  check.compare("correct digits in float at 0.1, 0.01, 3e-4", float_digits);

  check.compare("correct digits in float beside a kink at 0.01", digits(answer.error_in_float(kink, 1e-2)),
                {.may_be_zero = true});
  check.text("f_float is called", places_in_float(answer));
  check.text("quotient in float, for a line", quotient_in_float(answer));

  const auto best = [&](const std::string& name, const std::function<double(double)>& error) {
    check.text("best step, " + name, in_words(answer.best_step(error)));
  };
  best("one valley", [](double eps) { return distance(eps, 7.1); });
  best("two valleys", [](double eps) { return std::min(distance(eps, 2.9) + 0.3, distance(eps, 9.2)); });
  best("smaller is always better", [](double eps) { return eps; });
  best("larger is always better", [](double eps) { return 1.0 / eps; });
  best("all errors are huge", [](double eps) { return 1e305 * (1.0 + distance(eps, 4.1)); });
  best("no error beyond 0.1", [](double eps) { return eps > 0.2 ? 0.0 : distance(eps, 3.1); });
  best("central difference in double", in_double);
  best("central difference in float", in_float);
}
