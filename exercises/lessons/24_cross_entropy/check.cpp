#include <judge/check.h>

#include "given.h"

const Axes judge::axes = {{"batch", 5}, {"classes", 3}};

namespace {

// 0, 2, 1, 0, 2, ...: every class, some twice, in an order that is not that of the rows.
Tensor targets(Check& check) {
  std::vector<std::int64_t> values;
  for (std::int64_t n = 0; n < check.size("batch"); ++n) values.push_back(2 * n % check.size("classes"));
  return check.input("target", autograd::ids(values, {check.size("batch")}));
}

// Row 0 is sure of its right class, row 1 is sure of a wrong one, as a model may be that was trained too fast. Row 2 is
// so sure that taking out any number but the largest leaves something that overflows.
Tensor extreme_logits(Check& check, const Tensor& target) {
  const std::int64_t classes = check.size("classes");
  Tensor logits = autograd::zeros({check.size("batch"), classes}, autograd::float64);
  const auto right = target.to_vector<std::int64_t>();
  for (std::int64_t n = 0; n < check.size("batch"); ++n) {
    for (std::int64_t c = 0; c < classes; ++c) logits.set_({n, c}, check.random().normal());
    if (n == 0) logits.set_({n, right[0]}, 1000.0);
    if (n == 1) logits.set_({n, (right[1] + 1) % classes}, 1000.0);
    if (n == 2) logits.set_({n, right[2]}, 5000.0);
  }
  return check.input("extreme logits", logits);
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const Tensor logits = check.randn("logits", {"batch", "classes"});
  const Tensor target = targets(check);
  const Tensor extreme = extreme_logits(check, target);
  const Tensor first_class = check.input("target of first classes", zeros_like(target));
  const Tensor dloss = check.input("dloss", autograd::tensor(-1.5, autograd::float64));
  const Tensor positive = check.input("positive dloss", autograd::tensor(0.7, autograd::float64));

  check.compare("loss", answer.cross_entropy_loss(logits, target));
  check.compare("loss at extreme logits", answer.cross_entropy_loss(extreme, target));
  check.compare("loss where each target is class 0", answer.cross_entropy_loss(logits, first_class));

  const Tensor dlogits = answer.cross_entropy_backward(dloss, logits, target);
  check.gradient("dlogits", dlogits, logits, [=] { return dloss * autograd::cross_entropy(logits, target); });
  check.compare("dlogits at extreme logits", answer.cross_entropy_backward(dloss, extreme, target));
  check.compare("dlogits where each target is class 0", answer.cross_entropy_backward(positive, logits, first_class));
  check.require("dlogits sums to 0 over the classes", autograd::all(abs(dlogits.sum({-1})) < 1e-12),
                "dlogits does not sum to 0 over the classes; adding the same number to every logit of a row changes "
                "no probability");
}
