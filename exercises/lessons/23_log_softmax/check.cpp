#include <judge/check.h>

#include "given.h"

const Axes judge::axes = {{"batch", 4}, {"classes", 3}};

namespace {

// Row 0 near 1000, row 1 near -1000, in row 2 one entry 1000 below the others.
Tensor large_values(Check& check) {
  const std::int64_t batch = check.size("batch");
  const std::int64_t classes = check.size("classes");
  std::vector<double> values;
  for (std::int64_t n = 0; n < batch; ++n) {
    for (std::int64_t c = 0; c < classes; ++c) {
      double value = check.random().normal();
      if (n == 0) value += 1000.0;
      if (n == 1) value -= 1000.0;
      if (n == 2 && c == 0) value -= 1000.0;
      values.push_back(value);
    }
  }
  return check.input("large x", autograd::from_vector(values, {batch, classes}, autograd::float64));
}

// One entry of each row 5000 above the others: further than what any number between them could take out of the exp.
Tensor wide_values(Check& check, const Tensor& x) {
  Tensor wide = x.detach().clone();
  const std::int64_t classes = check.size("classes");
  for (std::int64_t n = 0; n < check.size("batch"); ++n) {
    const std::int64_t best = (n + 1) % classes;
    wide.set_({n, best}, wide.at({n, best}) + 5000.0);
  }
  return check.input("wide x", wide);
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const Tensor x = check.randn("x", {"batch", "classes"});
  const Tensor large = large_values(check);
  const Tensor wide = wide_values(check, x);
  const Tensor dy = check.randn("dy", {"batch", "classes"});

  const Tensor y = answer.log_probabilities(x);
  check.compare("y", y);
  check.compare("y at large x", answer.log_probabilities(large));
  check.compare("y where one entry lies 5000 above the others", answer.log_probabilities(wide));
  check.require("exp(y) sums to 1 in each row", autograd::all(abs(exp(y).sum({-1}) - 1.0) < 1e-12),
                "the exponentials of your y do not sum to 1 over the classes, so they are not probabilities");

  const Tensor dx = answer.log_softmax_vjp(dy, log_softmax(x, 1));
  check.gradient("dx", dx, x, [=] { return (dy * log_softmax(x, 1)).sum(); });
  check.compare("dx at large x", answer.log_softmax_vjp(dy, log_softmax(large, 1)));
  check.require("dx sums to 0 over the classes", autograd::all(abs(dx.sum({-1})) < 1e-12),
                "dx does not sum to 0 over the classes; adding the same number to every x of a row changes nothing");
}
