#include <fmt/format.h>
#include <judge/by_hand.h>
#include <judge/check.h>

#include <algorithm>

#include "given.h"

const Axes judge::axes = {{"batch", 3}, {"source", 4}, {"decoder", 2}, {"encoder", 6}, {"attention", 5}};

namespace {

using autograd::float64;

bool vanishes(const Tensor& x) {
  return all(x.abs() <= 1e-12);
}

// Is every row different from every other?
bool rows_differ(const Tensor& states) {
  for (std::int64_t i = 0; i < states.size(0); ++i) {
    for (std::int64_t j = 0; j < i; ++j) {
      if (all((states[i] - states[j]).abs() <= 1e-3)) return false;
    }
  }
  return true;
}

// What the tape says of the second term, for states [source, encoder] and weights of any kind.
bool second_term_vanishes(const Tensor& dc, const Tensor& states, Check& check) {
  const Tensor leaf = states.detach().clone().unsqueeze(0).contiguous().requires_grad_();
  const Tensor mask = autograd::ones({1, states.size(0)}, float64) == 1.0;
  for (int i = 0; i < 3; ++i) {
    AttentionWeights weights;
    weights.W = autograd::randn({check.size("attention"), check.size("decoder")}, float64);
    weights.U = autograd::randn({check.size("attention"), check.size("encoder")}, float64);
    weights.v = autograd::randn({check.size("attention")}, float64);
    const Tensor s = autograd::randn({1, check.size("decoder")}, float64);
    const AttentionStep step = given::attention_forward(s, leaf, mask, weights);
    const Tensor whole = autograd::grad((dc * step.c).sum(), {leaf})[0];
    const Tensor as_value = step.alpha.detach().unsqueeze(2) * dc.detach();
    if (!all((whole - as_value).abs() <= 1e-10)) return false;
  }
  return true;
}

bool are_silent(const Answer& answer, const Tensor& dc, std::int64_t source, Check& check) {
  const Tensor silent = answer.silent_states(dc, source);
  return silent.shape() == autograd::Shape{source, dc.size(0)} && rows_differ(silent) &&
         second_term_vanishes(dc, silent, check);
}

// Where states that work for one dc and one length may fail.
void check_more_silent_states(const Answer& answer, const Tensor& dc, Check& check) {
  const std::int64_t encoder = dc.size(0);
  const Tensor units = autograd::eye(encoder, float64);
  bool silent_beside_zero = true;
  bool silent_for_units = true;
  for (std::int64_t k = 0; k < encoder; ++k) {
    const Tensor one_zero = (dc * (1.0 - units[k])).contiguous();
    silent_beside_zero = silent_beside_zero && are_silent(answer, one_zero, check.size("source"), check);
    silent_for_units = silent_for_units && are_silent(answer, units[k].contiguous(), check.size("source"), check);
  }
  check.require("silent_states where one number of dc is 0", silent_beside_zero,
                "where one number of dc is 0, your silent states are alike, or their second term is not 0");
  check.require("silent_states where only one number of dc is not 0", silent_for_units,
                "where only one number of dc is not 0, your silent states are alike, or their second term is not 0");
  const std::int64_t words = 2 * encoder + 1;
  check.require("silent_states of more words than a state has numbers", are_silent(answer, dc, words, check),
                fmt::format("of {} words with states of {} numbers, two of your silent states are alike, or their "
                            "second term is not 0",
                            words, encoder));
}

void check_silent_states(const Answer& answer, const Tensor& dc, Check& check) {
  if (check.size("encoder") == 1) return;  // no direction is left beside dc
  const std::int64_t source = check.size("source");
  const Tensor silent = answer.silent_states(dc, source);
  check.compare("shape of silent_states", std::vector<std::int64_t>(silent.shape().begin(), silent.shape().end()));
  if (!(silent.shape() == check.shape({"source", "encoder"}))) return;
  check.require("silent_states: no two are alike", source == 1 || rows_differ(silent),
                "two of your silent states are the same, up to 0.001");
  check.require("silent_states: the second term is 0", second_term_vanishes(dc, silent, check),
                "with random s, W, U and v the tape gives your silent states a second term that is not 0");
  check_more_silent_states(answer, dc, check);
}

// h_j = tanh(W_hh h_(j-1) + inputs_j) + nudge_j, [batch, source, encoder]. The derivative with respect to nudge_j is
// that with respect to h_j.
Tensor run_encoder(const Tensor& inputs, const Tensor& weight_hh, const Tensor& nudge) {
  std::vector<Tensor> states;
  for (std::int64_t j = 0; j < inputs.size(1); ++j) {
    const Tensor input = inputs.select(1, j);
    const Tensor sum = j == 0 ? input : input + linear(states.back(), weight_hh);
    states.push_back(tanh(sum) + nudge.select(1, j));
  }
  return autograd::stack(states, 1);
}

void check_path(const Answer& answer, const Tensor& s, const Tensor& dc, const AttentionWeights& weights,
                Check& check) {
  const Tensor inputs = check.randn("inputs", {"batch", "source", "encoder"});
  const Tensor weight_hh = check.randn("W_hh", {"encoder", "encoder"});
  const Tensor d_last = check.randn("d_last", {"batch", "encoder"});
  const Tensor nudge = zeros_like(inputs.detach());
  const auto encode = [=] { return run_encoder(inputs, weight_hh, nudge); };
  const Tensor states = check.input("encoded states", encode().detach().clone());
  const Tensor mask = autograd::ones({check.size("batch"), check.size("source")}, float64) == 1.0;
  const AttentionStep step = given::attention_forward(s, states, mask, weights);
  check.gradient("without_attention",
                 judge::by_hand([&] { return answer.without_attention(d_last, states, weight_hh); }), nudge,
                 [=] { return (d_last * encode().select(1, -1)).sum(); });
  check.gradient("with_attention", judge::by_hand([&] { return answer.with_attention(dc, step, weights, weight_hh); }),
                 nudge, [=] { return (dc * given::attention_forward(s, encode(), mask, weights).c).sum(); });
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const Tensor s = check.randn("s", {"batch", "decoder"});
  const Tensor states = check.randn("states", {"batch", "source", "encoder"});
  AttentionWeights weights;
  weights.W = check.randn("W", {"attention", "decoder"});
  // Smaller, so that no hidden unit is so saturated that its slope could be left out unnoticed.
  weights.U = check.uniform("U", {"attention", "encoder"}, -0.5, 0.5);
  weights.v = check.randn("v", {"attention"});
  const Tensor dc = check.randn("dc", {"batch", "encoder"});

  // The first sentence is full, the others end in padding.
  const std::int64_t positions = check.size("source");
  const std::vector<std::int64_t> lengths = {positions, std::max<std::int64_t>(positions - 1, 1),
                                             std::max<std::int64_t>(positions - 2, 1)};
  std::vector<std::int64_t> of_batch;
  for (std::int64_t b = 0; b < check.size("batch"); ++b) of_batch.push_back(lengths[static_cast<std::size_t>(b % 3)]);
  const Tensor mask = autograd::length_mask(of_batch, positions);
  const std::vector<judge::Region> padding = {{"padding", logical_not(mask).unsqueeze(2)}};
  const auto loss = [=] { return (dc * given::attention_forward(s, states, mask, weights).c).sum(); };

  const auto terms_of = [&](const AttentionStep& step) {
    return judge::by_hand([&] { return answer.state_gradients(dc, step, weights); });
  };
  const AttentionStep step = given::attention_forward(s, states, mask, weights);
  check.input("step.hidden", step.hidden);
  check.input("step.alpha", step.alpha);
  check.input("step.c", step.c);
  const StateGradients terms = terms_of(step);
  check.compare("as_value", terms.as_value, {.regions = padding});
  check.compare("as_key", terms.as_key, {.regions = padding});
  if (terms.as_value.defined() && terms.as_key.defined()) {
    check.gradient("their sum, dL/dh", terms.as_value + terms.as_key, states, loss, {.regions = padding});
  }

  // The two special cases.
  const Tensor alike = states.narrow(1, 0, 1).expand(states.shape()).contiguous();
  check.require("all states alike: the second term is 0",
                vanishes(terms_of(given::attention_forward(s, alike, mask, weights)).as_key),
                "with the same state at every position your second term is not 0");
  AttentionStep certain = given::attention_forward(s, states, mask, weights);
  certain.alpha = (autograd::arange(positions) == 0.0).to(float64).expand(mask.shape()).contiguous();
  certain.c = states.select(1, 0).contiguous();
  const StateGradients of_certain = terms_of(certain);
  check.require("one word has all the weight: the second term is 0", vanishes(of_certain.as_key),
                "with alpha = 1, 0, 0, .. your second term is not 0");
  check.compare("as_value where one word has all the weight", of_certain.as_value);

  check_silent_states(answer, dc[0].contiguous(), check);
  check_path(answer, s, dc, weights, check);
}
