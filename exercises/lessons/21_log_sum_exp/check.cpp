#include <judge/check.h>

#include "given.h"

const Axes judge::axes = {{"batch", 4}, {"classes", 3}};

namespace {

// Row 0 near 1000, row 1 near -1000, row 2 with a -inf in it, the others around 0 but with one entry far above.
Tensor large_values(Check& check) {
  const std::int64_t batch = check.size("batch");
  const std::int64_t classes = check.size("classes");
  std::vector<double> values;
  for (std::int64_t n = 0; n < batch; ++n) {
    for (std::int64_t c = 0; c < classes; ++c) {
      double value = check.random().normal();
      if (n == 0) value += 1000.0;
      if (n == 1) value -= 1000.0;
      if (n == 2 && c > 0 && c == classes - 1) value = -HUGE_VAL;
      if (n == 3 && c == 0) value += 2000.0;
      values.push_back(value);
    }
  }
  return check.input("large x", autograd::from_vector(values, {batch, classes}, autograd::float64));
}

// Only the last entry of each row is possible.
Tensor last_alone(const Check& check, const Tensor& x) {
  const Tensor place = autograd::arange(check.size("classes"));
  return x.masked_fill(place < static_cast<double>(check.size("classes") - 1), -HUGE_VAL);
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const Tensor x = check.randn("x", {"batch", "classes"});
  const Tensor large = large_values(check);
  const Tensor dy = check.randn("dy", {"batch"});

  const Tensor y = answer.log_sum_exp(x);
  check.compare("y", y);
  check.compare("y at large x", answer.log_sum_exp(large));
  check.compare("y of rows that are all near -1000", answer.log_sum_exp(x - 1000.0));
  check.compare("y where all but the last are at -inf", answer.log_sum_exp(last_alone(check, x)));
  check.compare("y near -5000 where all but the last are at -inf", answer.log_sum_exp(last_alone(check, x - 5000.0)));
  check.require("y(x + 100) = y(x) + 100", autograd::allclose(answer.log_sum_exp(x + 100.0), y + 100.0),
                "100 added to every x does not add 100 to every y; log(sum(exp(x + 100))) = log(exp(100) sum(exp(x)))");

  const auto loss = [=] { return (dy * autograd::logsumexp(x, {1})).sum(); };
  check.gradient("dx", answer.log_sum_exp_backward(dy, x, autograd::logsumexp(x, {1})), x, loss);
  check.compare("dx at large x", answer.log_sum_exp_backward(dy, large, autograd::logsumexp(large, {1})));
}
