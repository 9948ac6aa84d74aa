// wrong: the two values of f are kept in float, so that their difference has lost half of its digits
#include "given.h"

double central_difference(const Function& f, std::vector<double>& x, std::size_t i, double eps) {
  const double before = x[i];
  x[i] = before + eps;
  const float up = f(x);
  x[i] = before - eps;
  const float down = f(x);
  x[i] = before;
  return (up - down) / (2 * eps);
}
