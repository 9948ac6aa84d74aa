// Losses: how far predictions are from their targets, per element, summed or averaged.
#include <fmt/core.h>

#include "autograd/ops/op.h"
#include "autograd/tensor/factories.h"
#include "autograd/tensor/format.h"

namespace autograd {
namespace {

Tensor reduce(const Tensor& losses, Reduction reduction, Where where) {
  switch (reduction) {
    case Reduction::none: return losses;
    case Reduction::sum: return sum(losses, {}, false, where);
    case Reduction::mean: return mean(losses, {}, false, where);
  }
  return losses;
}

}  // namespace

// ---- mean squared error ------------------------------------------------------------------------------------

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
    Grads grads(2);
    if (needs(0)) grads[0] = slope;
    if (needs(1)) grads[1] = -slope;
    return grads;
  }
};
Tensor mse_loss(const Tensor& input, const Tensor& target, Reduction reduction, Where where) {
  check_floating("mse_loss", input, where);
  check_same_dtype("mse_loss", input, target, where);
  if (!(input.shape() == target.shape())) {
    fail_shapes("mse_loss", input.shape(), target.shape(), where, "input and target differ",
                "give one target per prediction: [n] against [n, 1] would compare each with all the others");
  }
  const Tensor difference = input.detach() - target.detach();
  const Tensor squares = difference * difference;
  Tensor y = reduce(squares, reduction, where);
  if (auto* node = record<MseLoss>(y, {&input, &target}, where)) {
    node->input = node->save(input);
    node->target = node->save(target);
    node->reduction = reduction;
  }
  return y;
}

// ---- classification ----------------------------------------------------------------------------------------

namespace {

// scores [batch, classes, ..], target [batch, ..], weight [classes] or undefined.
void check_classification(const char* op, const Tensor& scores, const Tensor& target, const Tensor& weight,
                          Where where) {
  check_floating(op, scores, where);
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

// As an integer: not each of them is a double.
Tensor is_ignored(const Tensor& target, std::int64_t ignore_index, Where where) {
  const Tensor ignored = ids(std::vector<std::int64_t>{ignore_index}, {}, where);
  return Operand(target, where) == Operand(ignored, where);
}

// The class of each target, with 0, which is always safe to look up, where the target is ignored.
// Throws token-out-of-range.
Tensor classes_of(const char* op, const Tensor& target, const Tensor& ignored, std::int64_t classes, Where where) {
  const Tensor safe = contiguous_values(autograd::where(ignored, 0.0, target));
  const std::int64_t* values = pointer<std::int64_t>(safe);
  const std::int64_t bad = kernels::first_out_of_range(values, safe.numel(), classes);
  if (bad < 0) return safe;
  Shape position = safe.shape();
  std::int64_t rest = bad;
  for (int dim = position.dim() - 1; dim >= 0; --dim) {
    position[dim] = rest % safe.shape()[dim];
    rest /= safe.shape()[dim];
  }
  fail(ErrorId::token_out_of_range, op, where,
       fmt::format("the target {} at {} is none of the {} classes", values[bad], position, classes),
       fmt::format("use targets from 0 to {}, and ignore_index for those that should not count", classes - 1));
}

// logits [batch, classes, ..], of which nothing matters where the target is ignored, not even NaN: 0 * NaN is NaN.
Tensor without_ignored(const Tensor& logits, const Tensor& ignored, Where where) {
  return any(ignored) ? masked_fill(logits, unsqueeze(ignored, 1, where), 0.0, where) : logits;
}

// How much each target counts: the weight of its class, or 1; 0 where it is ignored.
Tensor weights_of(const Tensor& classes, const Tensor& ignored, const Tensor& weight, DType dtype, Where where) {
  Tensor weights = ones(classes.shape(), dtype, where);
  if (weight.defined()) {
    const Tensor flat = index_select(weight.detach(), 0, reshape(classes, classes.numel(), where), where);
    weights = reshape(flat, classes.shape(), where);
  }
  return masked_fill(weights, ignored, 0.0, where);
}

}  // namespace

struct NllLoss final : Node {
  static constexpr OpText text{"nll_loss", "y = sum_i(-w[i] * log_probs[i][target[i]]) / sum_i(w[i])",
                               "dlog_probs[i][target[i]] = dy * -w[i] / sum_i(w[i]), 0 elsewhere"};
  Shape input_shape;  // [batch, classes, ..]
  Saved target;       // [batch, ..]
  NllOptions options;
  Tensor classes;  // [batch, 1, ..]: target, and 0 where it is ignored
  Tensor factors;  // [batch, 1, ..]: -w[i] / sum_i(w[i]), and 0 where the target is ignored

  Tensor forward(const Inputs& x) const override { return nll_loss(x[0], use(target), options); }
  Grads backward(const Tensor& dy) override {
    const Tensor dy_ = options.reduction == Reduction::none ? unsqueeze(dy, 1) : dy;
    const Tensor at_target = factors * dy_;  // [batch, 1, ..]
    const Tensor nothing = zeros(input_shape, dy.dtype());
    return {scatter_add(nothing, 1, classes, at_target)};
  }
};
Tensor nll_loss(const Tensor& log_probs, const Tensor& target, const NllOptions& options, Where where) {
  check_classification("nll_loss", log_probs, target, options.weight, where);
  const Tensor ignored = is_ignored(target, options.ignore_index, where);
  const Tensor classes = classes_of("nll_loss", target, ignored, log_probs.shape()[1], where);
  const Tensor weights = weights_of(classes, ignored, options.weight, log_probs.dtype(), where);

  const Tensor column = unsqueeze(classes, 1, where);
  const Tensor picked = squeeze(gather(log_probs.detach(), 1, column, where), 1, where);
  // An ignored target counts 0 even where its log probability is -inf.
  const Tensor losses = masked_fill(-(weights * picked), ignored, 0.0, where);
  const Tensor total = sum(weights, {}, false, where);
  Tensor y = losses;
  if (options.reduction != Reduction::none) y = sum(losses, {}, false, where);
  if (options.reduction == Reduction::mean) y = y / total;  // of no target that counts: 0 / 0, NaN

  if (auto* node = record<NllLoss>(y, {&log_probs}, where)) {
    Tensor factors = -weights;
    if (options.reduction == Reduction::mean) factors = masked_fill(factors / total, ignored, 0.0, where);
    node->input_shape = log_probs.shape();
    node->target = node->save(target);
    node->options = options;
    node->classes = column;
    node->factors = unsqueeze(factors, 1, where);
  }
  return y;
}

// The cross entropy of rows of scores, in which log_softmax and nll_loss are one: between the two of them lie tensors
// as large as the scores, and with a vocabulary of thousands nothing else in a training step is as large.
//
// With label smoothing e, a target is not one class: q[i] has (1 - e) * w[target[i]] there, and a share e / classes *
// w[c] for every class c. In any case
//   loss[i] = -sum_c(q[i][c] * log(softmax(x[i])[c])),   dx[i] = dloss[i] * (sum_c(q[i][c]) * softmax(x[i]) - q[i])
struct CrossEntropy final : Node {
  static constexpr OpText text{"cross_entropy", "y = sum_i(-w[i] * log(softmax(x[i])[target[i]])) / sum_i(w[i])",
                               "dx[i] = dy * w[i] / sum_i(w[i]) * (softmax(x[i]) - 1 at target[i])"};
  Saved x;       // [batch, classes]
  Saved target;  // [batch]
  CrossEntropyOptions options;
  Tensor classes;          // [batch]: target, and 0 where it is ignored
  Tensor at_target;        // [batch]: (1 - e) * w[i], over sum_i(w[i]) for the mean; 0 where the target is ignored
  Tensor peak, log_total;  // [batch]: softmax(x) = exp((x - peak) - log_total)
  Tensor share;            // [classes]: e / classes * w[c]; undefined without smoothing
  Tensor counts;           // [batch]: 1, over sum_i(w[i]) for the mean; 0 where the target is ignored

  Tensor forward(const Inputs& in) const override { return cross_entropy(in[0], use(target), options); }
  Grads backward(const Tensor& dy) override {
    const Tensor dtarget = at_target * dy;  // [batch]
    Tensor dshare;                          // [batch]
    Tensor dall = dtarget;                  // [batch]
    if (share.defined()) {
      dshare = counts * dy;
      dall = dtarget + dshare * sum(share);
    }
    if (!grad_enabled()) return {in_one_pass(dall, dtarget, dshare)};
    // The same to the bit as ops, which can be differentiated again.
    const Tensor ignored = is_ignored(use(target), options.ignore_index, called_at);
    const Tensor x_ = without_ignored(use(x), ignored, called_at);
    Tensor dx = unsqueeze(dall, 1) * exp(log_softmax(x_, 1));  // [batch, classes]
    if (share.defined()) dx = dx - unsqueeze(dshare, 1) * share;
    return {scatter_add(dx, 1, unsqueeze(classes, 1), -unsqueeze(dtarget, 1))};
  }

  Tensor in_one_pass(const Tensor& dall, const Tensor& dtarget, const Tensor& dshare) {
    Tensor dx = take(x);  // written over x, if nobody needs it any more
    const Tensor x_ = dx.defined() ? dx : contiguous_values(use(x));
    if (!dx.defined()) dx = make_tensor(x_.shape(), x_.dtype());
    const Tensor dall_ = contiguous_values(dall);
    const Tensor dtarget_ = contiguous_values(dtarget);
    const Tensor dshare_ = dshare.defined() ? contiguous_values(dshare) : dshare;
    with_float_type(x_.dtype(), [&](auto t) {
      using T = decltype(t);
      const kernels::Smoothing<T> smoothing{share.defined() ? pointer<T>(share) : nullptr,
                                            share.defined() ? pointer<T>(dshare_) : nullptr};
      kernels::cross_entropy_backward(pointer<T>(dx), pointer<T>(dall_), pointer<T>(dtarget_), smoothing,
                                      pointer<T>(x_), pointer<T>(peak), pointer<T>(log_total),
                                      pointer<std::int64_t>(classes), x_.shape()[0], x_.shape()[1]);
    });
    return dx;
  }
};

namespace {

// The share of every class in a smoothed target: e / classes, times the weight of the class. [classes]
Tensor share_of_classes(const Tensor& x, const CrossEntropyOptions& options, Where where) {
  const std::int64_t count = x.shape()[1];
  const double share = options.label_smoothing / static_cast<double>(count);
  if (!options.weight.defined()) return full({count}, share, x.dtype(), where);
  return contiguous_values(options.weight.detach() * share);
}

// x [batch, classes], target [batch]; both have been checked.
Tensor cross_entropy_of_rows(const Tensor& x, const Tensor& target, const CrossEntropyOptions& options, Where where) {
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
  with_float_type(x.dtype(), [&](auto t) {
    using T = decltype(t);
    kernels::cross_entropy(pointer<T>(losses), pointer<T>(peak), pointer<T>(log_total), pointer<T>(x_),
                           pointer<std::int64_t>(classes), rows, count);
    if (!is_smooth) return;
    kernels::cross_entropy_shared(pointer<T>(shared), pointer<T>(x_), pointer<T>(peak), pointer<T>(log_total),
                                  pointer<T>(share), rows, count);
  });
  // An ignored target counts 0 even where its probability is 0, whose logarithm is not finite.
  const Tensor all_losses = is_smooth ? at_target * losses + shared : at_target * losses;
  const Tensor weighted = masked_fill(all_losses, ignored, 0.0, where);
  const Tensor total = sum(weights, {}, false, where);
  Tensor y = weighted;
  if (options.reduction != Reduction::none) y = sum(weighted, {}, false, where);
  if (options.reduction == Reduction::mean) y = y / total;  // of no target that counts: 0 / 0, NaN

  if (auto* node = record<CrossEntropy>(y, {&x}, where)) {
    const bool is_mean = options.reduction == Reduction::mean;
    const Tensor one = ones({rows}, x.dtype(), where);
    node->x = node->save(x);
    node->target = node->save(target);
    node->options = options;
    node->classes = classes;
    node->at_target = is_mean ? masked_fill(at_target / total, ignored, 0.0, where) : at_target;
    node->peak = peak;
    node->log_total = log_total;
    node->share = share;
    if (is_smooth) node->counts = masked_fill(is_mean ? one / total : one, ignored, 0.0, where);
  }
  return y;
}

}  // namespace

// With classes in the middle, composed: the derivative is that of the parts.
Tensor cross_entropy(const Tensor& logits, const Tensor& target, const CrossEntropyOptions& options, Where where) {
  check_classification("cross_entropy", logits, target, options.weight, where);
  const double smoothing = options.label_smoothing;
  if (!(smoothing >= 0.0 && smoothing <= 1.0)) {
    fail(ErrorId::bad_argument, "cross_entropy", where, fmt::format("label_smoothing is {}", smoothing),
         "use a share of the target from 0 to 1");
  }
  if (logits.dim() == 2) return cross_entropy_of_rows(logits, target, options, where);
  const std::int64_t count = logits.shape()[1];
  const Tensor ignored = is_ignored(target, options.ignore_index, where);
  const Tensor classes = classes_of("cross_entropy", target, ignored, count, where);

  const Tensor log_probs = log_softmax(without_ignored(logits, ignored, where), 1, where);
  const NllOptions nll_options{options.weight, options.ignore_index, options.reduction};
  const Tensor loss = nll_loss(log_probs, target, nll_options, where);
  if (smoothing == 0.0) return loss;

  // The rest of the target lies on all classes alike: its loss is -sum_c weight[c] * log_probs[c].
  Tensor weighted = log_probs;  // [batch, classes, ..]
  if (options.weight.defined()) {
    Shape along_classes;
    for (int dim = 0; dim < logits.dim(); ++dim) along_classes.push_back(dim == 1 ? count : 1);
    const Tensor weight = reshape(options.weight.detach(), along_classes, where);
    weighted = mul({log_probs, where}, {weight, where});
  }
  const Tensor per_target = neg(sum(weighted, 1, false, where), where);  // [batch, ..]
  Tensor smooth = masked_fill(per_target, ignored, 0.0, where);
  if (options.reduction != Reduction::none) smooth = sum(smooth, {}, false, where);
  if (options.reduction == Reduction::mean) {
    const Tensor weights = weights_of(classes, ignored, options.weight, logits.dtype(), where);
    const Tensor total = sum(weights, {}, false, where);
    smooth = div({smooth, where}, {total, where});
  }
  const double share = smoothing / static_cast<double>(count);
  const Tensor on_target = mul({loss, where}, {1.0 - smoothing, where});
  const Tensor on_all = mul({smooth, where}, {share, where});
  return add({on_target, where}, {on_all, where});
}

}  // namespace autograd
