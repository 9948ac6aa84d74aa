//= title: Twice backward
//= part: B
//= difficulty: 2
//= minutes: 20
//= after: 07
//= answer: backward, zero_grad, train
//= mistake middle_keeps
//=   question: What is in the grad of a middle node when a walk begins, and what happens to it?
//=   because: the walk adds to what a middle node holds, and passes on the sum. If that is what an earlier walk brought,
//=     the leaves have three times the gradient after two walks, where they should have twice.
//= mistake output_keeps
//=   question: The output's own gradient is d(output)/d(output). What is it when you walk for the second time?
//=   because: it was 1 from the first walk, you added another 1, and everything below was multiplied by 2.
//= mistake leaf_overwritten
//=   question: An output that was computed from nothing is a leaf. What should become of the gradient that it has?
//=   because: you set the output's grad to 1. In the middle that is right, but a leaf adds up all walks, including
//=     one that begins and ends with it.
//= mistake leaves_zeroed
//=   question: Two losses share their parameters. After one backward for each, what should a parameter's grad be?
//=   because: the sum of both. You begin by setting the leaves to 0 as well, so the first loss is forgotten. That
//=     is what zero_grad is for, and its caller decides when.
//= mistake overwritten
//=   question: With = no gradient is ever counted twice. But what if a parameter is used twice in one graph?
//=   because: = repairs the second walk at the cost of the first: of two contributions, only the last stays. Keep
//=     the sum, and remove what is left over from earlier walks where it does not belong.
//= mistake middle_overwritten
//=   question: With = a node in the middle never keeps anything from an earlier walk. What if two nodes use it in
//=     this one?
//=   because: = repairs the second walk at the cost of the first: of two contributions to a node in the middle,
//=     only the last stays. Remove what is left over before the walk, and add during it.
//= mistake reset_on_the_way
//=   question: Two nodes use h. Each of them sets h's grad to 0 before it adds its own: what is left of the first
//=     one's?
//=   because: a sum is set to 0 once, before the first contribution: before the walk begins, that is. On the way it
//=     happens as often as the node is used, and only what came last remains.
//= mistake times_zero
//=   question: A gradient can be NaN or infinite, after a step that was too long. What is 0 times that?
//=   because: NaN, in both cases (and so is what is left when it is taken from itself). Multiplying by 0 gives 0
//=     only for finite numbers; assigning 0 works for all.
//= mistake cleared_afterwards
//=   question: The walk is over: what can you read in the grad of a middle node now? And what does a walk pass on that
//=     finds something else there?
//=   because: you reset a middle node when it has passed on its sum, so it is 0 when you look afterwards. Here it
//=     must show what the last walk found; and whatever was there before the first walk is passed on.
//= mistake cleared_twice
//=   question: The walk is over: what can you read in the grad of a middle node now?
//=   because: you reset the middle nodes at the end once more, so they are 0 when you look afterwards. (PyTorch
//=     does something similar to save memory, and keeps them if you ask: retain_grad.) Here they must show what the
//=     last walk found.
//= mistake zero_grad_zeroes_data
//=   question: What does a parameter hold after your zero_grad: which of its two numbers is 0?
//=   because: data is what has been learned, grad what should be forgotten.
//= mistake zero_grad_first_only
//=   question: How many parameters does your zero_grad touch?
//=   because: only the first of them starts afresh; the others go on adding up.
//= mistake zero_grad_forgotten
//=   question: What is in the gradients when your training begins, and what when its second step does?
//=   because: backward adds. Without zero_grad the second step goes along the sum of two gradients, the third of
//=     three, as if the learning rate grew.
//= mistake zero_grad_once
//=   question: How often is zero_grad called in your training, and how often backward?
//=   because: you call it once, before the loop, so the first step is right; each later step adds to what the
//=     previous step left.
//= mistake zero_grad_afterwards
//=   question: Your training sets the gradients to 0 after each move. Which gradients does the first move use?
//=   because: it uses those of the first backward plus whatever was there before, which may be anything. Forget
//=     first, then walk, then move.
//= mistake last_gradients_dropped
//=   question: What is in the gradients when your training has ended? Which step should have left something there?
//=   because: they are set to 0 after each move, the last one, too. The parameters move as they should, but if you
//=     want to know how steep the loss still was, you find 0. Forgetting is the first thing in a step.
//= mistake zero_grad_before_step
//=   question: The loss does not change at all. What is in grad at the moment when the parameters are moved?
//=   because: zero_grad comes between backward and the step, so each step moves by learning_rate times 0.
//= mistake ascent
//=   question: Your loss rises from the first step. In which direction does the gradient point: up or down?
//=   because: the gradient points where the loss grows. Descent takes the minus sign.
//= mistake loss_after_the_move
//=   question: What is the first number of your list: the loss before any move, or after the first?
//=   because: the loss was computed again after each move. The exercise asks for the loss of the graph that was
//=     walked, so that the list begins where training began.
//= mistake graph_built_once
//=   question: How often do you compute the loss? Which parameters does the graph of your tenth step know?
//=   because: the graph holds the numbers with which it was computed. If it is built once, its loss and its
//=     gradient stay those of the first step, and the parameters go on in one straight line.
//= mistake step_on_a_copy
//=   question: The gradients are there and the parameters do not move. Which Node does your step change?
//=   because: `Node node = *parameter` copies the whole node, and the copy learns. Change the node that the pointer
//=     points to.

#include "given.h"

void backward(const NodePtr& output) {
  //[
  //- // TODO: the walk back, with `order(output)`. This one is right the first time it is called for a graph:
  //- todo("backward: right the second time, too");
  //- output->grad = 1.0;
  //- for (Node* node : order(output)) {
  //-   if (node->is_leaf()) continue;
  //-   const Gradients gradients = node->backward(node->grad);
  //-   for (std::size_t i = 0; i < gradients.size(); ++i) node->inputs[i]->grad += gradients[i];
  //- }
  const std::vector<Node*> nodes = order(output);
  for (Node* node : nodes) {
    if (!node->is_leaf()) node->grad = 0.0;  // what an earlier walk has left there
    //~ middle_keeps |
    //~ cleared_afterwards |
    //~ cleared_afterwards.output_overwritten |
    //~ middle_overwritten.and_output |
    //~ output_keeps | if (!node->is_leaf() && node != output.get()) node->grad = 0.0;
    //~ leaves_zeroed | node->grad = 0.0;
    //~ times_zero | if (!node->is_leaf()) node->grad *= 0.0;
    //~ times_zero.of_the_others | if (!node->is_leaf()) node->grad *= 0.0;
    //~ reset_on_the_way | if (node == output.get() && !node->is_leaf()) node->grad = 0.0;
  }
  output->grad += 1.0;
  //~ leaf_overwritten | output->grad = 1.0;
  //~ middle_keeps | output->grad = 1.0;
  //~ cleared_afterwards.output_overwritten | output->grad = 1.0;
  //~ middle_overwritten.and_output | output->grad = 1.0;
  for (Node* node : nodes) {
    if (node->is_leaf()) continue;
    const Gradients gradients = node->backward(node->grad);
    for (std::size_t i = 0; i < gradients.size(); ++i) node->inputs[i]->grad += gradients[i];
    //~ overwritten | for (std::size_t i = 0; i < gradients.size(); ++i) node->inputs[i]->grad = gradients[i];
    //~ middle_overwritten | for (std::size_t i = 0; i < gradients.size(); ++i) {
    //~ middle_overwritten |   Node& input = *node->inputs[i];
    //~ middle_overwritten |   input.grad = input.is_leaf() ? input.grad + gradients[i] : gradients[i];
    //~ middle_overwritten | }
    //~ middle_overwritten.and_output | for (std::size_t i = 0; i < gradients.size(); ++i) {
    //~ middle_overwritten.and_output |   Node& input = *node->inputs[i];
    //~ middle_overwritten.and_output |   input.grad = input.is_leaf() ? input.grad + gradients[i] : gradients[i];
    //~ middle_overwritten.and_output | }
    //~ reset_on_the_way | for (const NodePtr& input : node->inputs) {
    //~ reset_on_the_way |   if (!input->is_leaf()) input->grad = 0.0;
    //~ reset_on_the_way | }
    //~ reset_on_the_way | for (std::size_t i = 0; i < gradients.size(); ++i) node->inputs[i]->grad += gradients[i];
    //~ cleared_afterwards | for (std::size_t i = 0; i < gradients.size(); ++i) node->inputs[i]->grad += gradients[i];
    //~ cleared_afterwards | node->grad = 0.0;
    //~ cleared_afterwards.output_overwritten | for (std::size_t i = 0; i < gradients.size(); ++i) node->inputs[i]->grad += gradients[i];
    //~ cleared_afterwards.output_overwritten | node->grad = 0.0;
    //~ cleared_twice | for (std::size_t i = 0; i < gradients.size(); ++i) node->inputs[i]->grad += gradients[i];
    //~ cleared_twice | node->grad = 0.0;
  }
  //]
}

void zero_grad(const std::vector<NodePtr>& parameters) {
  //[
  //- // TODO
  //- todo("zero_grad: every parameter's grad is 0 again");
  for (const NodePtr& parameter : parameters) {
    parameter->grad = 0.0;
    //~ zero_grad_zeroes_data | parameter->data = 0.0;
    //~ times_zero | parameter->grad *= 0.0;
    //~ times_zero.of_parameters | parameter->grad *= 0.0;
    //~ zero_grad_first_only | parameters[0]->grad = 0.0;
  }
  //]
}

std::vector<double> train(const std::vector<NodePtr>& parameters, const std::function<NodePtr()>& loss, int steps,
                          double learning_rate) {
  //[
  //- // TODO: in each step the loss, its gradients, and a move of every parameter.
  //- todo("train: gradient descent");
  std::vector<double> losses;
  //~ zero_grad_once | std::vector<double> losses;
  //~ zero_grad_once | zero_grad(parameters);
  //~ last_gradients_dropped | std::vector<double> losses;
  //~ last_gradients_dropped | zero_grad(parameters);
  //~ graph_built_once | std::vector<double> losses;
  //~ graph_built_once | const NodePtr output = loss();
  for (int step = 0; step < steps; ++step) {
    const NodePtr output = loss();
    //~ graph_built_once |
    losses.push_back(output->data);
    //~ loss_after_the_move |
    zero_grad(parameters);
    //~ zero_grad_forgotten |
    //~ zero_grad_once |
    //~ zero_grad_before_step |
    //~ zero_grad_afterwards |
    //~ last_gradients_dropped |
    backward(output);
    //~ zero_grad_before_step | backward(output);
    //~ zero_grad_before_step | zero_grad(parameters);
    for (const NodePtr& parameter : parameters) {
      parameter->data -= learning_rate * parameter->grad;
      //~ ascent | parameter->data += learning_rate * parameter->grad;
      //~ step_on_a_copy | Node node = *parameter;
      //~ step_on_a_copy | node.data -= learning_rate * node.grad;
    }
    //~ loss_after_the_move | }
    //~ loss_after_the_move | losses.push_back(loss()->data);
    //~ zero_grad_afterwards | }
    //~ zero_grad_afterwards | zero_grad(parameters);
    //~ last_gradients_dropped | }
    //~ last_gradients_dropped | zero_grad(parameters);
  }
  return losses;
  //]
}
