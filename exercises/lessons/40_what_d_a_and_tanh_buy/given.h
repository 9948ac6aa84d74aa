// What is given in exercise 40: the parameters of the additive score, an order of positions, and the functions to
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
// bias is passed in.  H [positions, key], U [attention, key], v [attention]
Tensor weights_without_tanh(const Tensor& H, const Tensor& U, const Tensor& v);

// Parameters that give with sigmoid the weights that `score` gives with tanh.
Score with_sigmoid(const Score& score);

// The largest weight that one of so many positions can ever get with tanh, whatever the query and the keys.
// v [attention]
double largest_possible_weight(const Tensor& v, std::int64_t positions);

// With attention_dim 1, e_j = v tanh(w . s + u . h_j): the positions, the best one first. Neither s nor w is handed
// over.  H [positions, key], u [key]
std::vector<std::int64_t> order_for_one(const Tensor& H, const Tensor& u, double v);

// Parameters with attention_dim 2 that look where the query says: a key is h_j = [x_j, 1], the query s = [x], and the
// position with x_j = x must get the highest score.  W [2, 1], U [2, 2], v [2], float64
Score pointer();

struct Answer {
  decltype(&::weights_without_tanh) weights_without_tanh;
  decltype(&::with_sigmoid) with_sigmoid;
  decltype(&::largest_possible_weight) largest_possible_weight;
  decltype(&::order_for_one) order_for_one;
  decltype(&::pointer) pointer;
};
