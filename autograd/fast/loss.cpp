// The fast form of cross_entropy: one op, without the tensors between log_softmax and nll_loss. With a vocabulary of
// thousands, nothing else in a training step is as large as these.
#include "autograd/ops/loss.cpp"

#include "autograd/fast/fused.h"

namespace autograd::fast {
namespace {

// With label smoothing e, a target is spread over the classes: q[i][c] is e / classes * w[c] for every class c, and
// (1 - e) * w[c] more for c = target[i]. With or without,
//   loss[i] = -sum_c(q[i][c] * log(softmax(x[i])[c])),   dx[i] = dloss[i] * (sum_c(q[i][c]) * softmax(x[i]) - q[i])
struct CrossEntropy final : Fused {
  static constexpr OpText text{"cross_entropy", "y = sum_i(-w[i] * log(softmax(x[i])[target[i]])) / sum_i(w[i])",
                               "dx[i][c] = dy * w[i] / sum_i(w[i]) * (softmax(x[i])[c] - [c == target[i]])"};
  Kept target;  // [batch]
  Kept weight;  // options.weight
  CrossEntropyOptions options;
  Tensor classes;          // [batch]: target, and -1 where it is ignored
  Tensor at_target;        // [batch]: (1 - e) * w[i], over sum_i(w[i]) for the mean
  Tensor peak, log_total;  // [batch]: softmax(x) = exp((x - peak) - log_total)
  Tensor share;            // [classes]: e / classes * w[c]; undefined without smoothing
  Tensor counts;           // a number: 1, over sum_i(w[i]) for the mean

  Tensor composite(const Inputs& in) const override {
    check_weight();
    CrossEntropyOptions then = options;
    then.weight = weight.value();
    return autograd::cross_entropy(in[0], target.value(), then);
  }
  bool keeps(std::size_t) const override { return false; }
  // The smoothed part of the composite multiplies with the weight itself.
  void check_weight() const {
    if (share.defined() && weight.has_changed()) fail_clobbered(weight.tensor(), false);
  }
};

// The share of every class in a smoothed target: e / classes, times the weight of the class. [classes]
Tensor share_of_classes(const Tensor& x, const CrossEntropyOptions& options, Where where) {
  const std::int64_t count = x.shape()[1];
  const double share = options.label_smoothing / static_cast<double>(count);
  if (!options.weight.defined()) return full({count}, share, x.dtype(), where);
  return contiguous_values(options.weight.detach() * share);
}

// x [batch, classes], target [batch]; both have been checked.
Tensor forward(const Tensor& x, const Tensor& target, const CrossEntropyOptions& options, Where where) {
  const Tensor ignored = is_ignored(target, options.ignore_index, where);
  const std::int64_t rows = x.shape()[0];
  const std::int64_t count = x.shape()[1];
  const Tensor classes = classes_of("cross_entropy", target, ignored, count, where);
  const Tensor weights = weights_of(classes, ignored, options.weight, x.dtype(), where);
  const bool is_smooth = options.label_smoothing != 0.0;
  const Tensor at_target = is_smooth ? weights * (1.0 - options.label_smoothing) : weights;
  const Tensor share = is_smooth ? share_of_classes(x, options, where) : Tensor();

  const Tensor x_ = contiguous_values(x);
  const Tensor losses = make_tensor({rows}, x.dtype());
  const Tensor shared = make_tensor({rows}, x.dtype());
  const Tensor peak = make_tensor({rows}, x.dtype());
  const Tensor log_total = make_tensor({rows}, x.dtype());
  with_float_type(x.dtype(), [&]<class T>(T) {
    kernels::cross_entropy(pointer<T>(losses), pointer<T>(peak), pointer<T>(log_total), pointer<T>(x_),
                           pointer<std::int64_t>(classes), rows, count);
    if (!is_smooth) return;
    kernels::cross_entropy_shared(pointer<T>(shared), pointer<T>(x_), pointer<T>(peak), pointer<T>(log_total),
                                  pointer<T>(share), rows, count);
  });
  // The loss of an ignored target is 0, even where the logarithm of its probability is infinite.
  const Tensor all_losses = is_smooth ? at_target * losses + shared : at_target * losses;
  const Tensor weighted = masked_fill(all_losses, ignored, Operand(0.0, where));
  const Tensor total = sum(weights, {}, false, where);
  Tensor y = weighted;
  if (options.reduction != Reduction::none) y = sum(weighted, {}, false, where);
  if (options.reduction == Reduction::mean) y = y / total;  // NaN if no target counts

  if (auto* node = record_fused<CrossEntropy>(y, {&x}, where)) {
    const bool is_mean = options.reduction == Reduction::mean;
    node->target = Kept(target);
    node->weight = Kept(options.weight);
    node->options = options;
    node->classes = contiguous_values(autograd::where(ignored, -1.0, classes));
    node->at_target = is_mean ? at_target / total : at_target;
    node->peak = peak;
    node->log_total = log_total;
    node->share = share;
    if (is_smooth) node->counts = is_mean ? 1.0 / total : ones({}, x.dtype(), where);
  }
  return y;
}

// dx = dall * softmax(x) - dtarget at the target - dshare * share
Tensor gradient_of_rows(CrossEntropy& node, Step& step, const Tensor& dall, const Tensor& dtarget,
                        const Tensor& dshare) {
  Tensor dx = step.take_kept(node.inputs_kept[0]);  // dx is written over x, if nobody needs x any more
  const Tensor x = dx.defined() ? dx : node.input(0);
  if (!dx.defined()) dx = make_tensor(x.shape(), x.dtype());
  with_float_type(x.dtype(), [&]<class T>(T) {
    const bool is_smooth = node.share.defined();
    const kernels::Smoothing<T> smoothing{is_smooth ? pointer<T>(node.share) : nullptr,
                                          is_smooth ? pointer<T>(dshare) : nullptr};
    kernels::cross_entropy_backward(pointer<T>(dx), pointer<T>(dall), pointer<T>(dtarget), smoothing, pointer<T>(x),
                                    pointer<T>(node.peak), pointer<T>(node.log_total),
                                    pointer<std::int64_t>(node.classes), x.shape()[0], x.shape()[1]);
  });
  return dx;
}

bool backward(CrossEntropy& node, Step& step) {
  node.check_weight();
  const Tensor dtarget = contiguous_values(node.at_target * step.dy());  // [batch]
  if (!node.share.defined()) {
    step.hand_on(0, gradient_of_rows(node, step, dtarget, dtarget, Tensor()));
    return true;
  }
  const Tensor dshare = (node.counts * step.dy()).expand(dtarget.shape()).contiguous();  // [batch]
  // Infinity times a sum of shares is not the sum of its products with them, of which one may be NaN.
  const Tensor shared = all_finite(dshare) ? dshare * sum(node.share) : sum(unsqueeze(dshare, 1) * node.share, 1);
  const Tensor dall = contiguous_values(dtarget + shared);  // [batch]
  step.hand_on(0, gradient_of_rows(node, step, dall, dtarget, dshare));
  return true;
}

[[maybe_unused]] const bool known = [] {
  cross_entropy.run = forward;
  return set_fused_shortcut<CrossEntropy, backward>();
}();

}  // namespace
}  // namespace autograd::fast
