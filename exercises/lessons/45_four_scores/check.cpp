#include <fmt/format.h>
#include <judge/check.h>

#include "given.h"

const Axes judge::axes = {{"batch", 3},     {"source", 4}, {"state", 5},   {"encoder", 6},
                          {"attention", 7}, {"word", 2},   {"features", 8}};

namespace {

void check_dot_products(const Answer& answer, const Tensor& query, Check& check) {
  const Tensor keys = check.randn("keys", {"batch", "source", "state"});
  const Tensor dot = answer.scores({.form = Form::dot}, query, keys);
  check.compare("dot", dot);
  check.compare("scaled dot", answer.scores({.form = Form::scaled_dot}, query, keys));

  if (!check.at_usual_sizes()) return;
  const Tensor many = check.randn("many queries", {2, 64});
  const Tensor far = check.randn("many keys", {2, 150, 64});
  const double variance = autograd::var(answer.scores({.form = Form::scaled_dot}, many, far)).item();
  check.require("scaled scores of random vectors have a variance of about 1", variance > 0.6 && variance < 1.7,
                fmt::format("random vectors with 64 features have scaled scores with a variance of {:.3g}", variance));
}

// state = encoder: W fits both ways round, and only one of them is right.
void check_square_weight(const Answer& answer, const Tensor& query, const Tensor& keys, const Tensor& d_scores,
                         Check& check) {
  const Tensor weight = check.randn("square weight", {"state", "state"});
  check.compare("general, square weight", answer.scores({.form = Form::general, .weight = weight}, query, keys));
  const auto loss = [=] { return (d_scores * bmm(keys, matmul(query, weight).unsqueeze(2)).squeeze(2)).sum(); };
  const GeneralGradients gradients = answer.general_backward(d_scores, query, keys, weight);
  check.gradient("d_query, square weight", gradients.d_query, query, loss);
  check.gradient("d_H, square weight", gradients.d_H, keys, loss);
  check.gradient("d_weight, square weight", gradients.d_weight, weight, loss);
}

void check_general(const Answer& answer, const Tensor& query, const Tensor& H, Check& check) {
  const Tensor weight = check.randn("weight", {"state", "encoder"});
  check.compare("general", answer.scores({.form = Form::general, .weight = weight}, query, H));

  const Tensor keys = check.randn("other keys", {"batch", "source", "state"});
  const Tensor identity = autograd::eye(check.size("state"), autograd::float64);
  const Tensor general = answer.scores({.form = Form::general, .weight = identity}, query, keys);
  const Tensor dot = answer.scores({.form = Form::dot}, query, keys);
  check.require("general with the identity is dot",
                general.defined() && dot.defined() && autograd::allclose(general, dot),
                "with the identity as its weight, your general form gives other scores than your dot form");

  const Tensor d_scores = check.randn("d_scores", {"batch", "source"});
  const auto loss = [=] {
    const Tensor e = bmm(H, matmul(query, weight).unsqueeze(2)).squeeze(2);
    return (d_scores * e).sum();
  };
  const GeneralGradients gradients = answer.general_backward(d_scores, query, H, weight);
  check.gradient("d_query", gradients.d_query, query, loss);
  check.gradient("d_H", gradients.d_H, H, loss);
  check.gradient("d_weight", gradients.d_weight, weight, loss);
  check_square_weight(answer, query, keys, d_scores, check);
}

void check_concat(const Answer& answer, const Tensor& query, const Tensor& H, Check& check) {
  Score score = {.form = Form::concat};
  score.weight = check.randn("weight of concat", {"attention", check.size("state") + check.size("encoder")});
  score.v = check.randn("v", {"attention"});
  check.compare("concat", answer.scores(score, query, H));
}

void check_luong(const Answer& answer, const Tensor& H, Check& check) {
  const std::int64_t state = check.size("state");
  LuongDecoder decoder;
  decoder.score = {.form = Form::general, .weight = check.randn("weight of the step", {"state", "encoder"})};
  decoder.gru = {check.randn("weight_ih", {3 * state, "word"}), check.randn("weight_hh", {3 * state, "state"})};
  decoder.combine = check.randn("combine", {"state", check.size("encoder") + state});
  std::vector<std::int64_t> lengths;
  for (std::int64_t b = 0; b < check.size("batch"); ++b) {
    lengths.push_back(std::max<std::int64_t>(1, check.size("source") - b));
  }
  StepInput in;
  in.word = check.randn("word", {"batch", "word"});
  in.state = check.randn("state", {"batch", "state"});
  in.H = H;
  in.mask = check.input("mask", autograd::length_mask(lengths, check.size("source")));
  const LuongStep step = answer.luong_step(in, decoder);
  check.compare("step: state", step.state);
  check.compare("step: weights", step.weights, {.regions = {{"padding", logical_not(in.mask)}}});
  check.compare("step: context", step.context);
  check.compare("step: attentional", step.attentional);
}

Tensor additive_scores(const AdditiveWeights& weights, const Tensor& query, const Tensor& H) {
  return matmul(tanh(linear(query, weights.W).unsqueeze(1) + linear(H, weights.U) + weights.bias), weights.v);
}

void check_additive_like_dot(const Answer& answer, Check& check) {
  const Tensor query = check.usual_randn("query of the product", {"batch", "state"});
  const Tensor H = check.usual_randn("H of the product", {"batch", "source", "encoder"});
  const Tensor W_q = check.usual_randn("W_q", {"features", "state"});
  const Tensor W_k = check.usual_randn("W_k", {"features", "encoder"});
  const Tensor near = additive_scores(answer.additive_like_dot(W_q, W_k, 0.004), query, H);
  // Other constructions than the solution's are right, too, if they come near enough.
  check.compare("scores of additive_like_dot at epsilon 0.004", near, {.tolerance = 2e-2});

  const double root = std::sqrt(static_cast<double>(check.size("features")));
  const Tensor wanted = bmm(linear(H, W_k), linear(query, W_q).unsqueeze(2)).squeeze(2) / root;
  const Tensor nearer = additive_scores(answer.additive_like_dot(W_q, W_k, 0.002), query, H);
  const auto error = [&](const Tensor& scores) { return abs(scores - wanted).amax().item(); };
  check.require("half of epsilon, much less error", error(nearer) < 0.6 * error(near),
                "with half the epsilon the scores do not come nearer to the dot products");
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const Tensor query = check.randn("query", {"batch", "state"});
  const Tensor H = check.randn("H", {"batch", "source", "encoder"});
  check_dot_products(answer, query, check);
  check_general(answer, query, H, check);
  check_concat(answer, query, H, check);
  check_luong(answer, H, check);
  check_additive_like_dot(answer, check);
}
