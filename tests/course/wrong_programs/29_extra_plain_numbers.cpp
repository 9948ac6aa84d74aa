// Wrong (extra): reverse_tokens copies plain numbers, so that the engine cannot differentiate through it: half of the
// gradient is missing.
#include "given.h"

Encoded run_masked(const Tensor& x, const Lengths& lengths, const RnnWeights& weights) {
  const std::int64_t time = x.size(1);
  const Tensor mask = autograd::length_mask(lengths, time);
  const Tensor clean = x.masked_fill(logical_not(mask).unsqueeze(2), 0.0);
  Tensor h = autograd::zeros({x.size(0), weights.weight_hh.size(0)}, x.dtype());
  std::vector<Tensor> states;
  for (std::int64_t t = 0; t < time; ++t) {
    const Tensor has_token = mask.narrow(1, t, 1);
    h = where(has_token, rnn_step(clean.select(1, t), h, weights), h);
    states.push_back(h.masked_fill(logical_not(has_token), 0.0));
  }
  return {autograd::stack(states, 1), h};
}

Tensor reverse_tokens(const Tensor& x, const Lengths& lengths) {
  const std::int64_t time = x.size(1);
  const std::int64_t features = x.size(2);
  const std::vector<double> from = x.to_vector();
  std::vector<double> to = from;
  for (std::int64_t n = 0; n < x.size(0); ++n) {
    const std::int64_t length = lengths[static_cast<std::size_t>(n)];
    for (std::int64_t t = 0; t < length; ++t) {
      for (std::int64_t f = 0; f < features; ++f) {
        to[static_cast<std::size_t>((n * time + t) * features + f)] =
            from[static_cast<std::size_t>((n * time + length - 1 - t) * features + f)];
      }
    }
  }
  return autograd::from_vector(to, x.shape(), x.dtype());
}

Encoded run_both(const Tensor& x, const Lengths& lengths, const RnnWeights& forward, const RnnWeights& backward) {
  const Encoded left = run_masked(x, lengths, forward);
  const Encoded right = run_masked(reverse_tokens(x, lengths), lengths, backward);
  probe("from_right", right.states);
  return {autograd::cat({left.states, reverse_tokens(right.states, lengths)}, 2),
          autograd::cat({left.last, right.last}, 1)};
}
