#include <judge/check.h>
#include <nn/optim/adam.h>

#include "given.h"

const Axes judge::axes = {{"batch", 2},   {"words", 7},    {"source", 5},   {"decoder", 3},
                          {"encoder", 4}, {"features", 6}, {"attention", 8}};

namespace {

// How far the scores of the built weights are from the dot products, relative to the largest of these.
double dot_error(const AdditiveWeights& built, const Tensor& query, const Tensor& keys, const Tensor& W_q,
                 const Tensor& W_k) {
  const Tensor wanted = given::dot_scores(query, keys, W_q, W_k);
  return (abs(given::additive_scores(query, keys, built) - wanted).amax() / abs(wanted).amax()).item();
}

std::vector<double> as_numbers(const ScoreCost& cost) {
  return {static_cast<double>(cost.multiply_adds), static_cast<double>(cost.tanhs), static_cast<double>(cost.numbers)};
}

// ---- a small task: say the sentence backwards -------------------------------------------------------------------

constexpr std::int64_t vocabulary = 10;
constexpr std::int64_t length = 8;
constexpr std::int64_t model = 16;

Tensor parameter(const autograd::Shape& shape) {
  return (0.3 * autograd::randn(shape, autograd::float64)).requires_grad_();
}

// Words and positions, one attention, and a linear layer: no recurrence anywhere.
struct Reverser {
  Tensor words = parameter({vocabulary, model});
  Tensor positions = parameter({length, model});
  Tensor W_q = parameter({model, model});
  Tensor W_k = parameter({model, model});
  Tensor W_v = parameter({model, model});
  Tensor v = parameter({model});  // of the additive one
  Tensor output = parameter({vocabulary, model});

  std::vector<Tensor> parameters() const { return {words, positions, W_q, W_k, W_v, v, output}; }
  Tensor logits(const Answer& answer, const Tensor& ids, bool additive) const {
    const Tensor x = autograd::embedding(words, ids) + positions;
    return linear(additive ? additive_attention(x) : answer.self_attention(x, {W_q, W_k, W_v}), output);
  }

 private:
  Tensor additive_attention(const Tensor& x) const {
    const Tensor sums = linear(x, W_q).unsqueeze(2) + linear(x, W_k).unsqueeze(1);  // [batch, query, key, model]
    return matmul(softmax(matmul(tanh(sums), v), -1), linear(x, W_v));
  }
};

double accuracy_after_training(const Answer& answer, bool additive) {
  autograd::manual_seed(2);
  const Reverser reverser;
  nn::Adam optimizer(reverser.parameters(), {.lr = 0.01});
  for (int step = 0; step < 600; ++step) {
    const Tensor ids = autograd::randint(0, vocabulary, {16, length});
    optimizer.zero_grad();
    const Tensor logits = reverser.logits(answer, ids, additive);
    cross_entropy(logits.flatten(0, 1), flip(ids, {1}).flatten(0, 1)).backward();
    optimizer.step();
  }
  const autograd::NoGradGuard no_grad;
  const Tensor ids = autograd::randint(0, vocabulary, {200, length});
  const Tensor said = reverser.logits(answer, ids, additive).argmax(-1);
  return (said == flip(ids, {1})).to(autograd::float64).mean().item();
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const Tensor query = check.randn("query", {"decoder"});
  const Tensor keys = check.randn("keys", {"source", "encoder"});
  const AdditiveWeights additive{check.randn("W", {"attention", "decoder"}), check.randn("U", {"attention", "encoder"}),
                                 check.randn("bias", {"attention"}), check.randn("v", {"attention"})};
  check.compare("linear_scores", answer.linear_scores(query, keys, additive));
  std::vector<double> errors;
  for (const double scale : {0.1, 0.05}) errors.push_back(answer.linear_error(query, keys, additive, scale));
  check.compare("linear_error at scale 0.1 and 0.05", errors);
  // The same errors with the other sign.
  check.compare("linear_error of -v",
                answer.linear_error(query, keys, {additive.W, additive.U, additive.bias, -additive.v}, 0.1));

  const Tensor W_q = check.randn("W_q", {"features", "decoder"});
  const Tensor W_k = check.randn("W_k", {"features", "encoder"});
  const AdditiveWeights built = answer.additive_like_dot(W_q, W_k, 0.02);
  // Other constructions than the solution's are right, too, if they come near enough.
  check.compare("scores of additive_like_dot at epsilon 0.02", given::additive_scores(query, keys, built),
                {.tolerance = 2e-2});
  const double error = dot_error(built, query, keys, W_q, W_k);
  const double error_of_half = dot_error(answer.additive_like_dot(W_q, W_k, 0.01), query, keys, W_q, W_k);
  check.require("half of epsilon, much less error", error_of_half < 0.6 * error,
                "with half the epsilon the scores do not come nearer to the dot products");

  check.compare("additive_cost: multiply-adds, tanhs, numbers",
                as_numbers(answer.additive_cost(check.size("words"), 6)));
  check.compare("additive_cost with 9 features", as_numbers(answer.additive_cost(check.size("words"), 9)));
  check.compare("dot_cost: multiply-adds, tanhs, numbers", as_numbers(answer.dot_cost(check.size("words"), 6)));
  check.compare("dot_cost with 9 features", as_numbers(answer.dot_cost(check.size("words"), 9)));
  check.compare("additive_cost of 100000 words", as_numbers(answer.additive_cost(100000, 64)));
  check.compare("dot_cost of 100000 words", as_numbers(answer.dot_cost(100000, 64)));

  const Tensor x = check.randn("x", {"batch", "words", "encoder"});
  const SelfAttentionWeights head{check.randn("head W_q", {"features", "encoder"}),
                                  check.randn("head W_k", {"features", "encoder"}),
                                  check.randn("head W_v", {"features", "encoder"})};
  check.compare("self_attention", answer.self_attention(x, head));
  const Tensor large = check.input("large x", x.detach() * 30.0);  // scores of some thousands
  check.compare("self_attention of a large x", answer.self_attention(large, head));

  if (!check.slow_part()) return;
  check.at_least("accuracy with self-attention", accuracy_after_training(answer, false), 0.95);
  check.at_least("accuracy with additive attention", accuracy_after_training(answer, true), 0.95);
}
