#include <judge/check.h>
#include <nn/optim/adam.h>

#include "given.h"

const Axes judge::axes = {{"source", 5}, {"decoder", 3}, {"encoder", 4}, {"attention", 6}, {"batch", 2}};

namespace {

constexpr Activation all[] = {Activation::tanh, Activation::sigmoid, Activation::relu, Activation::none};

// Keys and a model for which one word gets as much as tanh can give.
Tensor largest_reached(const Tensor& v, std::int64_t source) {
  const Tensor keys = autograd::eye(source, autograd::float64);
  const Tensor column = (100.0 * sign(v)).unsqueeze(1);  // [attention, 1]
  const Tensor first = (keys[0] * 2.0 - 1.0).unsqueeze(0);
  const ScoreWeights weights{column, column * first, v};
  return given::attention_weights(autograd::zeros({1}, autograd::float64), keys, weights, Activation::tanh).amax();
}

// A batch of look-ups. In the experiment: {source} of 8 names in any order, and the query is one of them.
struct Lookups {
  Tensor queries;  // [batch, 8]
  Tensor keys;     // [batch, source, 8]
  Tensor wanted;   // [batch]
};

// What training gets from the loss; undefined where it does not depend on the weights.
void compare_gradients(const Answer& answer, Check& check, const ScoreWeights& weights, const Lookups& lookups) {
  const auto leaf = [](const Tensor& x) { return x.detach().clone().requires_grad_(); };
  const ScoreWeights leaves{leaf(weights.W), leaf(weights.U), leaf(weights.v)};
  const Tensor loss = answer.lookup_loss(lookups.queries, lookups.keys, lookups.wanted, leaves, Activation::tanh);
  std::vector<Tensor> gradients(3);
  if (loss.requires_grad()) gradients = autograd::grad(loss, {leaves.W, leaves.U, leaves.v}, {.allow_unused = true});
  check.compare("gradient of W from lookup_loss", gradients[0]);
  check.compare("gradient of U from lookup_loss", gradients[1]);
  check.compare("gradient of v from lookup_loss", gradients[2]);
}

Lookups draw_lookups(autograd::Generator& random, std::int64_t batch, std::int64_t source) {
  std::vector<std::int64_t> names;
  std::vector<std::int64_t> asked;
  std::vector<std::int64_t> wanted;
  for (std::int64_t b = 0; b < batch; ++b) {
    std::vector<std::int64_t> order = {0, 1, 2, 3, 4, 5, 6, 7};
    for (std::int64_t i = 0; i < source; ++i) {
      std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(random.integer(i, 8))]);
      names.push_back(order[static_cast<std::size_t>(i)]);
    }
    wanted.push_back(random.integer(0, source));
    asked.push_back(order[static_cast<std::size_t>(wanted.back())]);
  }
  const Tensor one_hot = autograd::eye(8, autograd::float64);
  return {autograd::embedding(one_hot, autograd::ids(asked, {batch})),
          autograd::embedding(one_hot, autograd::ids(names, {batch, source})), autograd::ids(wanted, {batch})};
}

Tensor draw_parameter(autograd::Generator& random, const autograd::Shape& shape) {
  std::vector<double> values(static_cast<std::size_t>(shape.numel()));
  for (double& value : values) value = 0.3 * random.normal();
  return autograd::from_vector(values, shape, autograd::float64).requires_grad_();
}

struct Trained {
  double early_loss = 0.0;  // after 50 steps
  double accuracy = 0.0;    // after 200: how often the wanted position has the largest weight, on new look-ups
};

double accuracy_of(const ScoreWeights& weights, Activation activation, autograd::Generator& random) {
  const autograd::NoGradGuard no_grad;
  const Lookups test = draw_lookups(random, 500, 5);
  double right = 0.0;
  for (std::int64_t b = 0; b < 500; ++b) {
    const Tensor row = given::attention_weights(test.queries[b], test.keys[b], weights, activation);
    right += row.argmax(0).item<std::int64_t>() == test.wanted[b].item<std::int64_t>() ? 1.0 : 0.0;
  }
  return right / 500.0;
}

Trained train(const Answer& answer, Activation activation) {
  autograd::Generator random(3);  // the same start and the same batches for all
  const ScoreWeights weights{draw_parameter(random, {16, 8}), draw_parameter(random, {16, 8}),
                             draw_parameter(random, {16})};
  nn::Adam optimizer({weights.W, weights.U, weights.v}, {.lr = 0.02});
  Trained trained;
  for (int step = 0; step < 200; ++step) {
    const Lookups batch = draw_lookups(random, 32, 5);
    optimizer.zero_grad();
    const Tensor loss = answer.lookup_loss(batch.queries, batch.keys, batch.wanted, weights, activation);
    loss.backward();
    optimizer.step();
    if (step == 50) trained.early_loss = loss.item();
  }
  trained.accuracy = accuracy_of(weights, activation, random);
  return trained;
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const Tensor keys = check.randn("keys", {"source", "encoder"});
  const Tensor query_a = check.randn("query_a", {"decoder"});
  const Tensor query_b = check.randn("query_b", {"decoder"});
  const ScoreWeights weights{check.randn("W", {"attention", "decoder"}), check.randn("U", {"attention", "encoder"}),
                             check.randn("v", {"attention"})};

  std::vector<double> influence;
  for (const Activation activation : all) {
    influence.push_back(answer.query_influence(query_a, query_b, keys, weights, activation));
  }
  check.compare("query_influence of tanh, sigmoid, relu, none", influence);

  const ScoreWeights turned = answer.with_sigmoid(weights);
  check.compare("attention of with_sigmoid", given::attention_weights(query_a, keys, turned, Activation::sigmoid));

  const double most = answer.largest_possible_weight(weights.v, check.size("source"));
  check.compare("largest_possible_weight", most);
  const Tensor small_v = check.input("small v", weights.v.detach() * 0.1);
  const double most_of_small = answer.largest_possible_weight(small_v, check.size("source"));
  check.compare("largest_possible_weight of a small v", most_of_small);
  const Tensor long_v = check.input("long v", weights.v.detach() * 1000.0);
  check.compare("largest_possible_weight of a long v", answer.largest_possible_weight(long_v, check.size("source")));
  check.require("no weight is larger", largest_reached(small_v, check.size("source")).item() <= most_of_small + 1e-12,
                "there are a query and keys for which a word gets more than your largest possible weight");

  std::vector<double> slopes;
  for (const Activation activation : all) slopes.push_back(answer.mean_slope(query_a, keys, weights, activation));
  check.compare("mean_slope of tanh, sigmoid, relu, none", slopes);

  const Tensor queries = check.randn("queries", {"batch", "decoder"});
  const Tensor batch_keys = check.randn("keys of the batch", {"batch", "source", "encoder"});
  const Tensor wanted = check.ids("wanted", {"batch"}, check.size("source"));
  for (const Activation activation : {Activation::tanh, Activation::relu}) {
    const Tensor loss = answer.lookup_loss(queries, batch_keys, wanted, weights, activation);
    check.compare(activation == Activation::tanh ? "lookup_loss" : "lookup_loss with relu", loss);
  }
  const ScoreWeights sharp{weights.W, weights.U, long_v};
  const Tensor sums = linear(queries, weights.W).unsqueeze(1) + linear(batch_keys, weights.U);
  const Tensor least = check.input("the least wanted", matmul(tanh(sums), -weights.v).detach().argmax(1));
  check.compare("lookup_loss of a long v", answer.lookup_loss(queries, batch_keys, least, sharp, Activation::tanh));
  // A square table of scores, which is turned round without an error.
  const Tensor many_queries = check.randn("as many queries as words", {"source", "decoder"});
  const Tensor many_keys = check.randn("keys of as many queries", {"source", "source", "encoder"});
  const Tensor many_wanted = check.ids("wanted by as many queries", {"source"}, check.size("source"));
  check.compare("lookup_loss of as many queries as words",
                answer.lookup_loss(many_queries, many_keys, many_wanted, weights, Activation::tanh));
  compare_gradients(answer, check, weights, {queries, batch_keys, wanted});

  if (!check.slow_part()) return;
  const Trained with_tanh = train(answer, Activation::tanh);
  const Trained with_sigmoid = train(answer, Activation::sigmoid);
  const Trained with_relu = train(answer, Activation::relu);
  check.at_least("accuracy with tanh", with_tanh.accuracy, 0.95);
  check.at_least("accuracy with sigmoid", with_sigmoid.accuracy, 0.95);
  check.at_least("accuracy with relu", with_relu.accuracy, 0.95);
  check.at_most("accuracy without an activation", train(answer, Activation::none).accuracy, 0.35);
  check.at_least("loss after 50 steps, sigmoid minus tanh", with_sigmoid.early_loss - with_tanh.early_loss, 0.5);
}
