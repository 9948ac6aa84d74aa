#include <autograd/tape/observer.h>
#include <judge/check.h>

#include <algorithm>

#include "given.h"

const Axes judge::axes = {{"batch", 4}, {"time", 3}, {"classes", 5}};

namespace {

// Notes the largest result of all ops that run on tensors that require gradients.
class LargestResult final : public autograd::Observer {
 public:
  void recorded(autograd::Node& node, const autograd::Inputs& inputs, const Tensor& output) override {
    numel = std::max(numel, output.numel());
    Observer::recorded(node, inputs, output);
  }
  std::int64_t numel = 0;
};

bool builds_larger_tensors(const Answer& answer, const Tensor& dy, const Tensor& y) {
  LargestResult largest;
  const autograd::ObserverGuard guard(largest);
  try {
    answer.softmax_vjp(dy.detach().clone().requires_grad_(), y.detach().clone().requires_grad_());
  } catch (const std::exception&) {
  }
  return largest.numel > y.numel();
}

bool sums_to_zero(const Tensor& x) {
  return autograd::all(abs(x.sum({-1})) < 1e-12);
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const Tensor row = check.randn("row", {"classes"});
  const Tensor x = check.randn("x", {"batch", "classes"});
  const Tensor dy = check.randn("dy", {"batch", "classes"});
  const Tensor x3 = check.randn("x in three dims", {"batch", "time", "classes"});
  const Tensor dy3 = check.randn("dy in three dims", {"batch", "time", "classes"});

  // J[i, j] is the derivative of y[i] with respect to x[j]: row i of this table is an x of its own, and counts with its
  // y[i] only.
  const std::int64_t classes = check.size("classes");
  const Tensor rows = row.detach().expand({classes, classes}).clone();
  const Tensor jacobian = answer.softmax_jacobian(softmax(row, 0));
  check.gradient("jacobian", jacobian, rows,
                 [=] { return (softmax(rows, 1) * autograd::eye(classes, autograd::float64)).sum(); });
  check.require("each row of the Jacobian sums to 0", sums_to_zero(jacobian),
                "the rows of your Jacobian do not sum to 0; adding the same number to every x leaves every y as it is");

  Tensor certain = row.detach().clone();
  certain.set_({0}, -2000.0);  // its probability is exactly 0
  check.compare("jacobian where a class is impossible", answer.softmax_jacobian(softmax(certain, 0)));

  const Tensor dx = answer.softmax_vjp(dy, softmax(x, 1));
  check.gradient("dx", dx, x, [=] { return (dy * softmax(x, 1)).sum(); });
  check.require("dx sums to 0 over the classes", sums_to_zero(dx),
                "dx does not sum to 0 over the classes; adding the same number to every x of a row changes nothing");
  check.gradient("dx with three dims", answer.softmax_vjp(dy3, softmax(x3, 2)), x3,
                 [=] { return (dy3 * softmax(x3, 2)).sum(); });

  if (x.requires_grad()) return;  // a run that lists the ops of the answer: enough of them
  check.require("no Jacobian in softmax_vjp", !builds_larger_tensors(answer, dy, softmax(x, 1)),
                "your softmax_vjp computes a tensor with more entries than y has; it can do with sums over y and dy");
}
