#include <fmt/format.h>
#include <judge/check.h>

#include "given.h"

const Axes judge::axes = {{"positions", 6}, {"key", 3}, {"state", 2}, {"attention", 5}};

namespace {

Tensor random_values(const autograd::Shape& shape, autograd::Generator& random) {
  std::vector<double> values(static_cast<std::size_t>(shape.numel()));
  for (double& value : values) value = random.normal();
  return autograd::from_vector(values, shape, autograd::float64);
}

std::vector<Score> random_models(std::int64_t count, std::int64_t attention_dim, Check& check) {
  std::vector<Score> models;
  for (std::int64_t i = 0; i < count; ++i) {
    models.push_back({random_values({attention_dim, check.size("state")}, check.random()),
                      random_values({attention_dim, check.size("key")}, check.random()),
                      random_values({attention_dim}, check.random())});
  }
  return models;
}

Tensor scores(const Score& score, const Tensor& s, const Tensor& H) {
  return matmul(tanh(matmul(H, score.U.t()) + matmul(score.W, s)), score.v);
}

void check_without_tanh(const Answer& answer, Check& check) {
  const Tensor H = check.randn("H", {"positions", "key"});
  const Tensor U = check.randn("U", {"attention", "key"});
  const Tensor v = check.randn("v", {"attention"});
  const Tensor weights = answer.weights_without_tanh(H, U, v);
  check.compare("weights without tanh", weights);

  const Score score = {random_values({check.size("attention"), check.size("state")}, check.random()), U, v};
  bool same = true;
  for (int query = 0; query < 3; ++query) {
    const Tensor s = random_values({check.size("state")}, check.random());
    const Tensor e = matmul(matmul(H, U.t()) + matmul(score.W, s), v) + check.random().normal();
    same = same && autograd::allclose(softmax(e, 0), weights);
  }
  check.require("the weights are those of three queries", same,
                "softmax of v . (W s + U h_j) + bias, for three random s and biases, gives other weights than yours");

  // Keys with the same scores, but far from 0: the part that they share is a multiple of U^T v.
  const Tensor along = matmul(U.t(), v);  // [key]
  const Tensor shared = 800.0 * along / (along * along).sum().clamp(1e-12, INFINITY);
  check.compare("weights without tanh at scores around 800", answer.weights_without_tanh(H + shared, U, v));
  check.compare("weights without tanh at scores around -800", answer.weights_without_tanh(H - shared, U, v));
  const Tensor is_first = (autograd::arange(H.size(0)).unsqueeze(1) == 0).to(autograd::float64);  // [positions, 1]
  check.compare("weights without tanh at scores around 800 and -800",
                answer.weights_without_tanh(H + (2.0 * is_first - 1.0) * shared, U, v));
}

void check_sigmoid(const Answer& answer, Check& check) {
  const Tensor H = check.randn("keys", {"positions", "key"});
  const Tensor s = check.randn("s", {"state"});
  const Score score = {check.randn("W", {"attention", "state"}), check.randn("U of with_sigmoid", {"attention", "key"}),
                       check.randn("v of with_sigmoid", {"attention"})};
  const Score turned = answer.with_sigmoid(score);
  const Tensor hidden = sigmoid(matmul(H, turned.U.t()) + matmul(turned.W, s));  // [positions, attention]
  check.compare("weights of with_sigmoid", softmax(matmul(hidden, turned.v), 0));
}

void check_bound(const Answer& answer, Check& check) {
  const Tensor v = check.randn("v of the bound", {"attention"});
  const Tensor small_v = check.input("small v", v.detach() * 0.1);
  const Tensor long_v = check.input("long v", v.detach() * 1000.0);
  const std::int64_t positions = check.size("positions");
  check.compare("largest_possible_weight", answer.largest_possible_weight(v, positions));
  check.compare("largest_possible_weight of a small v", answer.largest_possible_weight(small_v, positions));
  check.compare("largest_possible_weight of a long v", answer.largest_possible_weight(long_v, positions));
}

void check_attention_dim_one(const Answer& answer, Check& check) {
  const Tensor H = check.randn("H of one", {"positions", "key"});
  const Tensor u = check.randn("u", {"key"});
  check.compare("order with v = 1.5", answer.order_for_one(H, u, 1.5), {.may_be_zero = true});
  check.compare("order with v = -0.7", answer.order_for_one(H, u, -0.7), {.may_be_zero = true});

  // A power of two: what is equal stays equal, and no rounding changes the order.
  check.compare("order with u . h_j in the hundreds", answer.order_for_one(256.0 * H, u, 1.5), {.may_be_zero = true});

  int wrong = 0;
  const std::vector<Score> models = random_models(100, 1, check);
  for (const Score& model : models) {
    const Tensor s = random_values({check.size("state")}, check.random());
    const auto order = answer.order_for_one(H, model.U.squeeze(0), model.v.item());
    if (order != best_first(scores(model, s, H))) ++wrong;
  }
  check.require("the order is that of 100 models, each with a query", wrong == 0,
                fmt::format("of 100 random models with attention_dim 1, {} put the positions into another order than "
                            "you say",
                            wrong));
}

void check_pointer(const Answer& answer, Check& check) {
  const Score score = answer.pointer();
  const bool defined = score.W.defined() && score.U.defined() && score.v.defined();
  const bool fits = defined && score.W.dim() == 2 && score.W.size(1) == 1 && score.U.dim() == 2 &&
                    score.U.size(1) == 2 && score.v.dim() == 1 && score.W.size(0) == score.v.size(0) &&
                    score.U.size(0) == score.v.size(0);
  const bool is_float64 = fits && score.W.dtype() == autograd::float64 && score.U.dtype() == autograd::float64 &&
                          score.v.dtype() == autograd::float64;
  check.require("attention_dim is 2", is_float64 && score.v.size(0) == 2,
                "W must be [2, 1], U [2, 2] and v [2], all of them float64");
  if (!is_float64) return;

  const Tensor x = autograd::arange(8).to(autograd::float64) - 2.0;  // -2 .. 5
  const Tensor H = autograd::stack({x, autograd::ones_like(x)}, 1);  // [8, 2]
  std::vector<double> looked_at;
  double smallest_lead = HUGE_VAL;
  bool all_are_right = true;
  for (int query = -2; query <= 4; ++query) {
    const Tensor e = scores(score, autograd::tensor({static_cast<double>(query)}, autograd::float64), H);
    const std::vector<std::int64_t> order = best_first(e);
    looked_at.push_back(static_cast<double>(order[0] - 2));
    all_are_right = all_are_right && order[0] - 2 == query;
    smallest_lead = std::min(smallest_lead, e.at({order[0]}) - e.at({order[1]}));
  }
  check.compare("where queries -2 to 4 look", looked_at);
  if (!all_are_right) return;  // how far a wrong position leads says nothing
  check.require("one position has the best score", smallest_lead > 1e-9, "two positions share the best score");
  check.require("the best position leads", smallest_lead >= 0.05,
                fmt::format("the best score leads the next one by {:.2g} only; make it 0.05 or more", smallest_lead));
}

}  // namespace

void check(const Answer& answer, Check& check) {
  check_without_tanh(answer, check);
  check_sigmoid(answer, check);
  check_bound(answer, check);
  check_attention_dim_one(answer, check);
  check_pointer(answer, check);
}
