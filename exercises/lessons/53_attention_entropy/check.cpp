#include <judge/by_hand.h>
#include <judge/check.h>
#include <nn/attention/additive_attention.h>
#include <nn/optim/adam.h>

#include <algorithm>

#include "given.h"

const Axes judge::axes = {{"batch", 2}, {"target", 4}, {"source", 5}};

namespace {

Tensor one_shorter(std::int64_t batch, std::int64_t length) {
  std::vector<std::int64_t> lengths(static_cast<std::size_t>(batch), length);
  if (batch > 1) lengths.back() = std::max<std::int64_t>(1, length - 1);
  return autograd::length_mask(lengths, length);
}

Tensor entropy_of(const Tensor& scores) {
  const Tensor logs = log_softmax(scores, -1);
  return -(exp(logs) * logs).sum({-1});
}

// ---- the experiment: look-ups that are sometimes hard --------------------------------------------------------------

constexpr std::int64_t names = 8;
constexpr std::int64_t positions = 5;
constexpr std::int64_t features = 4;

// Each name has a place in a space of 4 dims; a source shows 5 of them, blurred, and one of these is asked for.
struct Lookups {
  Tensor queries;  // [batch, features]
  Tensor keys;     // [batch, positions, features]
  Tensor wanted;   // [batch]
};

Lookups draw_lookups(const Tensor& places, std::int64_t batch) {
  std::vector<std::int64_t> shown;
  std::vector<std::int64_t> asked;
  std::vector<std::int64_t> wanted;
  for (std::int64_t b = 0; b < batch; ++b) {
    const std::vector<std::int64_t> order = autograd::randperm(names).to_vector<std::int64_t>();
    shown.insert(shown.end(), order.begin(), order.begin() + positions);
    wanted.push_back(autograd::default_generator().integer(0, positions));
    asked.push_back(order[static_cast<std::size_t>(wanted.back())]);
  }
  const Tensor blur = 0.7 * autograd::randn({batch, positions, features}, autograd::float64);
  return {autograd::embedding(places, autograd::ids(asked, {batch})),
          autograd::embedding(places, autograd::ids(shown, {batch, positions})) + blur, autograd::ids(wanted, {batch})};
}

struct Measured {
  double accuracy = 0.0;
  double gap = 0.0;
};

Measured train_and_measure(const Answer& answer) {
  autograd::manual_seed(5);
  const Tensor places = autograd::randn({names, features}, autograd::float64);
  nn::AdditiveAttention attention({.decoder_dim = features,
                                   .encoder_dim = features,
                                   .attention_dim = 24,
                                   .bias = true,
                                   .dtype = autograd::float64});
  nn::Adam optimizer(attention.parameters(), {.lr = 0.02});
  for (int step = 0; step < 500; ++step) {
    const Lookups batch = draw_lookups(places, 32);
    optimizer.zero_grad();
    cross_entropy(attention.scores(batch.queries, attention.precompute(batch.keys)), batch.wanted).backward();
    optimizer.step();
  }
  const autograd::NoGradGuard no_grad;
  const Lookups test = draw_lookups(places, 1000);
  const Tensor weights = attention(test.queries, test.keys).weights;
  const Tensor right = weights.argmax(-1) == test.wanted;
  return {right.to(autograd::float64).mean().item(), answer.entropy_gap(answer.entropy(weights), right)};
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const Tensor logits = check.randn("logits", {"batch", "target", "source"});
  const Tensor words = check.input("words", one_shorter(check.size("batch"), check.size("source")));
  const Tensor weights = check.input("weights", autograd::masked_softmax(logits.detach(), words.unsqueeze(1)));
  check.compare("entropy", answer.entropy(weights));
  if (check.at_usual_sizes()) {
    const Tensor extremes = check.input(
        "extremes",
        autograd::tensor({{0.0, 1.0, 0.0, 0.0}, {0.25, 0.25, 0.25, 0.25}, {0.5, 0.5, 0.0, 0.0}}, autograd::float64));
    check.compare("entropy of a certain row, an even one, a half one", answer.entropy(extremes));
    const Tensor small =
        check.input("small weights", autograd::tensor({{0.5 - 3e-8, 0.5, 1e-8, 2e-8}}, autograd::float64));
    check.compare("entropy with small weights", answer.entropy(small));
  }

  const Tensor scores = check.randn("scores", {"batch", "source"});
  const Tensor d_entropy = check.randn("d_entropy", {"batch"});
  const Tensor given_weights = check.input("weights of the scores", scores.detach().softmax(-1));
  check.gradient("d_scores", judge::by_hand([&] { return answer.entropy_backward(d_entropy, given_weights); }), scores,
                 [=] { return (d_entropy * entropy_of(scores)).sum(); });
  for (const double beta : {0.5, 2.0}) {
    const Tensor betas = autograd::full({check.size("batch")}, beta, autograd::float64);
    check.gradient(beta < 1.0 ? "entropy_slope at beta 0.5" : "entropy_slope at beta 2",
                   judge::by_hand([&] { return answer.entropy_slope(scores, beta); }), betas,
                   [=] { return entropy_of(betas.unsqueeze(1) * scores).sum(); });
  }

  // A number added to all scores changes no weight, and no difference of scores.
  const Tensor high = check.input("high scores", scores.detach() + 1e5);
  check.compare("entropy_slope of high scores", answer.entropy_slope(high, 2.0));

  const Tensor real_steps = check.input("real_steps", one_shorter(check.size("batch"), check.size("target")));
  for (const double at_least : {0.0, 0.3, 0.6, 0.9}) {
    check.compare(at_least == 0.0   ? "covered_share at 0"
                  : at_least == 0.3 ? "covered_share at 0.3"
                  : at_least == 0.6 ? "covered_share at 0.6"
                                    : "covered_share at 0.9",
                  answer.covered_share(weights, real_steps, words, at_least), {.may_be_zero = true});
  }

  if (check.at_usual_sizes()) {
    // Exact in binary: the first two words get 0.75, no more and no less.
    const Tensor quarters =
        check.input("weights in quarters", autograd::tensor({{0.5, 0.25, 0.25}, {0.25, 0.5, 0.25}}, autograd::float64))
            .unsqueeze(0);
    check.compare("covered_share of words that get exactly at_least",
                  answer.covered_share(quarters, autograd::ones({1, 2}) == 1.0, autograd::ones({1, 3}) == 1.0, 0.75));

    const Tensor entropies =
        check.input("entropies", autograd::tensor({0.2, 1.1, 0.4, 0.9, 0.3, 0.1, 1.3, 0.5}, autograd::float64));
    const Tensor right = check.input("right", autograd::mask({true, false, true, true, true, true, false, true}));
    check.compare("entropy_gap", answer.entropy_gap(entropies, right));
  }

  // Last, as a dim that is not there ends the run.
  check.compare("entropy of one row alone", answer.entropy(weights[0][0]));

  if (!check.slow_part()) return;
  const Measured measured = train_and_measure(answer);
  check.at_least("accuracy of the trained look-up", measured.accuracy, 0.7);
  check.at_most("accuracy (some must be wrong)", measured.accuracy, 0.97);
  check.at_least("entropy of wrong answers minus that of right ones", measured.gap, 0.2);
}
