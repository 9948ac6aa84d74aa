//= title: Order does not matter
//= part: I
//= difficulty: 2
//= minutes: 25
//= after: 33
//= answer: copy_loss, inversions, relabelled, children_context
//= mistake first_place_only
//=   question: A word that stands twice in the source: which of its places gets the model's attention as a reward?
//=   because: only the first place of each word was counted. The probability of a word is the attention on all its
//=     places together.
//= mistake logs_of_places_summed
//=   question: A word at two places, with attention 0.5 on each: its probability is 1 and its loss 0. What is
//=     yours?
//=   because: the logarithm was taken before the places were summed. Probabilities of different places add up;
//=     their logarithms do not.
//= mistake log_of_the_mean
//=   question: One word has probability 1 and another 0.01. What is the mean of their two losses, and what is yours?
//=   because: the probabilities were averaged first, and the logarithm was taken of the mean. The loss is the mean of
//=     -log p: a word that the model misses counts for a lot.
//= mistake mean_of_logs_of_places
//=   question: A word at two places, with attention 0.9 and 0.1: its probability is 1 and its loss 0. What is yours?
//=   because: the logarithm was taken at each place, and then the mean of these. Probabilities of different places
//=     add up first; then comes the logarithm.
//= mistake log_of_the_batch_mean
//=   question: Two sentences, p is 1 in one of them and nearly 0 in the other. How large is the loss of the second?
//=   because: the probabilities were averaged over the batch before the logarithm. Each word has a -log(p) of its
//=     own, and the mean is over these.
//= mistake same_place
//=   question: Which weight is looked at for target word 1: the one on source word 1, or the one on wherever the
//=     right word stands?
//=   because: the loss takes the diagonal of the weights. That tells the model the order, and only one, "the same".
//=     Here you find the right word's place by looking where it stands.
//= mistake transposed
//=   question: Rows of the weights are target words. Which index of yours runs over the source?
//=   because: the weights were used the other way round; with as many target words as source words, the shapes do not
//=     show it.
//= mistake summed_over_words
//=   question: Does your loss grow with the length of the sentence and with the batch?
//=   because: it is the sum over all target words, and the mean was asked for.
//= mistake descents_only
//=   question: In the order 2, 3, 0, 1, which pairs stand in the opposite order? Are they all neighbours?
//=   because: only neighbours were compared. Every pair counts: here there are 4 of them.
//= mistake pairs_counted_twice
//=   question: How many pairs are there among {word} words? Can an order have more inversions than that?
//=   because: every pair was counted from both sides.
//= mistake displacement
//=   question: Two words that change places: one inversion. What is your number?
//=   because: what was summed is how far each word moves. The number of pairs in the opposite order is another
//=     measure.
//= mistake inverse_order
//=   question: Target word 0 is source word order[0]. Which place must have what position 0 had: order[0], or the
//=     place whose order is 0?
//=   because: row t of the result was taken from positions[order[t]]; it should be written to row order[t]. The two
//=     are inverse to each other, and agree only for orders that undo themselves, such as a reversal.
//= mistake parents_for_children
//=   question: How many children does your root look at?
//=   because: the mask is the wrong way round: every node attends to its parent.
//= mistake node_itself_too
//=   question: Is a node its own child?
//=   because: every node attends to itself as well, so that leaves have a context, and the others share theirs with
//=     themselves.
//= mistake children_behind_their_parent
//=   question: May a child have a smaller number than its parent?
//=   because: only nodes with larger numbers were taken for children. Only `parents` says which node is whose child.
//= mistake minus_one_is_the_last
//=   question: Whose child is the root?
//=   because: the root's -1 was taken as an index from the end, so the last node got the root as a child. It means
//=     that there is no parent.
//= mistake softmax_overflows
//=   question: What is exp(1000) in double precision, and what is exp(-1000)?
//=   because: no maximum was subtracted, so with a long v exp gives infinity, or 0 for all children.
//=     masked_softmax subtracts the largest score first.
//= mistake share_of_all_nodes
//=   question: What do the weights of a node's children sum to?
//=   because: the softmax was over all nodes, and the others were set to 0 afterwards. The softmax is over the
//=     children.
//= mistake roles_swapped
//=   question: Who asks: the node or its children?
//=   because: W was given to the children and U to the node. The node is the query, its children are the keys.
//= mistake leaves_look_everywhere
//=   question: A leaf has no child to look at. What do its weights sum to in yours?
//=   because: the softmax of a row in which all scores are the same -1e9 gives every node the same share. A leaf's
//=     context is 0.
//= mistake nan_at_leaves
//=   question: What is the softmax of a row of nothing but minus infinity?
//=   because: a leaf has no children, and the softmax of such a row is 0 / 0. masked_softmax gives it weights of 0.
//= equal mutant: for (std::size_t a = 0; a <= order.size(); ++a) {
//=   because: after the last word there is none to compare it with.
//= equal mutant: for (std::size_t b = a ; b < order.size(); ++b) {
//= equal mutant: for (std::size_t b = a + 0; b < order.size(); ++b) {
//= equal mutant: if (order[a] >= order[b]) ++count;
//=   because: a word is compared with itself, or with an equal one: there is no other of the same number, and it is
//=     not above itself.

#include "given.h"

Tensor copy_loss(const Tensor& weights, const Tensor& source, const Tensor& target) {
  //[
  //- // TODO: where does the right word stand, and how much attention is there?
  //- // probe("probability", probability) shows an intermediate value to the checker.
  //- todo("copy_loss: the mean of -log(attention on the right word)");
  const Tensor same = (target.unsqueeze(2) == source.unsqueeze(1)).to(autograd::float64);  // [batch, target, source]
  //~ first_place_only | const Tensor all = (target.unsqueeze(2) == source.unsqueeze(1)).to(autograd::float64);
  //~ first_place_only | const Tensor same = all * (cumsum(all, 2) == 1.0).to(autograd::float64);
  //~ same_place | const Tensor same = autograd::eye(source.size(1), autograd::float64).unsqueeze(0);
  const Tensor probability = (weights * same).sum({2});  // [batch, target]
  //~ transposed | const Tensor probability = (weights.t() * same).sum({2});
  probe("probability", probability);
  return -log(probability).mean();
  //~ summed_over_words | return -log(probability).sum();
  //~ log_of_the_mean | return -log(probability.mean());
  //~ log_of_the_batch_mean | return -log(probability.mean({0})).mean();
  //~ mean_of_logs_of_places | return -((log(weights) * same).sum({2}) / same.sum({2})).mean();
  //~ logs_of_places_summed | return -(log(weights) * same).sum({2}).mean();
  //]
}

std::int64_t inversions(const Order& order) {
  //[
  //- // TODO: count the pairs that are in the opposite order.
  //- todo("inversions: how far an order is from monotonic");
  std::int64_t count = 0;
  for (std::size_t a = 0; a < order.size(); ++a) {
    for (std::size_t b = a + 1; b < order.size(); ++b) {
      //~ descents_only | for (std::size_t b = a + 1; b < std::min(a + 2, order.size()); ++b) {
      if (order[a] > order[b]) ++count;
      //~ pairs_counted_twice | if (order[a] > order[b]) count += 2;
    }
    //~ displacement 3 | count += std::abs(order[a] - static_cast<std::int64_t>(a));
  }
  return count;
  //]
}

Tensor relabelled(const Tensor& positions, const Order& order) {
  //[
  //- // TODO: put the rows of `positions` in other places.
  //- todo("relabelled: a table of positions that turns one task into the other");
  std::vector<Tensor> rows(order.size());
  for (std::size_t t = 0; t < order.size(); ++t) {
    rows[static_cast<std::size_t>(order[t])] = positions[static_cast<std::int64_t>(t)];
    //~ inverse_order | rows[t] = positions[order[t]];
  }
  return autograd::stack(rows);
  //]
}

Tensor children_context(const Tensor& states, const std::vector<std::int64_t>& parents, const TreeWeights& weights) {
  //[
  //- // TODO: a mask [node, node] that says who is whose child; then attention as always.
  //- todo("children_context: attention over the children of each node");
  const auto nodes = static_cast<std::int64_t>(parents.size());
  const Tensor parent = autograd::ids(parents, {1, nodes});                                 // of the node in the column
  const Tensor is_child = parent == autograd::arange(nodes, autograd::int64).unsqueeze(1);  // [node, node]
  //~ children_behind_their_parent | const Tensor number = autograd::arange(nodes, autograd::int64);
  //~ children_behind_their_parent | const Tensor child = parent == number.unsqueeze(1);
  //~ children_behind_their_parent | const Tensor is_child = logical_and(child, number > number.unsqueeze(1));
  //~ minus_one_is_the_last | const Tensor wrapped = where(parent < 0, nodes - 1, parent);
  //~ minus_one_is_the_last | const Tensor is_child = wrapped == autograd::arange(nodes, autograd::int64).unsqueeze(1);
  //~ parents_for_children | const Tensor turned = parent == autograd::arange(nodes, autograd::int64).unsqueeze(1);
  //~ parents_for_children | const Tensor is_child = turned.t();
  //~ node_itself_too | const Tensor child = parent == autograd::arange(nodes, autograd::int64).unsqueeze(1);
  //~ node_itself_too | const Tensor is_child = logical_or(child, autograd::eye(nodes, autograd::float64) > 0.0);
  const Tensor query = linear(states, weights.W).unsqueeze(1);  // [node, 1, attention]
  //~ roles_swapped | const Tensor query = linear(states, weights.U).unsqueeze(1);
  const Tensor keys = linear(states, weights.U);
  //~ roles_swapped | const Tensor keys = linear(states, weights.W);
  const Tensor scores = matmul(tanh(query + keys), weights.v);  // [node, node]
  const Tensor alpha = masked_softmax(scores, is_child);
  //~ softmax_overflows | const Tensor shares = exp(scores) * is_child.to(autograd::float64);
  //~ softmax_overflows | const Tensor alpha = shares / (shares.sum({1}, true) + 1e-9);
  //~ share_of_all_nodes | const Tensor alpha = softmax(scores, -1) * is_child.to(autograd::float64);
  //~ leaves_look_everywhere | const Tensor alpha = softmax(scores.masked_fill(logical_not(is_child), -1e9), -1);
  //~ nan_at_leaves | const Tensor alpha = softmax(scores.masked_fill(logical_not(is_child), -INFINITY), -1);
  return matmul(alpha, states);
  //]
}
