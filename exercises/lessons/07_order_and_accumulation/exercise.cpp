//= title: Order and accumulation
//= part: B
//= difficulty: 2
//= minutes: 20
//= after: 06
//= fast track
//= answer: order, backward
//= mistake overwritten
//=   question: With b = a + a, your gradient of a is 1. How many contributions arrive at a, and what happens to the
//=     first?
//=   because: = keeps the last contribution only. a is used twice, so it gets two, and they are added. If a value
//=     is used twice and its gradient is half of what is right, suspect this mistake.
//= mistake once_per_use
//=   question: How often does a node that is used by two others appear in your list? And how often does it pass on
//=     its gradient?
//=   because: the node is on the list once for every path that leads to it. Each time it passes on everything that
//=     has arrived so far, so what came first is passed on again: 8 instead of 4 for a + a, b + b. In a chain of n
//=     doublings there are 2^n paths.
//= mistake first_use_decides
//=   question: A node is used by two others. You take it when the first of them is done. What is still missing in
//=     its grad then?
//=   because: a node that has been seen is not the same as a node that is complete. Depth first, from the output
//=     down, the node has its turn after only one of its users; what the other one sends comes too late to be
//=     passed on.
//= mistake preorder
//=   question: You write a node down first and then go into its inputs. When you write down a node that two others
//=     use, are both of them on the list?
//=   because: that is depth first in preorder: right in a tree, where everything has one user. Where a node has two
//=     users, it is written down after the first and before the second. In postorder, *after* its inputs, and then
//=     reversed, it is right: everything that uses a node is finished after it.
//= mistake breadth_first
//=   question: In the graph d = a * b, e = d + a, f = d * e: d is one step away from f on one path and two steps on
//=     another. When does it have its turn in your order, and when is its grad complete?
//=   because: breadth first follows the *shortest* path from the output. A node has to wait for its users along the
//=     longest path.
//= mistake inputs_first
//=   question: Your order begins with the leaves. What is their gradient worth before anything has come down to
//=     them?
//=   because: that is the order of going forward. Backward, every node passes on what has arrived, so everything
//=     above it has to come first.
//= mistake leaves_left_out
//=   question: How many nodes does a + b make, counted with a and b? How many does your order hold?
//=   because: leaves have nothing to pass on, so the gradients are right all the same. But they are part of the
//=     graph, and code that resets, prints or counts its nodes needs them.
//= mistake users_counted_once
//=   question: In c = a * a, how many contributions does c send to a? For how many of them do you wait?
//=   because: a node that appears twice in `inputs` gets two contributions. You count one and take off two, so a,
//=     or some other user of it, is taken to be complete too early.
//= mistake no_seed
//=   question: All gradients are 0. What is d(output)/d(output), and who writes it down?
//=   because: the walk multiplies and adds what is there. It starts with dL/dL = 1 at the output; a walk that
//=     starts with 0 gives only 0.
//= mistake ones_passed
//=   question: What does a node's `backward(dy)` need to be told? What do you tell it?
//=   because: with dy = 1 every node returns its own local derivatives, as if it were the output. The chain rule
//=     multiplies them by the gradient that has arrived, node->grad.
//= mistake multiplied_twice
//=   question: `backward(dy)` returns dL/d(input). With what do you still multiply it?
//=   because: dy is in it already; if you multiply by node->grad once more, dy is squared at every step.
//= mistake first_for_all
//=   question: A product returns two gradients. Which of them do you add to which input?
//=   because: gradients[0] goes to inputs[0] and gradients[1] to inputs[1]; yours all get the first.
//= mistake first_input_only
//=   question: A product returns two gradients. Which of its inputs get theirs?
//=   because: only inputs[0] is given its gradient. Every input has one: gradients[i] goes to inputs[i].
//= mistake walked_down
//=   question: With b = a + a and c = b + b, your gradient of a is 8, not 4. How often do you come through b, and
//=     what do you pass on the second time?
//=   because: b is visited once for each use. The first time it passes on 1, the second time all that has arrived
//=     so far, 2, with the first 1 in it. And in a chain of n doublings it is visited 2^n times.
//= mistake path_by_path
//=   premise: Your gradients are right.
//=   question: How often is a node's `backward` called if two ways lead to it from the output, and how often in a chain
//=     of n doublings?
//=   because: every contribution is passed on by itself, all the way down, without waiting for the others. The sums
//=     are right, but there are 2^n paths through n doublings. Add first and pass on once.
//= mistake zero_skipped
//=   question: For which nodes is backward not called in your walk, and is it called once for each other one?
//=   because: a node at which a gradient of 0 arrives is left out. With finite numbers that makes no difference to
//=     the gradients. But 0 times infinity is NaN, and a hidden NaN is worse than one that shows: backward must be
//=     called once for every node that is not a leaf.
//= mistake leaf_output_left_out
//=   question: What is d(output)/d(output) if the output was computed from nothing?
//=   because: you return at once if there is nothing below the output. It is 1 all the same: the output is a node
//=     of its graph, too.

#include "given.h"

std::vector<Node*> order(const NodePtr& output) {
  //[
  //- // TODO: a node may be taken when every use of it has been dealt with. What counts the uses?
  //- todo("order: every node once, after all nodes that use it");
  std::map<Node*, int> uses;  // how many contributions a node still waits for
  std::set<Node*> found = {output.get()};
  std::vector<Node*> to_do = {output.get()};
  while (!to_do.empty()) {
    Node* node = to_do.back();
    to_do.pop_back();
    for (const NodePtr& input : node->inputs) {
      ++uses[input.get()];
      //~ users_counted_once | if (&input == &node->inputs[0] || input != node->inputs[0]) ++uses[input.get()];
      if (found.insert(input.get()).second) to_do.push_back(input.get());
    }
  }
  std::vector<Node*> nodes;
  std::vector<Node*> ready = {output.get()};
  //~ first_use_decides | found.clear();
  //~ first_use_decides | std::vector<Node*> ready = {output.get()};
  //~ breadth_first | found.clear();
  //~ breadth_first | std::vector<Node*> ready = {output.get()};
  while (!ready.empty()) {
    Node* node = ready.back();
    ready.pop_back();
    //~ breadth_first 2 | Node* node = ready.front();
    //~ breadth_first | ready.erase(ready.begin());
    nodes.push_back(node);
    //~ leaves_left_out | if (!node->inputs.empty()) nodes.push_back(node);
    for (const NodePtr& input : node->inputs) {
      if (--uses[input.get()] == 0) ready.push_back(input.get());
      //~ once_per_use | ready.push_back(input.get());
      //~ first_use_decides | if (found.insert(input.get()).second) ready.push_back(input.get());
      //~ breadth_first | if (found.insert(input.get()).second) ready.push_back(input.get());
    }
  }
  return nodes;
  //~ inputs_first | return {nodes.rbegin(), nodes.rend()};
  //~ preorder 22 | std::vector<Node*> nodes;
  //~ preorder | std::set<Node*> found;
  //~ preorder | const std::function<void(Node*)> visit = [&](Node* node) {
  //~ preorder |   if (!found.insert(node).second) return;
  //~ preorder |   nodes.push_back(node);
  //~ preorder |   for (const NodePtr& input : node->inputs) visit(input.get());
  //~ preorder | };
  //~ preorder | visit(output.get());
  //~ preorder | return nodes;
  //~ preorder.sums_in_a_map 22 | std::vector<Node*> nodes;
  //~ preorder.sums_in_a_map | std::set<Node*> found;
  //~ preorder.sums_in_a_map | const std::function<void(Node*)> visit = [&](Node* node) {
  //~ preorder.sums_in_a_map |   if (!found.insert(node).second) return;
  //~ preorder.sums_in_a_map |   nodes.push_back(node);
  //~ preorder.sums_in_a_map |   for (const NodePtr& input : node->inputs) visit(input.get());
  //~ preorder.sums_in_a_map | };
  //~ preorder.sums_in_a_map | visit(output.get());
  //~ preorder.sums_in_a_map | return nodes;
  //]
}

void backward(const NodePtr& output) {
  //[
  //- // TODO: dL/dL, and then for every node in order: what its backward returns goes to its inputs.
  //- todo("backward: the gradient of every node of the graph");
  output->grad = 1.0;
  //~ no_seed |
  //~ preorder.sums_in_a_map | std::map<Node*, double> arrived = {{output.get(), 1.0}};
  //~ leaf_output_left_out | if (output->inputs.empty()) return;
  //~ leaf_output_left_out | output->grad = 1.0;
  for (Node* node : order(output)) {
    if (node->inputs.empty()) continue;
    //~ preorder.sums_in_a_map | node->grad = arrived[node];
    //~ preorder.sums_in_a_map | if (node->inputs.empty()) continue;
    //~ zero_skipped | if (node->inputs.empty() || node->grad == 0.0) continue;
    const Gradients gradients = node->backward(node->grad);
    //~ ones_passed | const Gradients gradients = node->backward(1.0);
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      node->inputs[i]->grad += gradients[i];
      //~ preorder.sums_in_a_map | arrived[node->inputs[i].get()] += gradients[i];
      //~ first_input_only | if (i == 0) node->inputs[i]->grad += gradients[i];
      //~ overwritten | node->inputs[i]->grad = gradients[i];
      //~ multiplied_twice | node->inputs[i]->grad += node->grad * gradients[i];
      //~ first_for_all | node->inputs[i]->grad += gradients[0];
    }
  }
  //~ walked_down 7 | const std::function<void(Node*)> walk = [&](Node* node) {
  //~ walked_down |   if (node->inputs.empty()) return;
  //~ walked_down |   const Gradients gradients = node->backward(node->grad);
  //~ walked_down |   for (std::size_t i = 0; i < gradients.size(); ++i) node->inputs[i]->grad += gradients[i];
  //~ walked_down |   for (const NodePtr& input : node->inputs) walk(input.get());
  //~ walked_down | };
  //~ walked_down | walk(output.get());
  //~ path_by_path 8 | const std::function<void(Node*, double)> pass_on = [&](Node* node, double dy) {
  //~ path_by_path |   node->grad += dy;
  //~ path_by_path |   if (node->inputs.empty()) return;
  //~ path_by_path |   const Gradients gradients = node->backward(dy);
  //~ path_by_path |   for (std::size_t i = 0; i < gradients.size(); ++i) pass_on(node->inputs[i].get(), gradients[i]);
  //~ path_by_path | };
  //~ path_by_path | pass_on(output.get(), 1.0);
  //]
}
