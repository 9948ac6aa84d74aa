// Mistakes in losses and in dropout.

#include "tests/autograd/ops/op_mistakes.h"

using namespace autograd;

namespace op_mistakes {
namespace {

bool is_reduced(In run) {
  return run.y.dim() == 0;
}

// In how many places the gradient arrives: the targets that count.
double counted_targets(In run) {
  return (run.right[0] != 0.0).sum().item();
}

// How many targets there are.
double all_targets(In run) {
  return as_double(run.x[0].numel()) / as_double(run.x[0].size(1));
}

// Of a reduced loss; another is right.
WrongBackward if_reduced(const std::function<double(In run)>& factor) {
  return dx([=](In run) { return is_reduced(run) ? run.right[0] * factor(run) : run.right[0]; });
}

// What dropout multiplies each element by.
Tensor keep_of(In run) {
  return run.y / run.x[0];
}

Mistakes classification_mistakes() {
  const auto by_classes = [](In run) { return 1.0 / as_double(run.x[0].size(1)); };
  const auto by_all = [](In run) { return counted_targets(run) / all_targets(run); };
  const auto same_weight_for_all = [](In run) {
    return where(run.right[0] != 0.0, sum(run.right[0]) / counted_targets(run), 0.0);
  };
  const auto next_class = [](In run) {
    const std::int64_t last = run.x[0].size(1) - 1;
    return cat({run.right[0].narrow(1, last, 1), run.right[0].narrow(1, 0, last)}, 1);
  };
  const auto every_class = [](In run) { return run.right[0].sum(1, true).expand(run.x[0].shape()); };
  return {
      {"nll_loss", "S14 1/n forgotten", if_reduced(counted_targets)},
      {"nll_loss", "S15 minus sign lost", scaled(-1.0)},
      {"nll_loss", "S18 upstream not multiplied", upstream_not_multiplied()},
      {"nll_loss", "S19 divided by n times the classes", if_reduced(by_classes)},
      {"nll_loss", "S21 divided by all targets, not by those that count", if_reduced(by_all)},
      {"nll_loss", "class weights forgotten", dx(same_weight_for_all)},
      {"nll_loss", "gradient to the next class", dx(next_class)},
      {"nll_loss", "gradient to every class", dx(every_class)},
  };
}

// Where the targets are that count: there alone the loss falls when the score rises.
Tensor at_targets(In run) {
  return run.right_for(ones_like(run.dy))[0] < 0.0;
}

}  // namespace

Mistakes cross_entropy_mistakes() {
  const auto all_rows = [](In run) { return at_targets(run).to(run.dy.dtype()).sum().item(); };
  const auto targets_only = [](In run) { return where(at_targets(run), run.right[0], 0.0); };
  const auto softmax_only = [](In run) {
    const Tensor p = run.x[0].softmax(1);
    return where(at_targets(run), run.right[0] * p / (p - 1.0), run.right[0]);
  };
  return {
      {"cross_entropy", "1/n forgotten", if_reduced(all_rows)},
      {"cross_entropy", "minus sign lost", scaled(-1.0)},
      {"cross_entropy", "upstream not multiplied", upstream_not_multiplied()},
      {"cross_entropy", "gradient at the targets only", dx(targets_only)},
      {"cross_entropy", "1 at the target forgotten", dx(softmax_only)},
  };
}

namespace {

Mistakes squared_error_mistakes() {
  const auto not_divided = [](const Tensor& right, In run) {
    return is_reduced(run) ? right * as_double(run.x[0].numel()) : right;
  };
  const auto sign_only = [](const Tensor& right, In run) { return run.dy * sign(right * sign(run.dy)); };
  return {
      {"mse_loss", "factor 2 forgotten", scaled(0.5)},
      {"mse_loss", "sign of the difference turned round", scaled(-1.0)},
      {"mse_loss", "1/n forgotten", each(not_divided)},
      {"mse_loss", "target gets the gradient of the input", db([](In run) { return run.right[0]; })},
      {"mse_loss", "upstream not multiplied", upstream_not_multiplied()},
      {"mse_loss", "sign of the difference instead of the difference", each(sign_only)},
  };
}

Mistakes entropy_mistakes() {
  return {
      {"xlogx", "1 of the product rule forgotten", dx([](In run) { return run.dy * log(run.x[0]); })},
      {"xlogx", "log(x) forgotten", dx([](In run) { return run.dy; })},
      {"xlogx", "upstream not multiplied", upstream_not_multiplied()},
  };
}

Mistakes dropout_mistakes() {
  return {
      {"dropout", "nothing dropped in backward", dx([](In run) { return run.dy; })},
      {"dropout", "scale 1 / (1 - p) forgotten", dx([](In run) { return where(keep_of(run) > 0.0, run.dy, 0.0); })},
      {"dropout", "what was kept is dropped", dx([](In run) { return where(keep_of(run) > 0.0, 0.0, run.dy); })},
      {"dropout", "scaled twice", dx([](In run) { return run.right[0] * keep_of(run); })},
  };
}

}  // namespace

Mistakes loss_mistakes() {
  return joined({classification_mistakes(), squared_error_mistakes(), entropy_mistakes(), dropout_mistakes()});
}

}  // namespace op_mistakes
