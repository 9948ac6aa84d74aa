// wrong: a semicolon is missing after x[i] = before - eps
#include "given.h"

double central_difference(const Function& f, std::vector<double>& x, std::size_t i, double eps) {
  const double before = x[i];
  x[i] = before + eps;
  const double up = probe("up", f(x));
  x[i] = before - eps const double down = probe("down", f(x));
  x[i] = before;
  return (up - down) / (2 * eps);
}
