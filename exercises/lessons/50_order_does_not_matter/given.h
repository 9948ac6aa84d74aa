// What is given in exercise 50: a model that can only align, and the functions to write.
#pragma once

#include <judge/learner.h>

#include <algorithm>

namespace given {

// Attention between places: step t has the query queries[t], source word i the key positions[i]. It never sees a word.
struct Aligner {
  Tensor queries;    // [word, decoder]
  Tensor positions;  // [word, encoder]
  Tensor W;          // [attention, decoder]
  Tensor U;          // [attention, encoder]
  Tensor v;          // [attention]
};

// Its weights [target, source].
inline Tensor alignment(const Aligner& aligner) {
  const Tensor query = autograd::linear(aligner.queries, aligner.W).unsqueeze(1);
  const Tensor keys = autograd::linear(aligner.positions, aligner.U);
  return autograd::softmax(autograd::matmul(autograd::tanh(query + keys), aligner.v), -1);
}

// Target word t is source word order[t].
using Order = std::vector<std::int64_t>;

struct TreeWeights {
  Tensor W;  // [attention, hidden], for the node that asks
  Tensor U;  // [attention, hidden], for its children
  Tensor v;  // [attention]
};

}  // namespace given

using given::Aligner;
using given::Order;
using given::TreeWeights;

// The mean of -log(probability of the right word): weights [target, source], ids source [batch, source] and target
// [batch, target]. The probability of a word is the attention on all places where it occurs.
Tensor copy_loss(const Tensor& weights, const Tensor& source, const Tensor& target);

// How many pairs of target words are in the opposite order in the source.
std::int64_t inversions(const Order& order);

// Positions for which the task `order` is to an aligner what the task "same order" is with `positions`.
Tensor relabelled(const Tensor& positions, const Order& order);

// For each node of a tree, the attention of the node over its children: states [node, hidden]; parents[n] is the parent
// of node n, -1 for the root -> contexts [node, hidden], 0 for a node without children.
Tensor children_context(const Tensor& states, const std::vector<std::int64_t>& parents, const TreeWeights& weights);

struct Answer {
  decltype(&::copy_loss) copy_loss;
  decltype(&::inversions) inversions;
  decltype(&::relabelled) relabelled;
  decltype(&::children_context) children_context;
};
