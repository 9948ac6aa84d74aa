#include <judge/check.h>

#include <bit>
#include <cstdint>

#include "given.h"

const Axes judge::axes = {{"inputs", 3}};

namespace {

std::vector<double> all_derivatives(const Answer& answer, const Function& f, std::vector<double>& x, double eps) {
  std::vector<double> derivatives;
  for (std::size_t i = 0; i < x.size(); ++i) derivatives.push_back(answer.central_difference(f, x, i, eps));
  return derivatives;
}

// Every input has a derivative of its own, and higher ones as well, so that a step shows in the result.
double bumpy(const std::vector<double>& x) {
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double neighbour = x[(i + 1) % x.size()];
    sum += (static_cast<double>(i) + 1.0) * x[i] * x[i] * x[i] + std::exp(0.5 * x[i]) * neighbour;
  }
  return sum;
}

double quadratic(const std::vector<double>& x) {
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (static_cast<double>(i) + 0.5) * x[i] * (x[i] + 2.0 * x[0]);
  return sum;
}

std::vector<double> derivatives_of_quadratic(const std::vector<double>& x) {
  std::vector<double> derivatives(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double factor = static_cast<double>(i) + 0.5;
    derivatives[i] += factor * (2.0 * x[i] + 2.0 * x[0]);
    derivatives[0] += factor * 2.0 * x[i];
  }
  return derivatives;
}

bool agree(const std::vector<double>& a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(std::abs(a[i] - b[i]) <= 1e-9)) return false;
  }
  return true;
}

// 0.0 == -0.0, but an answer that puts back the one for the other has changed x.
bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const std::vector<double> at = check.uniform("x", {"inputs"}, -1.5, 1.5).to_vector();
  std::vector<double> x = at;
  check.compare("derivatives, eps = 0.1", all_derivatives(answer, bumpy, x, 0.1));
  check.compare("x afterwards", x);
  const bool unchanged = x == at;
  x = at;
  check.compare("derivatives, eps = 0.001", all_derivatives(answer, bumpy, x, 0.001));
  check.require("x is left exactly as it was", unchanged && x == at,
                "x comes back changed, if only in the last bits: the next measurement starts from another place");
  x[0] = -0.0;
  all_derivatives(answer, bumpy, x, 0.001);
  check.require("a -0.0 in x stays -0.0", same_bits(x[0], -0.0),
                "x[0] was -0.0 and is another number afterwards, though maybe one that equals it: as +0.0 does");
  x = at;
  check.require("exact for a quadratic",
                agree(all_derivatives(answer, quadratic, x, 0.5), derivatives_of_quadratic(at)),
                "a quadratic is not measured exactly at eps = 0.5, and a central difference makes no error there");
}
