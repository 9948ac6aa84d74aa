#include <autograd/observer.h>
#include <course/check.h>

#include <optional>
#include <set>
#include <string>

#include "given.h"

const Axes course::axes = {{"batch", 4}, {"classes", 3}};

namespace {

// Notes which of the engine's ops run on tensors that require gradients.
class Calls final : public autograd::ForwardingObserver {
 public:
  void recorded(autograd::Node& node, const autograd::Inputs& inputs, const Tensor& output) override {
    names.insert(node.name());
    ForwardingObserver::recorded(node, inputs, output);
  }
  std::set<std::string> names;
};

bool calls_the_op(const Answer& answer, const Tensor& x) {
  const autograd::GradModeGuard recording(true);
  Calls calls;
  const autograd::ObserverGuard guard(calls);
  try {
    answer.log_probabilities(x.detach().clone().requires_grad_());
  } catch (const std::exception&) {
  }
  return calls.names.count("log_softmax") + calls.names.count("logsumexp") > 0;
}

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

}  // namespace

void check(const Answer& answer, Check& check) {
  const Tensor x = check.randn("x", {"batch", "classes"});
  const Tensor large = large_values(check);
  const Tensor dy = check.randn("dy", {"batch", "classes"});
  std::optional<autograd::NoGradGuard> by_hand;  // .backward() finds no graph; but `learn step` needs what is recorded
  if (!x.requires_grad()) by_hand.emplace();

  const Tensor y = answer.log_probabilities(x);
  check.compare("y", y);
  check.compare("y at large x", answer.log_probabilities(large));
  check.require("exp(y) sums to 1 in each row", autograd::all(abs(exp(y).sum({-1}) - 1.0) < 1e-12),
                "the exponentials of your y do not sum to 1 over the classes, so they are no probabilities");

  const Tensor dx = answer.log_softmax_vjp(dy, log_softmax(x, 1));
  check.gradient("dx", dx, x, [=] { return (dy * log_softmax(x, 1)).sum(); });
  check.require("dx sums to 0 over the classes", autograd::all(abs(dx.sum({-1})) < 1e-12),
                "dx does not sum to 0 over the classes; adding the same number to every x of a row changes nothing");

  if (x.requires_grad()) return;  // `learn step` lists the ops of a run: no second one
  check.require("written out", !calls_the_op(answer, x),
                "your log_probabilities calls the engine's log_softmax or logsumexp; write it with exp and log");
}
