#include <judge/check.h>
#include <nn/optim/adam.h>

#include <numeric>

#include "given.h"

const Axes judge::axes = {{"word", 5}, {"batch", 3}, {"decoder", 2}, {"encoder", 4}, {"attention", 6}};

namespace {

// Orders of any length: words two further on, which is not its own inverse; and the last word first.
Order shifted(std::int64_t words) {
  Order order;
  for (std::int64_t t = 0; t < words; ++t) order.push_back((t + 2) % words);
  return order;
}

Order same_order(std::int64_t words) {
  Order order(static_cast<std::size_t>(words));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

Order reversed(std::int64_t words) {
  Order order = same_order(words);
  std::reverse(order.begin(), order.end());
  return order;
}

// [batch, target]: target word t is source word order[t].
Tensor reordered(const Tensor& source, const Order& order) {
  return source.index_select(1, autograd::ids(order, {static_cast<std::int64_t>(order.size())}));
}

Aligner copy_of(const Aligner& aligner) {
  const auto copy = [](const Tensor& x) { return x.detach().clone().requires_grad_(); };
  return {copy(aligner.queries), copy(aligner.positions), copy(aligner.W), copy(aligner.U), copy(aligner.v)};
}

// The losses of the first steps of plain gradient descent.
std::vector<double> first_losses(const Answer& answer, const Aligner& aligner, const Tensor& source,
                                 const Tensor& target) {
  const std::vector<Tensor> parameters = {aligner.queries, aligner.positions, aligner.W, aligner.U, aligner.v};
  std::vector<double> losses;
  for (int step = 0; step < 6; ++step) {
    const Tensor loss = answer.copy_loss(given::alignment(aligner), source, target);
    losses.push_back(loss.item());
    const std::vector<Tensor> gradients = autograd::grad(loss, parameters, {.allow_unused = true});
    const autograd::NoGradGuard no_grad;
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      if (gradients[p].defined()) parameters[p].sub_(0.5 * gradients[p]);
    }
  }
  return losses;
}

struct Learned {
  double accuracy = 0.0;  // target words whose largest weight is where they come from
  double steps = 0.0;     // until the loss was below 0.1
};

Learned learn(const Answer& answer, const Order& order, std::uint64_t seed) {
  autograd::manual_seed(seed);
  const auto words = static_cast<std::int64_t>(order.size());
  const auto parameter = [](const autograd::Shape& shape) {
    return (0.5 * autograd::randn(shape, autograd::float64)).requires_grad_();
  };
  const Aligner aligner{parameter({words, 8}), parameter({words, 8}), parameter({16, 8}), parameter({16, 8}),
                        parameter({16})};
  nn::Adam optimizer({aligner.queries, aligner.positions, aligner.W, aligner.U, aligner.v}, {.lr = 0.02});
  Learned learned;
  for (int step = 1; step <= 1000 && learned.steps == 0.0; ++step) {
    const Tensor source = autograd::randint(0, 20, {16, words});
    optimizer.zero_grad();
    const Tensor loss = answer.copy_loss(given::alignment(aligner), source, reordered(source, order));
    loss.backward();
    optimizer.step();
    if (loss.item() < 0.1) learned.steps = step;
  }
  const autograd::NoGradGuard no_grad;
  const Tensor found = given::alignment(aligner).argmax(1);
  learned.accuracy = (found == autograd::ids(order, {words})).to(autograd::float64).mean().item();
  return learned;
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const std::int64_t words = check.size("word");
  const Tensor logits = check.randn("logits", {"word", "word"});
  const Tensor weights = check.input("weights", logits.detach().softmax(-1));
  const Tensor source = check.ids("source", {"batch", "word"}, 4);  // more words than there are different ones
  const Tensor target = check.input("target", reordered(source, shifted(words)));
  check.compare("copy_loss", answer.copy_loss(weights, source, target));

  const auto count = [&](const Order& order) { return static_cast<double>(answer.inversions(order)); };
  if (check.at_usual_sizes()) {
    check.compare("inversions of 2 3 0 1", count({2, 3, 0, 1}));
    check.compare("inversions of same, shifted, reversed, 3 0 4 1 2",
                  std::vector<double>{count(same_order(words)), count(shifted(words)), count(reversed(words)),
                                      count({3, 0, 4, 1, 2})});
    check.compare("inversions of 7 words, reversed", count(reversed(7)));
  }

  const Aligner aligner{check.randn("queries", {"word", "decoder"}), check.randn("positions", {"word", "encoder"}),
                        check.randn("W", {"attention", "decoder"}), check.randn("U", {"attention", "encoder"}),
                        check.randn("v", {"attention"})};
  Aligner turned = aligner;
  turned.positions = answer.relabelled(aligner.positions, shifted(words));
  check.compare("relabelled", turned.positions);
  // A source in the same order and one with its words where the task wants them: the target is the same.
  const Tensor words_in_place = reordered(source, same_order(words));
  Order back(static_cast<std::size_t>(words));
  for (std::int64_t t = 0; t < words; ++t)
    back[static_cast<std::size_t>(shifted(words)[static_cast<std::size_t>(t)])] = t;
  const Tensor words_elsewhere = reordered(source, back);
  const std::vector<double> monotonic = first_losses(answer, copy_of(aligner), words_in_place, source);
  const std::vector<double> reordering = first_losses(answer, copy_of(turned), words_elsewhere, source);
  check.compare("losses while learning the same order", monotonic);
  check.compare("losses while learning another order", reordering);
  double apart = 0.0;
  for (std::size_t i = 0; i < monotonic.size(); ++i) apart = std::max(apart, std::abs(monotonic[i] - reordering[i]));
  check.require("both orders are learned alike, to the last digit", apart <= 1e-9,
                "with your relabelled positions, learning the other order takes another course");

  if (check.at_usual_sizes()) {
    // Numbers of nodes that no axis has, or a node would be taken for a number of a state.
    const Tensor states = check.randn("states", {8, "encoder"});
    const std::vector<std::int64_t> parents = {-1, 0, 0, 0, 2, 2, 4, 4};
    const TreeWeights tree{check.randn("tree W", {"attention", "encoder"}),
                           check.randn("tree U", {"attention", "encoder"}), check.randn("tree v", {"attention"})};
    const Tensor leaves = autograd::mask({false, true, false, true, false, true, true, true}).unsqueeze(1);
    check.compare("children_context", answer.children_context(states, parents, tree),
                  {.regions = {{"leaves", leaves}}});
    check.compare("children_context of a smaller tree",
                  answer.children_context(states.narrow(0, 0, 7), {-1, 0, 1, 1, 0, 4, 4}, tree));
    check.compare("children_context of a tree whose root is not node 0",
                  answer.children_context(states, {3, 5, 3, -1, 5, 3, 1, 0}, tree));
    const TreeWeights sharp{tree.W, tree.U, check.input("long tree v", tree.v.detach() * 1000.0)};
    check.compare("children_context with a long v", answer.children_context(states, parents, sharp));
  }

  // Last, as shapes that do not fit end the run.
  const std::int64_t fewer = std::max<std::int64_t>(1, words - 1);
  check.compare("copy_loss of fewer target words",
                answer.copy_loss(weights.narrow(0, 0, fewer), source, target.narrow(1, 0, fewer)));

  if (!check.slow_part()) return;
  const Order random = {5, 2, 7, 0, 3, 6, 1, 4};
  const Learned of_same = learn(answer, same_order(8), 1);
  const Learned of_reversed = learn(answer, reversed(8), 2);
  const Learned of_random = learn(answer, random, 3);
  check.at_least("accuracy, same order", of_same.accuracy, 1.0);
  check.at_least("accuracy, reversed", of_reversed.accuracy, 1.0);
  check.at_least("accuracy, random order", of_random.accuracy, 1.0);
  check.at_most("steps for reversed / steps for the same order", of_reversed.steps / of_same.steps, 2.0);
  check.at_most("steps for random / steps for the same order", of_random.steps / of_same.steps, 2.0);
}
