// What is given in exercise 37: the parameters of the additive score, an order of positions, and the functions to
// write.
#pragma once

#include <judge/given/attention.h>

#include <algorithm>

namespace given {

// e_j = v . tanh(W s + U h_j), for a query s [state] and keys h_j, the rows of H [positions, key].
using Score = AttentionWeights;

// The positions in the order of their scores [positions], the best one first.
inline std::vector<std::int64_t> best_first(const Tensor& scores) {
  const std::vector<double> score = scores.to_vector();
  std::vector<std::int64_t> order(score.size());
  for (std::size_t j = 0; j < order.size(); ++j) order[j] = static_cast<std::int64_t>(j);
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return score[static_cast<std::size_t>(a)] > score[static_cast<std::size_t>(b)];
  });
  return order;
}

}  // namespace given

using given::best_first;
using given::Score;

// Without the tanh, e_j = v . (W s + U h_j) + bias: the weights of all positions, [positions]. Neither s nor W nor the
// bias is handed over.  H [positions, key], U [attention, key], v [attention]
Tensor weights_without_tanh(const Tensor& H, const Tensor& U, const Tensor& v);

// With the tanh and attention_dim 1, e_j = v tanh(w . s + u . h_j): the positions, the best one first. Neither s nor w
// is handed over.  H [positions, key], u [key]
std::vector<std::int64_t> order_for_one(const Tensor& H, const Tensor& u, double v);

// The share of the models that put the positions in one order for query s_1 and in another for s_2, from 0 to 1.
// H [positions, key], s_1 and s_2 [state]
double share_with_two_orders(const std::vector<Score>& models, const Tensor& H, const Tensor& s_1, const Tensor& s_2);

// Parameters with attention_dim 2 that look where the query says: a key is h_j = [x_j, 1], the query s = [x], and the
// position with x_j = x is to get the highest score.  W [2, 1], U [2, 2], v [2], float64
Score pointer();

struct Answer {
  decltype(&::weights_without_tanh) weights_without_tanh;
  decltype(&::order_for_one) order_for_one;
  decltype(&::share_with_two_orders) share_with_two_orders;
  decltype(&::pointer) pointer;
};
