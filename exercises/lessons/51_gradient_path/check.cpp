#include <judge/by_hand.h>
#include <judge/check.h>

#include <cmath>

#include "given.h"

const Axes judge::axes = {{"time", 5}, {"hidden", 4}, {"decoder", 2}, {"attention", 3}};

namespace {

// h_t = tanh(W_hh h_(t-1) + inputs_t) + nudge_t, [time, hidden]. The derivative with respect to nudge_t is that with
// respect to h_t.
Tensor run_encoder(const Tensor& inputs, const Tensor& weight_hh, const Tensor& nudge) {
  std::vector<Tensor> states;
  for (std::int64_t t = 0; t < inputs.size(0); ++t) {
    const Tensor sum = t == 0 ? inputs[0] : inputs[t] + matmul(weight_hh, states.back());
    states.push_back(tanh(sum) + nudge[t]);
  }
  return autograd::stack(states);
}

// The norm of the gradient of the first state, for sources of 4 to 64 words. The entries of W_hh have standard
// deviation scale / sqrt(hidden).
struct Norms {
  std::vector<double> lengths = {4.0, 8.0, 16.0, 32.0, 64.0};
  std::vector<double> without;
  std::vector<double> with;
};

Norms measure(const Answer& answer, double scale) {
  constexpr std::int64_t hidden = 16;
  autograd::manual_seed(11);
  const Tensor weight_hh =
      scale / std::sqrt(static_cast<double>(hidden)) * autograd::randn({hidden, hidden}, autograd::float64);
  const Tensor inputs = 0.5 * autograd::randn({64, hidden}, autograd::float64);
  const Tensor d_output = autograd::randn({hidden}, autograd::float64);
  const Tensor query = autograd::randn({4}, autograd::float64);
  const AttentionWeights weights{0.5 * autograd::randn({8, 4}, autograd::float64),
                                 0.25 * autograd::randn({8, hidden}, autograd::float64),
                                 0.3 * autograd::randn({8}, autograd::float64)};
  Norms norms;
  for (const double length : norms.lengths) {
    const auto time = static_cast<std::int64_t>(length);
    const Tensor nothing = autograd::zeros({time, hidden}, autograd::float64);
    const Tensor states = run_encoder(inputs.narrow(0, 0, time), weight_hh, nothing);
    norms.without.push_back(answer.without_attention(d_output, states, weight_hh)[0].norm().item());
    norms.with.push_back(answer.with_attention(d_output, query, states, weights, weight_hh)[0].norm().item());
  }
  return norms;
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const Tensor inputs = check.randn("inputs", {"time", "hidden"});
  const Tensor weight_hh = check.randn("W_hh", {"hidden", "hidden"});
  const Tensor nudge = autograd::zeros({check.size("time"), check.size("hidden")}, autograd::float64);
  const Tensor states = check.input("states", run_encoder(inputs.detach(), weight_hh.detach(), nudge).clone());
  const Tensor query = check.randn("query", {"decoder"});
  const AttentionWeights weights{check.randn("W", {"attention", "decoder"}), check.randn("U", {"attention", "hidden"}),
                                 check.randn("v", {"attention"})};
  const Tensor direct = check.randn("direct", {"time", "hidden"});
  const Tensor d_output = check.randn("d_output", {"hidden"});
  const auto nudged = [=] { return run_encoder(inputs, weight_hh, nudge); };

  check.gradient("through_time", judge::by_hand([&] { return answer.through_time(direct, states, weight_hh); }), nudge,
                 [=] { return (direct * nudged()).sum(); });
  check.gradient("without_attention",
                 judge::by_hand([&] { return answer.without_attention(d_output, states, weight_hh); }), nudge,
                 [=] { return (d_output * nudged()[-1]).sum(); });
  const Tensor with_attention =
      judge::by_hand([&] { return answer.with_attention(d_output, query, states, weights, weight_hh); });
  check.gradient("with_attention", with_attention, nudge, [=] {
    const Tensor h = nudged();
    return (d_output * matmul(given::attention(query, h, weights), h)).sum();
  });

  if (check.at_usual_sizes()) {
    const std::vector<double> lengths = {1.0, 2.0, 4.0, 8.0};
    check.compare("factor_per_step of 8, 5, 1, 0.02", answer.factor_per_step(lengths, {8.0, 5.0, 1.0, 0.02}));
    check.compare("factor_per_step of 3, 2", answer.factor_per_step({1.0, 3.0}, {3.0, 2.0}));
    check.compare("power_of_length of 8, 5, 1, 0.5", answer.power_of_length(lengths, {8.0, 5.0, 1.0, 0.5}));
    check.compare("power_of_length of 8, 5, 1 at lengths 3, 5, 20",
                  answer.power_of_length({3.0, 5.0, 20.0}, {8.0, 5.0, 1.0}));
    check.compare("factor_per_step of 0.3, 1e-20, 1e-60",
                  answer.factor_per_step({4.0, 16.0, 64.0}, {0.3, 1e-20, 1e-60}));
    check.compare("power_of_length of 0.3, 1e-20, 1e-60",
                  answer.power_of_length({4.0, 16.0, 64.0}, {0.3, 1e-20, 1e-60}));
  }

  if (!check.slow_part()) return;
  const Norms norms = measure(answer, 1.0);
  check.at_most("without attention, factor per step", answer.factor_per_step(norms.lengths, norms.without), 0.95);
  check.at_least("with attention, power of the length", answer.power_of_length(norms.lengths, norms.with), -1.5);
  check.at_most("with attention, power of the length (at most)", answer.power_of_length(norms.lengths, norms.with),
                -0.5);
}
