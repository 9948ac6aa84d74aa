#include <judge/by_hand.h>
#include <judge/check.h>

#include <algorithm>

#include "given.h"

const Axes judge::axes = {{"batch", 2}, {"target", 4}, {"source", 5}, {"attention", 3}};

namespace {

// The last example of a batch is shorter by one.
Tensor one_shorter(std::int64_t batch, std::int64_t length) {
  std::vector<std::int64_t> lengths(static_cast<std::size_t>(batch), length);
  if (batch > 1) lengths.back() = std::max<std::int64_t>(1, length - 1);
  return autograd::length_mask(lengths, length);
}

Tensor loss_of(const Tensor& attention, const Tensor& real_steps) {
  const Tensor real = real_steps.to(autograd::float64);
  Tensor covered = autograd::zeros({attention.size(0), attention.size(2)}, autograd::float64);
  Tensor total = autograd::tensor(0.0, autograd::float64);
  for (std::int64_t t = 0; t < attention.size(1); ++t) {
    total = total + (minimum(attention.select(1, t), covered).sum({1}) * real.select(1, t)).sum();
    covered = covered + attention.select(1, t);
  }
  return total / real.sum();
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const Tensor query = check.randn("query", {"batch", "target", "attention"});
  const Tensor keys = check.randn("keys", {"batch", "source", "attention"});
  const CoverageWeights weights{check.randn("w_cov", {"attention"}), check.randn("v", {"attention"})};
  const Tensor mask = check.input("mask", one_shorter(check.size("batch"), check.size("source")));
  check.compare("attention", answer.attend_with_coverage(query, keys, weights, mask));

  // No zeros in it: where a weight and its coverage are equal, the loss has no derivative.
  const Tensor logits = check.randn("logits", {"batch", "target", "source"});
  const Tensor attention = check.input("given attention", logits.detach().softmax(-1));
  const Tensor real_steps = check.input("real_steps", one_shorter(check.size("batch"), check.size("target")));
  check.compare("loss", answer.coverage_loss(attention, real_steps));
  const Tensor none_is_shorter = check.input("all steps", real_steps == real_steps);
  check.compare("loss without padding", answer.coverage_loss(attention, none_is_shorter));

  const Tensor d_attention = judge::by_hand([&] { return answer.coverage_loss_backward(attention, real_steps); });
  check.gradient("d_attention", d_attention, attention, [=] { return loss_of(attention, real_steps); },
                 {.regions = {{"steps after the end of a target", logical_not(real_steps).unsqueeze(2)}}});
}
