// wrong: error_in_float is defined with a float parameter, so it is another function than the one that is declared
#include "given.h"

double error_in_double(const Problem& problem, double eps) {
  double worst = 0;
  for (double x : problem.points) {
    const double measured = (problem.f(x + eps) - problem.f(x - eps)) / (2 * eps);
    worst = std::max(worst, std::abs(measured - problem.derivative(x)));
  }
  return worst;
}

double error_in_float(const Problem& problem, float eps) {
  double worst = 0;
  for (double point : problem.points) {
    const float x = static_cast<float>(point);
    const float measured = (problem.f_float(x + eps) - problem.f_float(x - eps)) / (2 * eps);
    worst = std::max(worst, std::abs(measured - problem.derivative(point)));
  }
  return worst;
}

double best_step(const std::function<double(double eps)>& error) {
  double best = 0.1;
  for (int k = 1; k <= 12; ++k) {
    const double eps = std::pow(10.0, -k);
    if (error(eps) < error(best)) best = eps;
  }
  return best;
}
