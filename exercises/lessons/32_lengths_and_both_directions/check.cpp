#include <judge/check.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "given.h"

const Axes judge::axes = {{"batch", 4}, {"time", 5}, {"input", 2}, {"hidden", 3}};

namespace {

RnnWeights draw_weights(Check& check, const std::string& prefix) {
  return {check.randn(prefix + ".weight_ih", {"hidden", "input"}),
          check.randn(prefix + ".weight_hh", {"hidden", "hidden"}), check.randn(prefix + ".bias", {"hidden"})};
}

// Does each sentence of the batch get what it gets alone, without padding?
bool same_one_by_one(const Answer& answer, const Tensor& x, const Lengths& lengths, const RnnWeights& forward,
                     const RnnWeights& backward, const Encoded& all) {
  bool same = true;
  for (std::int64_t n = 0; n < x.size(0); ++n) {
    const std::int64_t length = lengths[static_cast<std::size_t>(n)];
    const Tensor sentence = x.narrow(0, n, 1).narrow(1, 0, length).clone();
    const Encoded alone = answer.run_both(sentence, {length}, forward, backward);
    same &= autograd::allclose(all.states.narrow(0, n, 1).narrow(1, 0, length), alone.states);
    same &= autograd::allclose(all.last.narrow(0, n, 1), alone.last);
  }
  return same;
}

// The states of one sentence without padding, both directions, step by step: [length, 2 hidden].
Tensor states_of_sentence(const Tensor& x, const RnnWeights& forward, const RnnWeights& backward) {
  const std::int64_t length = x.size(0);
  const Tensor start = autograd::zeros({1, forward.weight_hh.size(0)}, autograd::float64);
  std::vector<Tensor> left(static_cast<std::size_t>(length), start);
  std::vector<Tensor> right = left;
  for (std::int64_t t = 0; t < length; ++t) {
    const auto i = static_cast<std::size_t>(t);
    left[i] = rnn_step(x.narrow(0, t, 1), t > 0 ? left[i - 1] : start, forward);
  }
  for (std::int64_t t = length - 1; t >= 0; --t) {
    const auto i = static_cast<std::size_t>(t);
    right[i] = rnn_step(x.narrow(0, t, 1), t + 1 < length ? right[i + 1] : start, backward);
  }
  return autograd::cat({autograd::cat(left), autograd::cat(right)}, 1);
}

// What the engine finds for the answer; undefined if that does not compute with tensor ops.
struct Gradients {
  Tensor dx, d_weight_ih, d_weight_hh;
};

Gradients differentiate(const Answer& answer, const Tensor& dy, const Tensor& x, const Lengths& lengths,
                        const RnnWeights& forward, const RnnWeights& backward) {
  const auto leaf = [](const Tensor& value) { return value.detach().clone().requires_grad_(); };
  const Tensor x_ = leaf(x);
  const RnnWeights backward_ = {leaf(backward.weight_ih), leaf(backward.weight_hh), leaf(backward.bias)};
  const Tensor states = answer.run_both(x_, lengths, forward, backward_).states;
  if (!states.requires_grad()) return {};
  const auto found =
      autograd::grad((dy * states).sum(), {x_, backward_.weight_ih, backward_.weight_hh}, {.allow_unused = true});
  return {found[0], found[1], found[2]};
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const std::int64_t batch = check.size("batch");
  const std::int64_t time = check.size("time");
  const Tensor x = check.randn("x", {"batch", "time", "input"});
  const RnnWeights forward = draw_weights(check, "forward");
  const RnnWeights backward = draw_weights(check, "backward");
  Lengths lengths;
  for (std::int64_t n = 0; n < batch; ++n) {
    lengths.push_back(std::min((Lengths{3, 5, 1, 2})[static_cast<std::size_t>(n % 4)], time));
  }
  const Tensor padding = logical_not(autograd::length_mask(lengths, time)).unsqueeze(2);
  const Tensor with_nan = check.input("x with NaN in the padding", x.detach().masked_fill(padding, NAN));
  const std::vector<judge::Region> regions = {{"the padding", padding}};

  const Encoded masked = answer.run_masked(x, lengths, forward);
  check.compare("states, left to right", masked.states, {.regions = regions});
  check.compare("last, left to right", masked.last);
  check.compare("reversed tokens", answer.reverse_tokens(x, lengths), {.regions = regions});
  const Encoded both = answer.run_both(x, lengths, forward, backward);
  check.compare("states", both.states, {.regions = regions});
  check.compare("last", both.last);
  check.require("a sentence in the batch is as it is alone",
                same_one_by_one(answer, x, lengths, forward, backward, both),
                "some sentence has other states, or another last state, than when it is alone in its batch");
  Lengths others = lengths;
  std::rotate(others.begin(), others.begin() + 1, others.end());
  const Encoded elsewhere = answer.run_both(x, others, forward, backward);
  check.compare("states with other lengths", elsewhere.states);
  check.compare("last with other lengths", elsewhere.last);
  // One place more, which is padding in the longest sentence, too.
  const Tensor longer = autograd::cat({x.detach(), x.detach().narrow(1, 0, 1)}, 1);
  const Encoded padded = answer.run_both(longer, lengths, forward, backward);
  check.compare("states with one more place of padding", padded.states);
  check.compare("last with one more place of padding", padded.last);
  const Encoded around_nan = answer.run_both(with_nan, lengths, forward, backward);
  check.compare("states with NaN in the padding", around_nan.states, {.regions = regions});
  check.compare("last with NaN in the padding", around_nan.last);

  if (x.requires_grad()) return;  // a run that lists the ops of the answer: enough of them
  const Tensor dy = check.randn("dy", {"batch", "time", judge::Length(2 * check.size("hidden"))});
  const auto loss = [=] {
    Tensor sum = autograd::tensor(0.0, autograd::float64);
    for (std::int64_t n = 0; n < batch; ++n) {
      const std::int64_t length = lengths[static_cast<std::size_t>(n)];
      sum = sum + (dy[n].narrow(0, 0, length) * states_of_sentence(x[n].narrow(0, 0, length), forward, backward)).sum();
    }
    return sum;
  };
  const Gradients gradients = differentiate(answer, dy, x, lengths, forward, backward);
  check.require(
      "the engine finds a way back through run_both",
      gradients.dx.defined() && gradients.d_weight_ih.defined() && gradients.d_weight_hh.defined(),
      "the engine finds no way from your states back to x, or to the second weights: are numbers copied out of "
      "a tensor (to_vector, item, data_ptr), or are these weights not used?");
  check.gradient("dx by the engine", gradients.dx, x, loss, {.regions = regions});
  const Gradients with_nan_around = differentiate(answer, dy, with_nan, lengths, forward, backward);
  check.gradient("d_weight_ih by the engine, with NaN in the padding", with_nan_around.d_weight_ih, backward.weight_ih,
                 loss);
}
