// A loss that falls, and then is NaN: cross entropy, written as its formula reads.
//
// What it shows: the NaN is noticed long after it began. The softmax of a score that is far behind is 0 in float32. Its
// log is minus infinity, and 0 times infinity is NaN, which the next step writes into the weights.
//
//   BACKSTEP=nan build/release/examples/11_loss_of_nan      stops at the op that made the first number that is none
//
// Try next: log_softmax(scores, -1) in the place of log(softmax(scores, -1)).
#include <autograd/autograd.h>
#include <fmt/core.h>

using autograd::Tensor;

int main() {
  const Tensor points = autograd::tensor({{0.4, 0.5}, {17.0, -0.3}, {-0.3, 0.8}, {-0.5, 0.1}});
  const Tensor wanted = autograd::tensor({{1.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}, {0.0, 1.0}});  // the class of each point
  const Tensor weight = autograd::zeros({2, 2}).set_name("weight").requires_grad_();

  for (int step = 1; step <= 12; ++step) {
    const Tensor scores = points.matmul(weight).set_name("scores");
    const Tensor loss = -(wanted * log(softmax(scores, -1))).sum(-1).mean();
    fmt::print("step {:>2}: loss {:.4f}\n", step, loss.item());

    weight.zero_grad();
    loss.backward();
    const autograd::NoGradGuard no_grad;
    weight.sub_(1.0 * weight.grad());
  }
}
