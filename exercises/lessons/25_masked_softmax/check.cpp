#include <judge/check.h>

#include "given.h"

const Axes judge::axes = {{"batch", 4}, {"source", 5}};

namespace {

// Row 0 is full, row 1 ends early, row 2 has no place at all, row 3 has gaps.
Tensor mask_of_all_kinds(Check& check) {
  const std::int64_t source = check.size("source");
  Tensor mask = autograd::zeros({check.size("batch"), source}, autograd::boolean);
  for (std::int64_t n = 0; n < check.size("batch"); ++n) {
    for (std::int64_t j = 0; j < source; ++j) {
      const bool has_token = n == 0 || (n == 1 && j < (source + 1) / 2) || (n == 3 && j % 2 == 0);
      mask.set_({n, j}, has_token ? 1.0 : 0.0);
    }
  }
  return check.input("mask", mask);
}

// Near 1000 in the full row, near -1000 in the others, but for the first word of the row with gaps.
Tensor extreme_scores(Check& check, const Tensor& scores) {
  Tensor level = autograd::full({check.size("batch"), 1}, -1000.0, autograd::float64);
  level.set_({0, 0}, 1000.0);
  Tensor extreme = scores.detach() + level;
  if (check.size("batch") > 3) extreme.set_({3, 0}, 1000.0);
  return check.input("extreme scores", extreme);
}

// What the engine finds when it differentiates the answer; undefined if that does not compute with tensor ops.
Tensor differentiate(const Answer& answer, const Tensor& dy, const Tensor& scores, const Tensor& mask) {
  const Tensor leaf = scores.detach().clone().requires_grad_();
  const Tensor weights = answer.masked_weights(leaf, mask);
  return weights.requires_grad() ? autograd::grad((dy * weights).sum(), {leaf})[0] : Tensor();
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const Tensor scores = check.randn("scores", {"batch", "source"});
  const Tensor dy = check.randn("dy", {"batch", "source"});
  const Tensor mask = mask_of_all_kinds(check);
  const Tensor with_nan = check.input("scores with NaN", scores.detach().masked_fill(logical_not(mask), NAN));
  const Tensor low = check.input("scores near -1000", scores.detach() - 1000.0);
  const Tensor extreme = extreme_scores(check, scores);
  const Tensor large_padding =
      check.input("scores with 2000 at the padding", scores.detach().masked_fill(logical_not(mask), 2000.0));

  const Tensor tokens = mask.to(autograd::float64).sum({1}, true);  // [batch, 1]
  const Tensor padded_rows = logical_and(tokens > 0.0, tokens < static_cast<double>(check.size("source")));
  const std::vector<judge::Region> regions = {{"the rows without any place", tokens == 0.0},
                                              {"the padding", logical_not(mask)},
                                              {"the rows with padding", padded_rows}};
  const auto loss = [=] { return (dy * autograd::masked_softmax(scores, mask)).sum(); };

  const Tensor weights = answer.masked_weights(scores, mask);
  check.compare("weights", weights, {.regions = regions});
  const Tensor sums = where(tokens > 0.0, weights.sum({-1}, true), 1.0);
  check.require("weights sum to 1", autograd::all(abs(sums - 1.0) < 1e-6),
                "there is a row that has places, and its weights do not sum to 1 over the source");
  check.require("the padding has weight 0", autograd::all(weights.masked_fill(mask, 0.0) == 0.0),
                "there is a weight that is not exactly 0 where the mask is false");
  check.compare("weights of scores near 1000 and -1000", answer.masked_weights(extreme, mask), {.regions = regions});
  check.compare("weights of scores near -1000", answer.masked_weights(low, mask), {.regions = regions});
  check.compare("weights with 2000 at the padding", answer.masked_weights(large_padding, mask), {.regions = regions});
  const Tensor opposite = check.input("the opposite mask", logical_not(mask));
  check.compare("weights with the opposite mask", answer.masked_weights(scores, opposite));
  check.compare("weights with NaN in the padding", answer.masked_weights(with_nan, mask), {.regions = regions});

  const Tensor dscores = answer.masked_weights_vjp(dy, scores, mask);
  check.gradient("dscores", dscores, scores, loss, {.regions = regions});
  check.compare("dscores of scores near 1000 and -1000", answer.masked_weights_vjp(dy, extreme, mask),
                {.regions = regions});
  check.compare("dscores with the opposite mask", answer.masked_weights_vjp(dy, scores, opposite));
  check.compare("dscores with NaN in the padding", answer.masked_weights_vjp(dy, with_nan, mask), {.regions = regions});

  if (scores.requires_grad()) return;  // a run that lists the ops of the answer: enough of them
  const Tensor by_engine = differentiate(answer, dy, scores, mask);
  check.require("the engine finds a way back through masked_weights", by_engine.defined(),
                "the engine finds no way from your weights back to the scores: are numbers copied out of a tensor "
                "(to_vector, item, data_ptr)?");
  check.gradient("dscores by the engine", by_engine, scores, loss, {.regions = regions});
  check.compare("dscores by the engine, with NaN in the padding", differentiate(answer, dy, with_nan, mask),
                {.regions = regions});
}
