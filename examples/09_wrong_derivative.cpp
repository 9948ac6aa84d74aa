// A bug to be found: attention whose softmax was written by a learner, with one character wrong in its derivative.
//
// What it shows: a wrong derivative need not crash, nor stop the loss from falling. This one trains, but worse than it
// should, and nothing says so. docs/08-debugging-backprop.md finds it in four ways, each without a change to this
// program:
//
//   BACKSTEP=check build/release/examples/09_wrong_derivative              the op, the line, the element, the cause
//   BACKSTEP=step build/release/examples/09_wrong_derivative               step through backward(), and back
//   BACKSTEP=trace:trace.html build/release/examples/09_wrong_derivative   a page that replays it
//   gdb -x autograd/debug/backstep_gdb.py build/debug/examples/09_wrong_derivative
//
// The task: one word of six is marked; attention must find it and hand on its vector.
//
// Try next: mend the line, and see BACKSTEP=check be content.
#include <autograd/autograd.h>
#include <autograd/tape/record.h>
#include <fmt/core.h>
#include <nn/nn.h>

#include <string>

using autograd::float64;
using autograd::Tensor;

namespace {

constexpr std::int64_t batch = 16;
constexpr std::int64_t source = 6;
constexpr std::int64_t features = 4;

// softmax over the last dim, as a learner wrote it.
struct LearnersSoftmax final : autograd::Node {
  static constexpr autograd::OpText text{"learners_softmax", "y = exp(x) / sum(exp(x))", "dx = y * (dy - sum(y * dy))"};
  autograd::Saved y;

  Tensor forward(const autograd::Inputs& x) const override;
  autograd::Grads backward(const Tensor& dy) override {
    const Tensor y_ = use(y);
    const Tensor shared = (y_ * dy).sum({0}, true);
    return {y_ * (dy - shared)};
  }
};

Tensor learners_softmax(const Tensor& x, autograd::Where where = autograd::Where::current()) {
  Tensor y;
  {
    const autograd::NoGradGuard no_grad;  // the op's own numbers; what is recorded is the op as a whole
    const Tensor e = exp(x - amax(x, {-1}, true));
    y = e / e.sum({-1}, true);
  }
  if (auto* node = autograd::record<LearnersSoftmax>(y, {&x}, where)) node->y = node->save(y);
  return y;
}

Tensor LearnersSoftmax::forward(const autograd::Inputs& x) const {
  return learners_softmax(x[0]);
}

struct Data {
  Tensor words;   // [batch, source, features]; feature 0 is the mark
  Tensor wanted;  // [batch, features], the marked word
};

Data make_data() {
  Data data{autograd::randn({batch, source, features}, float64), autograd::zeros({batch, features}, float64)};
  for (std::int64_t sentence = 0; sentence < batch; ++sentence) {
    const std::int64_t marked = (sentence * 5) % source;
    for (std::int64_t word = 0; word < source; ++word) data.words.set_({sentence, word, 0}, word == marked ? 1.0 : 0.0);
    for (std::int64_t i = 0; i < features; ++i) data.wanted.set_({sentence, i}, data.words.at({sentence, marked, i}));
  }
  return data;
}

using Softmax = Tensor (*)(const Tensor& scores);

double train(const Data& data, Softmax softmax, int steps) {
  autograd::manual_seed(7);
  nn::Linear energy({.in_features = features, .out_features = 8, .bias = false, .dtype = float64});
  nn::Linear score({.in_features = 8, .out_features = 1, .bias = false, .dtype = float64});
  std::vector<Tensor> parameters = energy.parameters();
  parameters.push_back(score.weight);
  nn::SGD optimizer(parameters, {.lr = 0.5});

  double last = 0.0;
  for (int step = 0; step < steps; ++step) {
    const Tensor scores = score(energy(data.words).tanh()).squeeze(-1);      // [batch, source]
    const Tensor weights = softmax(scores).set_name("weights");              // [batch, source]
    const Tensor context = weights.unsqueeze(1).bmm(data.words).squeeze(1);  // [batch, features]
    const Tensor loss = autograd::mse_loss(context, data.wanted).set_name("loss");
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    last = loss.item();
  }
  return last;
}

}  // namespace

int main() {
  autograd::manual_seed(42);
  const Data data = make_data();
  const Softmax learners = [](const Tensor& scores) { return learners_softmax(scores); };
  const Softmax ours = [](const Tensor& scores) { return scores.softmax(-1); };

  fmt::print("Mean squared error of the context, after\n\n");
  fmt::print("  steps   learner's softmax   right softmax\n");
  for (const int steps : {1, 50, 200}) {
    const double with_learners = train(data, learners, steps);
    const double with_ours = train(data, ours, steps);
    fmt::print("  {:>5}   {:>17.4f}   {:>13.4f}\n", steps, with_learners, with_ours);
  }
  fmt::print("\nBoth learn. Only one has the right gradient.\n");
}
