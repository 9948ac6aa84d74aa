// The cross entropy of a vocabulary's scores, with its gradient: how many tensors of the scores' size are made?
#include <fmt/core.h>

#include <cmath>

#include "examples/fast_kernels/kernels.h"
#include "examples/fast_kernels/vectors.h"

namespace fast_kernels {
namespace {

// The loss, and the gradient of the scores.
template <class Loss> Tensors loss_and_gradient(const Tensor& scores, const Loss& loss_of) {
  const Tensor x = scores.detach().requires_grad_();
  const Tensor loss = loss_of(x);
  loss.backward();
  return {loss.detach(), x.grad()};
}

// 1. softmax, then its logarithm at the target; each is an op, with its own backward.
Tensor by_ops(const Tensor& x, const Tensor& target) {
  const Tensor e = autograd::exp(x - x.detach().amax(1, true));                  // [rows, classes]
  const Tensor log_probs = autograd::log(e / e.sum(1, true));                    // [rows, classes]
  const Tensor at_target = autograd::gather(log_probs, 1, target.unsqueeze(1));  // [rows, 1]
  return -at_target.mean();
}

// 2. The two ops of which PyTorch says that its cross entropy consists.
Tensor by_two_ops(const Tensor& x, const Tensor& target) {
  return autograd::nll_loss(autograd::log_softmax(x, 1), target);
}

}  // namespace

bool cross_entropy(const Options& options) {
  const int64_t rows = options.size[0], classes = options.size[1];
  const Tensor x = autograd::randn({rows, classes}) * 3.0;
  const Tensor target = autograd::randint(0, classes, {rows});
  const auto shipped = [&](const Tensor& scores) { return autograd::cross_entropy(scores, target); };

  // Read once, written once; an exponential and four operations.
  const double count = double(rows) * double(classes);
  const Work work = {.flops = 27 * count, .bytes = 8 * count, .elements = count, .unit = Work::Unit::elements};
  const Tensors reference =
      loss_and_gradient(x.to(autograd::float64), [&](const Tensor& scores) { return by_two_ops(scores, target); });
  Table table(fmt::format("cross-entropy: {} rows, {} classes, loss and gradient", rows, classes), work, reference,
              {.ulp = 64, .of_largest = true}, options);
  table.version("exp, sum, log: an op each",
                [&] { return loss_and_gradient(x, [&](const Tensor& s) { return by_ops(s, target); }); });
  table.version("log_softmax and nll_loss",
                [&] { return loss_and_gradient(x, [&](const Tensor& s) { return by_two_ops(s, target); }); });
  table.version("shipped: autograd::cross_entropy", [&] { return loss_and_gradient(x, shipped); });
  const Tensor losses = autograd::zeros({rows});
  const Tensor dx = autograd::zeros({rows, classes});
  table.version("loss and gradient in one go, by hand", [&] {
    vectors().cross_entropy(losses.data_ptr<float>(), dx.data_ptr<float>(), x.data_ptr<float>(),
                            target.data_ptr<int64_t>(), rows, classes);
    return Tensors{losses.mean(), dx};
  });
  return table.all_right();
}

}  // namespace fast_kernels
