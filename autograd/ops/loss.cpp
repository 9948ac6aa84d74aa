// Losses that are primitives or fused: how far predictions are from their targets, per element, summed or averaged.
#include "autograd/ops/all_ops.h"
#include "autograd/ops/fused.h"
#include "autograd/ops/op.h"
#include "autograd/ops/parts.h"

namespace autograd {

void check_pair(const char* op, const Tensor& input, const Tensor& target, Where where) {
  check_floating(op, input, where);
  check_same_dtype(op, input, target, where);
  check_same_shape(op, input.shape(), target.shape(), where, "input and target differ",
                   "give one target per prediction: [n] against [n, 1] would compare each with all the others");
}

Tensor reduced(const Tensor& losses, Reduction reduction) {
  if (reduction == Reduction::sum) return sum(losses);
  return reduction == Reduction::mean ? mean(losses) : losses;
}

struct MseLoss final : Node {
  static constexpr OpText text{"mse_loss", "y = mean((input - target)^2)",
                               "dinput = dy * 2 * (input - target) / n, dtarget = -dinput"};
  Saved input, target;
  Reduction reduction = Reduction::mean;

  Tensor forward(const Inputs& x) const override { return mse_loss(x[0], x[1], reduction); }
  Grads backward(const Tensor& dy) override {
    const Tensor difference = use(input) - use(target);
    const double n = static_cast<double>(difference.numel());
    const double factor = reduction == Reduction::mean ? 2.0 / n : 2.0;
    const Tensor slope = dy * (factor * difference);
    const Tensor dtarget = needs(1) ? -slope : Tensor();
    return {slope, dtarget};
  }
};
Tensor mse_loss(const Tensor& input, const Tensor& target, Reduction reduction, Where where) {
  check_pair("mse_loss", input, target, where);
  const Tensor difference = input.detach() - target.detach();
  const double n = reduction == Reduction::mean ? static_cast<double>(difference.numel()) : 1.0;
  Tensor y = reduction == Reduction::none ? difference * difference : mean_square(difference, {}, n, false);
  if (auto* node = record<MseLoss>(y, {&input, &target}, where)) {
    node->input = node->save(input);
    node->target = node->save(target);
    node->reduction = reduction;
  }
  return y;
}

struct Xlogx final : Node {
  static constexpr OpText text{"xlogx", "y = x * log(x), 0 at 0", "dx = dy * (log(x) + 1)"};
  static constexpr OpKind kind = OpKind::elementwise;
  Saved x;

  Tensor forward(const Inputs& in) const override { return xlogx(in[0]); }
  Grads backward(const Tensor& dy) override { return {dy * (log(use(x)) + 1.0)}; }
};
Tensor xlogx(const Tensor& x, Where where) {
  const Tensor x_ = x.detach();
  Tensor y = x_ * log(masked_fill(x_, x_ == 0.0, 1.0));
  if (auto* node = record<Xlogx>(y, {&x}, where)) node->x = node->save(x);
  return y;
}

// ---- classification ----------------------------------------------------------------------------------------

namespace {

// scores [batch, classes, ..], target [batch, ..], weight [classes] or undefined.
void check_classification(const char* op, const Tensor& scores, const Tensor& target, const Tensor& weight,
                          Where where) {
  check_order(op, scores, target, "the scores first, then the target", where);
  check_floating(op, scores, where);
  if (is_floating(target.dtype())) {
    fail(ErrorId::dtype_mismatch, op, where,
         fmt::format("the target is {} {}, and should be the int64 id of each class", target.dtype(), target.shape()),
         "for probabilities of the classes write -(target * log_softmax(scores, 1)).sum(1).mean()");
  }
  check_dtype(op, target, int64, where);
  if (scores.dim() < 2) {
    fail(ErrorId::shape_mismatch, op, where, fmt::format("the scores have shape {}", scores.shape()),
         "give scores [batch, classes] or [batch, classes, ..]; unsqueeze(0) makes a batch of one");
  }
  Shape expected = scores.shape();
  expected.erase(1);
  if (!(target.shape() == expected)) {
    fail_shapes(op, scores.shape(), target.shape(), where, fmt::format("the target should be {}", expected),
                "classes are dim 1 of the scores, and the target is without that dim; for [batch, steps, classes] use "
                "transpose(1, 2), or flatten both");
  }
  if (!weight.defined()) return;
  check_same_dtype(op, scores, weight, where);
  if (!(weight.shape() == Shape(scores.shape()[1]))) {
    fail_shapes(op, scores.shape(), weight.shape(), where, "there is not one weight per class",
                fmt::format("give a weight of shape [{}]", scores.shape()[1]));
  }
}

// Compared as int64, of which a double cannot hold every one.
Tensor is_ignored(const Tensor& target, std::int64_t ignore_index) {
  return target == ids(std::vector<std::int64_t>{ignore_index}, {});
}

// The class of each target. Where the target is ignored, class 0, so that every class can be looked up.
// Throws token-out-of-range.
Tensor classes_of(const char* op, const Tensor& target, const Tensor& ignored, std::int64_t classes, Where where) {
  const Tensor safe = contiguous_values(autograd::where(ignored, 0.0, target));
  const std::int64_t* values = pointer<std::int64_t>(safe);
  const std::int64_t bad = kernels::first_out_of_range(values, safe.numel(), classes);
  if (bad < 0) return safe;
  fail(ErrorId::token_out_of_range, op, where,
       fmt::format("the target {} at {} is none of the {} classes", values[bad], coordinates(safe.shape(), bad),
                   classes),
       fmt::format("use targets from 0 to {}, and ignore_index for those that should not count", classes - 1));
}

// logits [batch, classes, ..] with 0 where the target is ignored: a NaN there must not reach the loss as 0 * NaN.
Tensor without_ignored(const Tensor& logits, const Tensor& ignored) {
  return any(ignored) ? masked_fill(logits, unsqueeze(ignored, 1), 0.0) : logits;
}

// How much each target counts: the weight of its class, or 1; 0 where it is ignored.
Tensor weights_of(const Tensor& classes, const Tensor& ignored, const Tensor& weight, DType dtype) {
  Tensor weights = ones(classes.shape(), dtype);
  if (weight.defined()) {
    const Tensor flat = index_select(weight.detach(), 0, reshape(classes, classes.numel()));
    weights = reshape(flat, classes.shape());
  }
  return masked_fill(weights, ignored, 0.0);
}

// The last step: the weighted losses as they are, their sum, or that over `total`, the sum of the weights. The mean is
// NaN if no target counts.
Tensor reduced(const Tensor& losses, const Tensor& total, Reduction reduction) {
  if (reduction == Reduction::none) return losses;
  return reduction == Reduction::mean ? sum(losses) / total : sum(losses);
}

// [classes] -> [1, classes, 1, ..], to be multiplied with scores of so many dims.
Tensor along_classes(const Tensor& weight, int dims) {
  Shape shape;
  for (int dim = 0; dim < dims; ++dim) shape.push_back(dim == 1 ? weight.numel() : 1);
  return reshape(weight, shape);
}

}  // namespace

struct NllLoss final : Node {
  static constexpr OpText text{"nll_loss", "y = sum_i(-w[i] * log_probs[i][target[i]]) / sum_i(w[i])",
                               "dlog_probs[i][target[i]] = dy * -w[i] / sum_i(w[i]), 0 elsewhere",
                               "leave out a batch without targets, or use Reduction::sum and divide by max(count, 1)"};
  Saved target;  // [batch, ..]
  NllOptions options;
  Tensor classes;  // [batch, 1, ..]: target, and 0 where it is ignored
  Tensor factors;  // [batch, 1, ..]: -w[i] / sum_i(w[i])
  Tensor ignored;  // [batch, 1, ..]

  Tensor forward(const Inputs& x) const override { return nll_loss(x[0], use(target), options); }
  Grads backward(const Tensor& dy) override {
    const Tensor dy_ = options.reduction == Reduction::none ? unsqueeze(dy, 1) : dy;
    const Tensor at_target = masked_fill(factors * dy_, ignored, 0.0);  // [batch, 1, ..]
    const Tensor nothing = zeros(input_shape(), dy.dtype());
    return {scatter_add(nothing, 1, classes, at_target)};
  }
};
Tensor nll_loss(const Tensor& log_probs, const Tensor& target, const NllOptions& options, Where where) {
  check_classification("nll_loss", log_probs, target, options.weight, where);
  const Tensor ignored = is_ignored(target, options.ignore_index);
  const Tensor classes = classes_of("nll_loss", target, ignored, log_probs.shape()[1], where);
  const Tensor weights = weights_of(classes, ignored, options.weight, log_probs.dtype());

  const Tensor column = unsqueeze(classes, 1);
  const Tensor picked = squeeze(gather(log_probs.detach(), 1, column), 1);
  // An ignored target counts 0 even where its log probability is -inf.
  const Tensor losses = masked_fill(-(weights * picked), ignored, 0.0);
  const Tensor total = sum(weights);
  Tensor y = reduced(losses, total, options.reduction);

  if (auto* node = record<NllLoss>(y, {&log_probs}, where)) {
    const Tensor factors = options.reduction == Reduction::mean ? -weights / total : -weights;
    node->target = node->save(target);
    node->options = options;
    node->classes = column;
    node->factors = unsqueeze(factors, 1);
    node->ignored = unsqueeze(ignored, 1);
  }
  return y;
}

// ---- cross_entropy as one op ----------------------------------------------------------------------------------------

// It makes none of the tensors between log_softmax and nll_loss. With a vocabulary of thousands, nothing else in a
// training step is as large as these.

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
  Grads run_kernel(const Tensor& dy) override;
  // The smoothed part of the composite multiplies with the weight itself.
  void check_weight() const {
    if (share.defined() && weight.has_changed()) fail_clobbered(weight.tensor(), false);
  }
};

// dx = dall * softmax(x) - dtarget at the target - dshare * share
Tensor gradient_of_rows(const CrossEntropy& node, const Tensor& dall, const Tensor& dtarget, const Tensor& dshare) {
  const Tensor x = node.input(0);
  const Tensor dx = make_tensor(x.shape(), x.dtype());
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

Grads CrossEntropy::run_kernel(const Tensor& dy) {
  check_weight();
  const Tensor dtarget = contiguous_values(at_target * dy);  // [batch]
  if (!share.defined()) return {gradient_of_rows(*this, dtarget, dtarget, Tensor())};
  const Tensor dshare = (counts * dy).expand(dtarget.shape()).contiguous();  // [batch]
  // Infinity times a sum of shares is not the sum of its products with them, of which one may be NaN.
  const Tensor shared = all_finite(dshare) ? dshare * sum(share) : sum(unsqueeze(dshare, 1) * share, 1);
  const Tensor dall = contiguous_values(dtarget + shared);  // [batch]
  return {gradient_of_rows(*this, dall, dtarget, dshare)};
}

// The share of every class in a smoothed target: e / classes, times the weight of the class. [classes]
Tensor share_of_classes(const Tensor& x, const CrossEntropyOptions& options) {
  const std::int64_t count = x.shape()[1];
  const double share = options.label_smoothing / static_cast<double>(count);
  if (!options.weight.defined()) return full({count}, share, x.dtype());
  return contiguous_values(options.weight.detach() * share);
}

// x [batch, classes], target [batch]; both have been checked.
Tensor fused_cross_entropy(const Tensor& x, const Tensor& target, const CrossEntropyOptions& options, Where where) {
  const Tensor ignored = is_ignored(target, options.ignore_index);
  const std::int64_t rows = x.shape()[0];
  const std::int64_t count = x.shape()[1];
  const Tensor classes = classes_of("cross_entropy", target, ignored, count, where);
  const Tensor weights = weights_of(classes, ignored, options.weight, x.dtype());
  const bool is_smooth = options.label_smoothing != 0.0;
  const Tensor at_target = is_smooth ? weights * (1.0 - options.label_smoothing) : weights;
  const Tensor share = is_smooth ? share_of_classes(x, options) : Tensor();

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
  const Tensor weighted = masked_fill(all_losses, ignored, 0.0);
  const Tensor total = sum(weights);
  Tensor y = reduced(weighted, total, options.reduction);

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
    if (is_smooth) node->counts = is_mean ? 1.0 / total : ones({}, x.dtype());
  }
  return y;
}

}  // namespace

// nll_loss of log_softmax; by default -sum_i w[i] * log(softmax(x[i])[target[i]]) / sum_i w[i].
Tensor cross_entropy(const Tensor& logits, const Tensor& target, const CrossEntropyOptions& options, Where where) {
  check_classification("cross_entropy", logits, target, options.weight, where);
  const double smoothing = options.label_smoothing;
  if (!(smoothing >= 0.0 && smoothing <= 1.0)) {
    fail(ErrorId::bad_argument, "cross_entropy", where, fmt::format("label_smoothing is {}", smoothing),
         "use a share of the target from 0 to 1");
  }
  if (logits.dim() == 2 && !runs_formulas()) return fused_cross_entropy(logits, target, options, where);

  const CompositeGuard composite("cross_entropy", where);
  const std::int64_t count = logits.shape()[1];
  const Tensor ignored = is_ignored(target, options.ignore_index);
  const Tensor classes = classes_of("cross_entropy", target, ignored, count, where);
  const Tensor log_probs = log_softmax(without_ignored(logits, ignored), 1);
  const Tensor loss = nll_loss(log_probs, target, {options.weight, options.ignore_index, options.reduction});
  if (smoothing == 0.0) return loss;

  // The smoothed share of a target is spread evenly over the classes: its loss is -sum_c weight[c] * log_probs[c].
  Tensor weighted = log_probs;  // [batch, classes, ..]
  if (options.weight.defined()) weighted = log_probs * along_classes(options.weight.detach(), logits.dim());
  const Tensor per_target = masked_fill(-sum(weighted, 1), ignored, 0.0);  // [batch, ..]
  const Tensor total = sum(weights_of(classes, ignored, options.weight, logits.dtype()));
  const Tensor smooth = reduced(per_target, total, options.reduction);
  const double share = smoothing / static_cast<double>(count);
  return loss * (1.0 - smoothing) + smooth * share;
}

OpList loss_ops() {
  return list_of<MseLoss, Xlogx, NllLoss>();
}

}  // namespace autograd
