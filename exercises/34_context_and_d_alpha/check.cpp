#include <autograd/observer.h>
#include <course/check.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "given.h"

const Axes course::axes = {{"batch", 4}, {"source", 5}, {"encoder", 6}, {"attention", 7}};

namespace {

// Notes whether the tape was asked for gradients: here they are to be written by hand.
class TapeWatch : public autograd::ForwardingObserver {
 public:
  void pass_begins(autograd::Pass& pass) override {
    used = true;
    ForwardingObserver::pass_begins(pass);
  }
  bool used = false;
};

template <class Call> auto without_tape(Call call) {
  TapeWatch watch;
  const autograd::ObserverGuard guard(watch);
  auto result = call();
  if (watch.used) throw std::runtime_error("your code calls backward() or grad(); here the formulas are to be written");
  return result;
}

// The example has sizes of its own: where an axis is shortened, it would only repeat what the full check said.
bool at_usual_sizes(const Check& check) {
  for (const course::Axis& axis : course::axes) {
    if (check.size(axis.name) != axis.size) return false;
  }
  return true;
}

std::vector<double> to_three_decimals(std::vector<double> values) {
  for (double& value : values) value = std::round(value * 1000.0) / 1000.0;
  return values;
}

// The example of the text, in a batch of one; the keys are the states, since U is the identity.
void check_example(const Answer& answer, Check& check) {
  using autograd::float64;
  const Tensor states = autograd::tensor({{{1.0, 0.0}, {0.0, 1.0}, {1.0, 1.0}}}, float64);
  const Source source = {states, states};
  const double unit = std::tanh(0.5);
  const double large = std::tanh(1.5);
  const Tensor scores = autograd::tensor({{large + unit, unit + large, large + large}}, float64);
  const Tensor alpha = scores.softmax(1);
  const Tensor dc = autograd::tensor({{1.0, 2.0}}, float64);
  check.compare("c of the example", answer.context_vector(alpha, source));
  const ContextGradients gradients = without_tape([&] { return answer.context_backward(dc, alpha, source); });
  check.compare("d_alpha of the example", gradients.d_alpha);
  check.compare("d_states of the example", gradients.d_states);
}

}  // namespace

void check(const Answer& answer, Check& check) {
  if (at_usual_sizes(check)) {
    const ByHand by_hand = answer.context_by_hand();
    check.compare("c by hand", to_three_decimals(by_hand.c));
    check.compare("d_alpha by hand", to_three_decimals(by_hand.d_alpha));
    check.compare("gradient of h_3 by hand", to_three_decimals(by_hand.d_h3));
  }

  // The second sentence is the full one; the others end in padding.
  const std::int64_t positions = check.size("source");
  const std::vector<std::int64_t> lengths = {std::max<std::int64_t>(positions - 2, 1), positions,
                                             std::max<std::int64_t>(positions - 1, 1), 1};
  const std::vector<std::int64_t> of_batch(lengths.begin(), lengths.begin() + check.size("batch"));
  const Tensor mask = autograd::length_mask(of_batch, positions);
  const Tensor scores = check.randn("scores", {"batch", "source"});
  const Tensor alpha = check.input("alpha", masked_softmax(scores, mask).detach());
  Source source;
  source.states = check.randn("states", {"batch", "source", "encoder"});
  source.keys = check.randn("keys", {"batch", "source", "attention"});
  const Tensor dc = check.randn("dc", {"batch", "encoder"});
  const auto loss = [=] { return (dc * bmm(alpha.unsqueeze(1), source.states).squeeze(1)).sum(); };

  check.compare("c", answer.context_vector(alpha, source));
  const ContextGradients gradients = without_tape([&] { return answer.context_backward(dc, alpha, source); });
  const Tensor padding = logical_not(mask);
  check.gradient("d_alpha", gradients.d_alpha, alpha, loss, {.regions = {{"padding", padding}}});
  check.gradient("d_states", gradients.d_states, source.states, loss, {.regions = {{"padding", padding.unsqueeze(2)}}});
  if (at_usual_sizes(check)) check_example(answer, check);
}
