// Mistakes in the scores of additive attention.

#include "tests/autograd/ops/op_mistakes.h"

using namespace autograd;

namespace op_mistakes {
namespace {

// All sums of a query and a key, [batch, queries, source, n].
Tensor sums(In run) {
  const Tensor query = run.x[0].dim() == 3 ? run.x[0] : run.x[0].unsqueeze(1);
  return query.unsqueeze(2) + run.x[1].unsqueeze(1);
}

// dy for all features, [batch, queries, source, 1].
Tensor dscores(In run) {
  const Tensor dy = run.dy.dim() == 3 ? run.dy : run.dy.unsqueeze(1);
  return dy.unsqueeze(-1);
}

Tensor to_query(In run, const Tensor& dsums) {
  return dsums.sum(2).reshape(run.x[0].shape());
}

}  // namespace

Mistakes attention_mistakes() {
  constexpr std::size_t query = 0;
  constexpr std::size_t keys = 1;
  constexpr std::size_t v = 2;
  const auto slope_lost = [](In run) { return to_query(run, (dscores(run) * run.x[2]).expand(sums(run).shape())); };
  const auto slope_of_the_sum = [](In run) {
    const Tensor x = sums(run);
    return to_query(run, dscores(run) * run.x[2] * (1.0 - x * x));
  };
  const auto v_lost = [](In run) {
    const Tensor h = tanh(sums(run));
    return (dscores(run) * (1.0 - h * h)).sum(1);
  };
  const auto first_query_only = [](In run) {
    const Tensor h = tanh(sums(run));
    return (dscores(run) * run.x[2] * (1.0 - h * h)).select(1, 0);
  };
  const auto mean_over_queries = [](In run) { return run.right[keys] / as_double(sums(run).size(1)); };
  const auto sum_in_place_of_tanh = [](In run) {
    return (dscores(run) * sums(run)).sum({0, 1, 2}).reshape(run.x[2].shape());
  };
  const auto one_sentence_only = [](In run) {
    const Tensor h = tanh(sums(run));
    const Tensor of_sentences = (dscores(run) * h).sum({1, 2});  // [batch, n]
    const bool has_any = of_sentences.size(0) > 0;
    return has_any ? of_sentences.select(0, 0).reshape(run.x[2].shape()) : run.right[v];
  };
  return {
      {"additive_score", "slope of tanh forgotten", wrong(query, slope_lost)},
      {"additive_score", "1 - x^2 in place of 1 - tanh(x)^2", wrong(query, slope_of_the_sum)},
      {"additive_score", "v forgotten", wrong(keys, v_lost)},
      {"additive_score", "keys learn from the first query only", wrong(keys, first_query_only)},
      {"additive_score", "mean over the queries in place of the sum", wrong(keys, mean_over_queries)},
      {"additive_score", "x in place of tanh(x) for v", wrong(v, sum_in_place_of_tanh)},
      {"additive_score", "v learns from the first sentence only", wrong(v, one_sentence_only)},
  };
}

}  // namespace op_mistakes
