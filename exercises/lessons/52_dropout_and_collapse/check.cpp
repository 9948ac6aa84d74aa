#include <judge/by_hand.h>
#include <judge/check.h>
#include <nn/optim/adam.h>

#include <algorithm>
#include <cmath>

#include "given.h"

const Axes judge::axes = {{"query", 4}, {"source", 5}, {"in", 3}, {"out", 7}};

namespace {

std::string name_of(Diagnosis diagnosis) {
  switch (diagnosis) {
    case Diagnosis::healthy: return "healthy";
    case Diagnosis::collapsed: return "collapsed";
    case Diagnosis::undecided: return "undecided";
    case Diagnosis::stuck: return "stuck";
  }
  return "none of the four";
}

// Rows of 5, 3, 1 and 4 words.
Tensor some_mask(std::int64_t queries, std::int64_t source) {
  const std::int64_t missing[] = {0, 2, 4, 1};
  std::vector<std::int64_t> lengths;
  for (std::int64_t q = 0; q < queries; ++q) lengths.push_back(std::max<std::int64_t>(1, source - missing[q % 4]));
  return autograd::length_mask(lengths, source);
}

// ---- the experiment: the wanted name stands at two of six places
// -----------------------------------------------------

constexpr std::int64_t names = 8;
constexpr std::int64_t places = 6;

struct Lookups {
  Tensor queries;  // [batch, names]
  Tensor keys;     // [batch, places, names + places]
  Tensor wanted;   // [batch, places], 1 at the two right places
};

Lookups draw_lookups(std::int64_t batch) {
  std::vector<std::int64_t> shown;
  std::vector<std::int64_t> asked;
  for (std::int64_t b = 0; b < batch; ++b) {
    std::vector<std::int64_t> some = autograd::randperm(names).to_vector<std::int64_t>();
    some.resize(places);
    some.back() = some[static_cast<std::size_t>(autograd::default_generator().integer(0, places - 1))];
    asked.push_back(some.back());
    const auto order = autograd::randperm(places).to_vector<std::int64_t>();
    for (const std::int64_t place : order) shown.push_back(some[static_cast<std::size_t>(place)]);
  }
  const Tensor shown_ids = autograd::ids(shown, {batch, places});
  const Tensor name_vectors = autograd::eye(names, autograd::float64);
  const Tensor place_vectors = autograd::eye(places, autograd::float64).unsqueeze(0).expand({batch, places, places});
  const Tensor keys = autograd::cat({autograd::embedding(name_vectors, shown_ids), place_vectors}, 2);
  return {autograd::embedding(name_vectors, autograd::ids(asked, {batch})), keys,
          (shown_ids == autograd::ids(asked, {batch, 1})).to(autograd::float64)};
}

// One score network, its matrices drawn with the learner's glorot_uniform and multiplied by `scale`.
class Model {
 public:
  Model(const Answer& answer, double scale) {
    for (const autograd::Shape& shape :
         {autograd::Shape{16, names}, autograd::Shape{16, names + places}, autograd::Shape{1, 16}}) {
      const Tensor matrix = answer.glorot_uniform(autograd::rand(shape, autograd::float64)) * scale;
      parameters.push_back(matrix.detach().requires_grad_());
    }
  }
  Tensor weights(const Lookups& lookups) const {
    const Tensor query = linear(lookups.queries, parameters[0]).unsqueeze(1);
    const Tensor hidden = tanh(query + linear(lookups.keys, parameters[1]));
    return linear(hidden, parameters[2]).squeeze(-1).softmax(-1);
  }
  double gradient_norm() const {
    double squares = 0.0;
    for (const Tensor& p : parameters) squares += (p.grad() * p.grad()).sum().item();
    return std::sqrt(squares);
  }
  std::vector<Tensor> parameters;
};

struct Trained {
  double found = 0.0;    // attention on the wanted name
  double largest = 0.0;  // mean of the largest weight; 0.5 would be even over the two places
  Diagnosis at_start = Diagnosis::healthy;
};

Trained train(const Answer& answer, double scale, double p) {
  autograd::manual_seed(1);
  const Model model(answer, scale);
  nn::Adam optimizer(model.parameters, {.lr = 0.02});
  Trained trained;
  for (int step = 0; step < 200; ++step) {
    const Lookups batch = draw_lookups(32);
    const Tensor weights = model.weights(batch);
    const Tensor keep = autograd::bernoulli(1.0 - p, {32, places}, autograd::float64) > 0.0;
    const Tensor output = (answer.attention_dropout(weights, keep, p) * batch.wanted).sum({1});
    optimizer.zero_grad();
    (1.0 - output).pow(2.0).mean().backward();
    if (step == 0) trained.at_start = answer.diagnose(weights.detach(), batch.wanted >= 0.0, model.gradient_norm());
    optimizer.step();
  }
  const autograd::NoGradGuard no_grad;
  const Lookups test = draw_lookups(500);
  const Tensor weights = model.weights(test);
  trained.found = (weights * test.wanted).sum({1}).mean().item();
  trained.largest = weights.amax({1}).mean().item();
  return trained;
}

void run_experiment(const Answer& answer, Check& check) {
  const Trained zeros = train(answer, 0.0, 0.0);
  check.at_most("from zeros: attention on the wanted name", zeros.found, 0.34);
  check.require("from zeros: stuck", zeros.at_start == Diagnosis::stuck,
                "your diagnosis is " + name_of(zeros.at_start));
  const Trained glorot = train(answer, 1.0, 0.0);
  check.at_least("from Glorot: attention on the wanted name", glorot.found, 0.9);
  check.require("from Glorot: undecided", glorot.at_start == Diagnosis::undecided,
                "your diagnosis is " + name_of(glorot.at_start));
  const Trained huge = train(answer, 30.0, 0.0);
  check.at_most("from 30 times Glorot: attention on the wanted name", huge.found, 0.8);
  check.require("from 30 times Glorot: collapsed", huge.at_start == Diagnosis::collapsed,
                "your diagnosis is " + name_of(huge.at_start));
  check.at_least("from 5 times Glorot: the largest weight", train(answer, 5.0, 0.0).largest, 0.65);
  check.at_most("from 5 times Glorot with dropout: the largest weight", train(answer, 5.0, 0.2).largest, 0.62);
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const Tensor mask = check.input("mask", some_mask(check.size("query"), check.size("source")));
  const Tensor logits = check.randn("logits", {"query", "source"});
  const Tensor weights = check.input("weights", autograd::masked_softmax(logits.detach(), mask));
  const Tensor d_weights = check.randn("d_weights", {"query", "source"});
  check.compare("entropy_share", answer.entropy_share(weights, mask));
  check.compare("softmax_gain", answer.softmax_gain(weights, d_weights));

  if (check.at_usual_sizes()) {
    // Each row certain, of another word; each row even; three rows even and one certain.
    const Tensor all = check.input("no padding", autograd::length_mask({4, 4, 4, 4}, 4));
    const Tensor certain = check.input("certain", autograd::eye(4, autograd::float64));
    const Tensor even = check.input("even", autograd::full({4, 4}, 0.25, autograd::float64));
    const Tensor first_row = autograd::arange(4, autograd::int64).unsqueeze(1) == 0;
    const Tensor mixed = check.input("mixed", where(first_row, certain, even));
    check.text("diagnosis of rows that are certain", name_of(answer.diagnose(certain, all, 0.3)));
    check.text("diagnosis of rows that are certain, without gradient", name_of(answer.diagnose(certain, all, 0.0)));
    check.text("diagnosis of one certain row in four, without gradient", name_of(answer.diagnose(mixed, all, 0.0)));
    check.text("diagnosis of even rows without gradient", name_of(answer.diagnose(even, all, 0.0)));
    check.text("diagnosis of even rows with a gradient", name_of(answer.diagnose(even, all, 0.02)));
    check.text("diagnosis of one certain row in four", name_of(answer.diagnose(mixed, all, 0.02)));
    const Tensor one_even = check.input("one even", where(first_row, even, certain));
    check.text("diagnosis of one even row in four", name_of(answer.diagnose(one_even, all, 0.02)));
    check.text("diagnosis of even rows with a gradient of 1e-12", name_of(answer.diagnose(even, all, 1e-12)));
    check.text("diagnosis of even rows with a gradient of 1e-13", name_of(answer.diagnose(even, all, 1e-13)));
    // Shares of 0.06, 0.13, 0.88 and 0.94, next to the bounds.
    std::string near_the_bounds;
    for (const std::int64_t even_rows : {1, 2, 14, 15}) {
      const Tensor is_even = autograd::arange(16, autograd::int64).unsqueeze(1) < even_rows;
      const Tensor first_word = (autograd::arange(4, autograd::int64) == 0).to(autograd::float64);
      const Tensor some_even = where(is_even, 0.25, first_word);
      near_the_bounds += (even_rows == 1 ? "" : ", ") + name_of(answer.diagnose(some_even, some_even >= 0.0, 0.02));
    }
    check.text("diagnosis with 1, 2, 14 and 15 of 16 rows even", near_the_bounds);
  }

  const double p = 0.25;
  std::vector<double> kept;  // two of three, in every row
  for (std::int64_t i = 0; i < mask.numel(); ++i) kept.push_back(i % 3 == 0 ? 0.0 : 1.0);
  const Tensor keep = check.input("keep", autograd::from_vector(kept, mask.shape(), autograd::float64) > 0.0);
  check.compare("attention_dropout", answer.attention_dropout(weights, keep, p));
  const Tensor through_dropout = judge::by_hand([&] { return answer.attention_dropout_backward(d_weights, keep, p); });
  check.gradient("attention_dropout_backward", through_dropout, weights,
                 [=] { return (where(keep, weights / (1.0 - p), 0.0) * d_weights).sum(); });
  check.compare("attention_dropout with p = 0.5", answer.attention_dropout(weights, keep, 0.5));
  check.compare("attention_dropout_backward with p = 0.5",
                judge::by_hand([&] { return answer.attention_dropout_backward(d_weights, keep, 0.5); }));
  const Tensor uniform = check.uniform("uniform", {"out", "in"}, 0.0, 1.0);
  check.compare("glorot_uniform", answer.glorot_uniform(uniform));

  if (check.slow_part()) run_experiment(answer, check);
}
