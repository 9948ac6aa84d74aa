#include <judge/check.h>

#include <algorithm>

#include "given.h"

const Axes judge::axes = {{"batch", 4}, {"time", 5}, {"classes", 3}};

namespace {

Tensor lengths_as_mask(Check& check) {
  const std::int64_t time = check.size("time");
  std::vector<std::int64_t> lengths = judge::cycled<std::int64_t>({3, time, 1, 2}, check.size("batch"));
  for (std::int64_t& length : lengths) length = std::min(length, time);
  return check.input("mask", autograd::length_mask(lengths, time));
}

// Every id in turn, 0 among the real tokens, too; 0 at the padding.
Tensor targets(Check& check, const Tensor& mask) {
  std::vector<std::int64_t> ids;
  for (const bool is_token : mask.to_vector<bool>()) {
    ids.push_back(is_token ? 2 * static_cast<std::int64_t>(ids.size()) % check.size("classes") : 0);
  }
  return check.input("target", autograd::ids(ids, mask.shape()));
}

// One token, the first, whose right word has the probability 1 to the last digit, so that its loss is 0.
Tensor one_certain(Check& check, const Tensor& logits, const Tensor& target) {
  Tensor changed = logits.detach().clone();
  const auto word = static_cast<std::int64_t>(target.at({0, 0}));
  changed.set_({0, 0, word}, changed.abs().amax().item() + 60.0);
  return check.input("logits that are certain of a token", changed);
}

// Two places of padding more at the end of every sentence.
struct Padded {
  Tensor logits, target, mask;
};

Padded padded(const Tensor& logits, const Tensor& target, const Tensor& mask) {
  Padded more;
  more.logits = autograd::cat({logits.detach(), logits.detach().narrow(1, 0, 1), logits.detach().narrow(1, 0, 1)}, 1);
  const Tensor ids = zeros_like(target.narrow(1, 0, 1));
  more.target = autograd::cat({target, ids, ids}, 1);
  const Tensor nothing = zeros_like(mask.narrow(1, 0, 1));
  more.mask = autograd::cat({mask, nothing, nothing}, 1);
  return more;
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const Tensor logits = check.randn("logits", {"batch", "time", "classes"});
  const Tensor mask = lengths_as_mask(check);
  const Tensor target = targets(check, mask);
  const Tensor dloss = check.input("dloss", autograd::tensor(-1.5, autograd::float64));
  const Tensor padding = logical_not(mask);
  const Tensor with_nan = check.input("logits with NaN", logits.detach().masked_fill(padding.unsqueeze(2), NAN));
  const Tensor certain = one_certain(check, logits, target);
  const std::vector<judge::Region> regions = {{"the padding", padding.unsqueeze(2)}};

  const Tensor loss = answer.mean_token_loss(logits, target, mask);
  check.compare("loss", loss);
  check.compare("loss with NaN in the padding", answer.mean_token_loss(with_nan, target, mask));
  const Tensor everywhere = check.input("mask without padding", logical_or(mask, padding));
  check.compare("loss without padding", answer.mean_token_loss(logits, target, everywhere));
  check.compare("loss where a token is certain", answer.mean_token_loss(certain, target, mask));

  const Tensor dlogits = answer.mean_token_loss_backward(dloss, logits, target, mask);
  const Tensor count = mask.to(autograd::float64).sum();
  check.gradient("dlogits", dlogits, logits,
                 [=] {
                   const Tensor picked = log_softmax(logits, 2).gather(2, target.unsqueeze(2)).squeeze(2);
                   return dloss * -picked.masked_fill(padding, 0.0).sum() / count;
                 },
                 {.regions = regions});
  check.compare("dlogits with NaN in the padding", answer.mean_token_loss_backward(dloss, with_nan, target, mask),
                {.regions = regions});
  check.compare("dlogits without padding", answer.mean_token_loss_backward(dloss, logits, target, everywhere));
  check.compare("dlogits where a token is certain", answer.mean_token_loss_backward(dloss, certain, target, mask),
                {.regions = regions});

  if (logits.requires_grad()) return;  // a run that lists the ops of the answer: enough of them
  const Padded more = padded(logits, target, mask);
  check.require("the loss does not change with more padding",
                autograd::allclose(answer.mean_token_loss(more.logits, more.target, more.mask), loss),
                "two more places of padding at the end of every sentence change your loss");
  const Tensor longer = answer.mean_token_loss_backward(dloss, more.logits, more.target, more.mask);
  check.require("dlogits does not change with more padding",
                autograd::allclose(longer.narrow(1, 0, check.size("time")), dlogits) &&
                    autograd::all(longer.narrow(1, check.size("time"), 2) == 0.0),
                "two more places of padding at the end of every sentence change dlogits, or get a gradient themselves");
}
