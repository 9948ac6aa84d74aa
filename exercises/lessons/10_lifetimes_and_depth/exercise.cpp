//= title: Lifetimes and depth
//= part: B
//= difficulty: 3
//= minutes: 30
//= after: 07
//= answer: tanh_of, dismantle, order
//= mistake as_found
//=   question: Three things are wrong. Begin with the first: the nodes of tanh stay alive after they are needed.
//=     What is still holding them?
//=   because: this is the code as it was found: a node whose backward holds the node itself, inputs that free one
//=     another in a chain of destructors, and a sort that calls itself for every node.
//= mistake cycle
//=   question: The nodes of tanh stay alive when they are no longer needed. Which variable holds the last pointer
//=     to such a node, and who owns that variable?
//=   because: the closure keeps a shared_ptr to the node, and the node owns the closure. So the node holds itself,
//=     its count never falls to 0, and training leaks one graph per step. Keep the number, not the node.
//= mistake holds_its_input
//=   question: Two members of your node hold a pointer to x. dismantle takes one of them away. What frees x in the
//=     end?
//=   because: the closure keeps x, which keeps x's closure, which keeps the node before. When dismantle lets go of
//=     x, x has another holder; it dies with the closure, inside the destructor of its user, and so on down. Let
//=     the closure keep numbers.
//= mistake keeps_x
//=   question: In tanh' = 1 - (...)^2, what stands in the parentheses: what went in, or what came out? Which of the
//=     two does your closure keep?
//=   because: the derivative of tanh is 1 - y^2 with y = tanh(x), what came out: node->data, and not x->data.
//= mistake by_reference
//=   question: In `x = tanh_of(x)`, which node does the caller's variable x point to when backward is called?
//=   because: [&x] keeps a reference to the caller's variable. When backward runs it holds the last node of the
//=     chain, so every link is differentiated at the same, wrong place.
//= mistake recursive_destructor
//=   question: When the last node of a chain of 2000 dies, its input loses its last holder. In which function does
//=     that input die, and in which function does its own input die?
//=   because: each destructor frees the inputs, whose destructors free theirs, all inside one another: 2000 deep
//=     here, and beyond 100,000 or so the stack is full. (If you have a loop: if you ask for use_count() while you
//=     hold a copy of a pointer from your list, it is 2, never 1.)
//= mistake dismantle_recurses
//=   question: How many calls of your dismantle are waiting when it comes to the other end of a chain of 2000 nodes?
//=   because: it calls itself for every input. No destructor runs inside another, but the calls do, and beyond 100,000
//=     nodes or so they fill the stack as well. What is still to be freed fits into a vector.
//= mistake takes_from_others
//=   question: Two results share a node. One of them dies. What must the shared node keep, and how can you see that
//=     something else still holds it?
//=   because: every node below the dying one has its inputs taken away, even the nodes that others hold. What is
//=     left of their graph has no inputs, and gets no gradient. A use_count() above 1 says that something else
//=     needs the node, and everything below it.
//= mistake first_input_only
//=   question: A chain can go on through the second operand of a sum as well. What becomes of that one in your
//=     dismantle?
//=   because: only the first input of each node is taken apart by the loop; the second is freed by its owner's
//=     destructor, one inside the other.
//= mistake counted_in_hand
//=   question: In x + x both inputs are the same node. Who holds it while you ask for its use_count()?
//=   because: both pointers that you have taken count, though both are yours. So the count is 2, you leave the node
//=     alone, and when the second pointer goes, the node dies with its inputs, one destructor inside the other. Put
//=     pointers on the list as they are, and ask when one is taken off: the last of them sees 1.
//= mistake recursive_sort
//=   question: How many calls of your function are waiting when it comes to the leaf of a chain of 2000 nodes?
//=   because: it calls itself for every input, so all 2000 are waiting, each with a piece of stack. What they
//=     remember, a node and which input is next, fits into a vector.
//= mistake preorder
//=   question: You write a node down when you come to it. When you come to a node that two others use, are both of
//=     them written down?
//=   because: the recursive version wrote a node down *after* its inputs, on the way back up. Your loop does it on
//=     the way down, so a node that has two users comes before the second of them.
//= mistake preorder_by_stack
//=   question: You write a node down when you take it off the stack. When you take off a node that two others use,
//=     are both of them written down?
//=   because: the recursive version wrote a node down *after* its inputs, on the way back up, and reversed the
//=     list. Yours does it on the way down: right in a tree, where everything has one user. A node that has two
//=     users comes before the second of them.
//= mistake leaves_left_out
//=   question: How many nodes are in the graph, and how many in your order? Which are missing?
//=   because: the leaves are missing. Nothing is passed on from them, but an order of all nodes includes them.
//= mistake seen_too_late
//=   question: How often does a node that is used by two others appear in your list?
//=   because: the node is marked as seen when it is finished, and the walk did not ask before writing it down: a
//=     node on two paths is written down twice, and passes on its gradient twice.
//= mistake seen_on_the_stack
//=   question: A node that you have put on the stack counts as seen. What does another of its users do if its turn
//=     comes before the node's own?
//=   because: it finds the node seen, and is written down without waiting for it. In d * (d + a), d is put on the
//=     stack for the product, and the sum is written down before d: once the list is reversed, d comes before the
//=     sum that uses it. Mark a node when its own turn comes.
//= mistake use_count_for_uses
//=   question: You wait until a node has been met as often as its use_count() says. Who else can hold a pointer
//=     to it?
//=   because: the caller's variables hold nodes, too, and those are never met in the graph: the nodes that they
//=     hold, and everything below them, are missing. Count how often a node appears in the inputs of this graph.
//= mistake users_counted_once
//=   question: In q * q, for how many uses of q do you wait, and how many do you take off when the product has its
//=     turn?
//=   because: a node that appears twice in `inputs` is used twice. You count one use and take off two, so that the
//=     node has its turn while another of its users is still to come.

#include "given.h"

NodePtr tanh_of(const NodePtr& x) {
  const NodePtr node = make_node(std::tanh(x->data), {x});
  //[
  //- // TODO: a node made here is never freed.
  //- node->backward = [node](double dy) { return Gradients{dy * (1.0 - node->data * node->data)}; };
  const double y = node->data;
  //~ keeps_x | const double y = x->data;
  node->backward = [y](double dy) { return Gradients{dy * (1.0 - y * y)}; };
  //~ cycle | node->backward = [node](double dy) { return Gradients{dy * (1.0 - node->data * node->data)}; };
  //~ holds_its_input | node->backward = [x](double dy) {
  //~ holds_its_input |   const double again = std::tanh(x->data);
  //~ holds_its_input |   return Gradients{dy * (1.0 - again * again)};
  //~ holds_its_input | };
  //~ by_reference | node->backward = [&x](double dy) {
  //~ by_reference |   const double again = std::tanh(x->data);
  //~ by_reference |   return Gradients{dy * (1.0 - again * again)};
  //~ by_reference | };
  //~ as_found | node->backward = [node](double dy) { return Gradients{dy * (1.0 - node->data * node->data)}; };
  //]
  return node;
}

void dismantle(Node& node) {
  //[
  //- // TODO: nothing happens here, so the inputs are freed by the destructor of `node`, theirs by theirs, and so on.
  std::vector<NodePtr> to_free = node.take_inputs();
  //~ recursive_destructor |
  //~ as_found |
  while (!to_free.empty()) {
    const NodePtr last = std::move(to_free.back());
    to_free.pop_back();
    if (last.use_count() > 1) continue;  // somebody else needs it, with all that is under it
    //~ takes_from_others |
    for (const NodePtr& input : last->take_inputs()) to_free.push_back(input);
    //~ counted_in_hand | std::vector<NodePtr> inputs = last->take_inputs();
    //~ counted_in_hand | for (NodePtr& input : inputs) {
    //~ counted_in_hand |   if (input.use_count() == 1) to_free.push_back(std::move(input));
    //~ counted_in_hand | }
    //~ first_input_only | const std::vector<NodePtr> inputs = last->inputs();
    //~ first_input_only | if (!inputs.empty()) to_free.push_back(inputs[0]);
  }
  //~ recursive_destructor 6 |
  //~ as_found 6 |
  //~ dismantle_recurses 6 | for (const NodePtr& input : to_free) {
  //~ dismantle_recurses |   if (input.use_count() == 1) dismantle(*input);
  //~ dismantle_recurses | }
  //]
}

std::vector<Node*> order(const NodePtr& output) {
  //[
  //- // TODO: this is right, but its calls go as deep as the graph.
  //- std::vector<Node*> nodes;
  //- std::set<Node*> seen;
  //- const std::function<void(Node*)> visit = [&](Node* node) {
  //-   if (!seen.insert(node).second) return;
  //-   for (const NodePtr& input : node->inputs()) visit(input.get());
  //-   nodes.push_back(node);
  //- };
  //- visit(output.get());
  //- return {nodes.rbegin(), nodes.rend()};
  std::vector<Node*> nodes;  // each after its inputs
  std::set<Node*> seen = {output.get()};
  std::vector<std::pair<Node*, std::size_t>> way_down = {{output.get(), 0}};  // each with its next input
  while (!way_down.empty()) {
    Node* node = way_down.back().first;
    const std::size_t next = way_down.back().second++;
    //~ preorder | const std::size_t next = way_down.back().second++;
    //~ preorder | if (next == 0) nodes.push_back(node);
    if (next == node->inputs().size()) {
      nodes.push_back(node);
      //~ leaves_left_out | if (next > 0) nodes.push_back(node);
      //~ preorder |
      //~ seen_too_late | seen.insert(node);
      //~ seen_too_late | nodes.push_back(node);
      way_down.pop_back();
      continue;
    }
    Node* input = node->inputs()[next].get();
    if (seen.insert(input).second) way_down.emplace_back(input, 0);
    //~ seen_too_late | way_down.emplace_back(input, 0);
  }
  return {nodes.rbegin(), nodes.rend()};
  //~ preorder | return nodes;
  //~ preorder_by_stack 15 | std::vector<Node*> nodes;
  //~ preorder_by_stack | std::set<Node*> seen = {output.get()};
  //~ preorder_by_stack | std::vector<Node*> to_do = {output.get()};
  //~ preorder_by_stack | while (!to_do.empty()) {
  //~ preorder_by_stack |   Node* node = to_do.back();
  //~ preorder_by_stack |   to_do.pop_back();
  //~ preorder_by_stack |   nodes.push_back(node);
  //~ preorder_by_stack |   for (const NodePtr& input : node->inputs()) {
  //~ preorder_by_stack |     if (seen.insert(input.get()).second) to_do.push_back(input.get());
  //~ preorder_by_stack |   }
  //~ preorder_by_stack | }
  //~ preorder_by_stack | return nodes;
  //~ seen_on_the_stack 15 | std::vector<Node*> nodes;
  //~ seen_on_the_stack | std::set<Node*> seen = {output.get()};
  //~ seen_on_the_stack | std::vector<std::pair<Node*, bool>> to_do = {{output.get(), false}};
  //~ seen_on_the_stack | while (!to_do.empty()) {
  //~ seen_on_the_stack |   const auto [node, inputs_are_done] = to_do.back();
  //~ seen_on_the_stack |   to_do.pop_back();
  //~ seen_on_the_stack |   if (inputs_are_done) {
  //~ seen_on_the_stack |     nodes.push_back(node);
  //~ seen_on_the_stack |     continue;
  //~ seen_on_the_stack |   }
  //~ seen_on_the_stack |   to_do.emplace_back(node, true);
  //~ seen_on_the_stack |   for (const NodePtr& input : node->inputs()) {
  //~ seen_on_the_stack |     if (seen.insert(input.get()).second) to_do.emplace_back(input.get(), false);
  //~ seen_on_the_stack |   }
  //~ seen_on_the_stack | }
  //~ seen_on_the_stack | return {nodes.rbegin(), nodes.rend()};
  //~ use_count_for_uses 15 | std::vector<Node*> nodes = {output.get()};
  //~ use_count_for_uses | std::map<Node*, long> times;
  //~ use_count_for_uses | for (std::size_t i = 0; i < nodes.size(); ++i) {
  //~ use_count_for_uses |   for (const NodePtr& input : nodes[i]->inputs()) {
  //~ use_count_for_uses |     if (++times[input.get()] == input.use_count()) nodes.push_back(input.get());
  //~ use_count_for_uses |   }
  //~ use_count_for_uses | }
  //~ use_count_for_uses | return nodes;
  //~ users_counted_once 15 | std::map<Node*, std::set<Node*>> users;
  //~ users_counted_once | std::vector<Node*> found = {output.get()};
  //~ users_counted_once | for (std::size_t i = 0; i < found.size(); ++i) {
  //~ users_counted_once |   for (const NodePtr& input : found[i]->inputs()) {
  //~ users_counted_once |     if (users[input.get()].empty()) found.push_back(input.get());
  //~ users_counted_once |     users[input.get()].insert(found[i]);
  //~ users_counted_once |   }
  //~ users_counted_once | }
  //~ users_counted_once | std::map<Node*, std::size_t> done;
  //~ users_counted_once | std::vector<Node*> nodes = {output.get()};
  //~ users_counted_once | for (std::size_t i = 0; i < nodes.size(); ++i) {
  //~ users_counted_once |   for (const NodePtr& input : nodes[i]->inputs()) {
  //~ users_counted_once |     if (++done[input.get()] == users[input.get()].size()) nodes.push_back(input.get());
  //~ users_counted_once |   }
  //~ users_counted_once | }
  //~ users_counted_once | return nodes;
  //~ recursive_sort 15 | std::vector<Node*> nodes;
  //~ recursive_sort | std::set<Node*> seen;
  //~ recursive_sort | const std::function<void(Node*)> visit = [&](Node* node) {
  //~ recursive_sort |   if (!seen.insert(node).second) return;
  //~ recursive_sort |   for (const NodePtr& input : node->inputs()) visit(input.get());
  //~ recursive_sort |   nodes.push_back(node);
  //~ recursive_sort | };
  //~ recursive_sort | visit(output.get());
  //~ recursive_sort | return {nodes.rbegin(), nodes.rend()};
  //~ as_found 15 | std::vector<Node*> nodes;
  //~ as_found | std::set<Node*> seen;
  //~ as_found | const std::function<void(Node*)> visit = [&](Node* node) {
  //~ as_found |   if (!seen.insert(node).second) return;
  //~ as_found |   for (const NodePtr& input : node->inputs()) visit(input.get());
  //~ as_found |   nodes.push_back(node);
  //~ as_found | };
  //~ as_found | visit(output.get());
  //~ as_found | return {nodes.rbegin(), nodes.rend()};
  //]
}
