//= title: SGD, zero_grad and clipping
//= part: D
//= difficulty: 2
//= minutes: 20
//= after: 19
//= fast track
//= answer: sgd_step, clip_grad_norm, train
//= mistake uphill
//=   question: The gradient says in which direction the loss grows. Where do you go?
//=   because: the gradient was added. The loss rises from the first step on.
//= mistake lr_forgotten
//=   question: How far do you go if lr is halved?
//=   because: the whole gradient was subtracted; lr is nowhere in the step.
//= mistake handle_rebound
//=   question: After a line like `p = p - lr * p.grad()`, in which p was a copy of parameter, what has become of
//=     parameter?
//=   because: the assignment makes p a handle on a new tensor. The parameter itself, which the loss is computed
//=     from, is as it was. It has to be changed in place.
//= mistake zeroed_without_a_gradient
//=   question: What is left of a parameter that has no gradient, after your step?
//=   because: it became 0. You may take its gradient to be 0, but leave the parameter itself alone: part of a model
//=     may well be unused in a step.
//= mistake clip_each_tensor
//=   question: Two gradients have the norms 3 and 0.1, max_norm is 1. After your clipping, how do they compare?
//=   because: each tensor was clipped by itself. That changes the direction of the step: the large one is shortened,
//=     the small one is not. There is one norm, of all gradients together, and one factor.
//= mistake clip_single_entries
//=   question: The gradient is (3, 0.4) and max_norm is 1. Does your clipped gradient point in the same direction?
//=   because: each entry was cut off at max_norm. That bounds the entries, but it changes the direction.
//= mistake clip_always
//=   question: What do you do with a gradient that is shorter than max_norm?
//=   because: every gradient was scaled to max_norm, and short ones were lengthened. Near a minimum, where
//=     gradients become small, the steps would never become smaller.
//= mistake squares_compared
//=   question: A gradient of norm 3, and max_norm 5: is there anything to clip?
//=   because: the sum of the squares, 9, was compared with max_norm. The norm is its root.
//= mistake root_forgotten
//=   question: A single gradient (3, 4): what is its norm?
//=   because: the squares were added up, but the root was not taken.
//= mistake norms_added
//=   question: Two gradients with the norms 3 and 4, as one long vector: is its norm 7?
//=   because: the norms of the tensors were added. Add their squares instead: the whole has norm 5.
//= mistake sum_is_an_integer
//=   question: Which type does your sum of squares have, and what does it keep of 0.7?
//=   because: it is an int (`auto x = 0` makes one, too), so every sum is cut off to a whole number. Write 0.0, or
//=     double.
//= mistake scaled_to_one
//=   premise: With max_norm 1, as in the example, your clipping is right.
//=   question: How long are your gradients after it with max_norm 1.5?
//=   because: they were divided by their norm, which makes the norm 1. To make it max_norm they are multiplied by
//=     max_norm / norm.
//= mistake stops_at_one_without
//=   question: One of the parameters has no gradient. What becomes of those that come after it in the list?
//=   because: the loop ends there (break, or return), and the later ones are left out. Skip the parameter without a
//=     gradient: continue goes on with the next.
//= mistake norm_after_clipping
//=   question: If you print your return value at each step, what can you learn from it?
//=   because: the norm after clipping is returned, which is never above max_norm. The norm before it shows how steep
//=     it was.
//= mistake scaled_by_max_norm
//=   question: A vector of norm 10 is multiplied by 2. Is its norm 2 afterwards?
//=   because: the gradients were multiplied by max_norm. The factor that takes a norm n to max_norm is max_norm / n.
//= mistake no_zero_grad
//=   premise: Your first step is right.
//=   question: What is in grad() before the second backward()?
//=   because: backward adds to what is there. Without zero_grad the second step goes along the sum of two gradients,
//=     the third along the sum of three.
//= mistake zeroed_at_the_end
//=   premise: Your first train() is right, but one that finds old gradients is not.
//=   question: When does your first step forget them?
//=   because: zero_grad() comes after the step, so what was in grad() before train() is added to the first
//=     gradient. If backward() was called earlier, a gradient is still there.
//= mistake zeroed_before_the_step
//=   question: When you take the step, what is in grad()?
//=   because: the gradients were forgotten after backward and before the step, which found nothing to do.
//= mistake step_before_backward
//=   question: Which backward() made the gradients that your first step reads? And those that the second one reads?
//=   because: the step comes before backward(), so each step uses the gradients of the previous step, and the first
//=     uses what was in grad() before train().
//= mistake clipped_too_late
//=   question: How long is the gradient that your step reads, and where in train() do you make sure that it is no
//=     longer than max_norm?
//=   because: the steps were taken with the full gradients, though one of them is longer than max_norm. Clipping
//=     that comes after the step, before backward, or not at all, changes nothing.
//= mistake one_parameter_at_a_time
//=   question: When the gradient of the second parameter was computed, what had happened to the first one?
//=   because: each parameter was changed before the gradient of the next was computed, so the gradients belong to
//=     different places, and the result depends on the order of the list. One backward gives all of them, at one
//=     place.
//= mistake loss_after_the_step
//=   question: What is the first number of your list: the loss before any step, or after the first?
//=   because: the loss was computed again after each step. The exercise asks for the loss that backward was called
//=     on.
//= equal mutant: const double factor = norm >= max_norm ? max_norm / norm : 1.0;
//=   because: max_norm / max_norm is 1.

#include "given.h"

void sgd_step(const Parameters& parameters, double lr) {
  const autograd::NoGradGuard no_grad;  // the step is not a part of the graph
  //[
  //- // TODO: change each parameter in place, with add_, sub_ or mul_: the loss is computed from this very tensor.
  //- todo("sgd_step: one step downhill");
  for (const Tensor& parameter : parameters) {
    if (!parameter.grad().defined()) continue;
    //~ stops_at_one_without | if (!parameter.grad().defined()) break;
    //~ stops_at_one_without.in_the_step | if (!parameter.grad().defined()) break;
    //~ zeroed_without_a_gradient | if (!parameter.grad().defined()) {
    //~ zeroed_without_a_gradient |   parameter.mul_(0.0);
    //~ zeroed_without_a_gradient |   continue;
    //~ zeroed_without_a_gradient | }
    parameter.sub_(lr * parameter.grad());
    //~ uphill | parameter.add_(lr * parameter.grad());
    //~ lr_forgotten | parameter.sub_(parameter.grad());
    //~ handle_rebound | Tensor p = parameter;
    //~ handle_rebound | p = p - lr * p.grad();
  }
  //]
}

double clip_grad_norm(const Parameters& parameters, double max_norm) {
  const autograd::NoGradGuard no_grad;
  //[
  //- // TODO: one norm over all gradients, then one factor for all of them. parameter.grad() is a handle, too:
  //- // mul_ changes the gradient itself. x.sum().item() turns a sum into a number.
  //- todo("clip_grad_norm: scale the gradients if their common norm is above max_norm");
  double squares = 0.0;
  //~ sum_is_an_integer | auto squares = 0;
  for (const Tensor& parameter : parameters) {
    const Tensor gradient = parameter.grad();
    if (gradient.defined()) squares += (gradient * gradient).sum().item();
    //~ norms_added | if (gradient.defined()) squares += std::sqrt((gradient * gradient).sum().item());
  }
  const double norm = probe("norm", std::sqrt(squares));
  //~ root_forgotten | const double norm = probe("norm", squares);
  //~ norms_added | const double norm = probe("norm", squares);
  const double factor = norm > max_norm ? max_norm / norm : 1.0;
  //~ clip_always | const double factor = max_norm / norm;
  //~ squares_compared | const double factor = squares > max_norm ? max_norm / norm : 1.0;
  //~ scaled_to_one | const double factor = norm > max_norm ? 1.0 / norm : 1.0;
  //~ scaled_by_max_norm | const double factor = norm > max_norm ? max_norm : 1.0;
  for (const Tensor& parameter : parameters) {
    if (parameter.grad().defined()) parameter.grad().mul_(factor);
    //~ stops_at_one_without | if (!parameter.grad().defined()) break;
    //~ stops_at_one_without | parameter.grad().mul_(factor);
    //~ stops_at_one_without.in_clipping | if (!parameter.grad().defined()) break;
    //~ stops_at_one_without.in_clipping | parameter.grad().mul_(factor);
  }
  //~ clip_each_tensor 4 | for (const Tensor& parameter : parameters) {
  //~ clip_each_tensor |   const Tensor gradient = parameter.grad();
  //~ clip_each_tensor |   if (!gradient.defined()) continue;
  //~ clip_each_tensor |   const double own = std::sqrt((gradient * gradient).sum().item());
  //~ clip_each_tensor |   gradient.mul_(own > max_norm ? max_norm / own : 1.0);
  //~ clip_each_tensor | }
  //~ clip_single_entries 4 | for (const Tensor& parameter : parameters) {
  //~ clip_single_entries |   if (!parameter.grad().defined()) continue;
  //~ clip_single_entries |   parameter.set_grad(parameter.grad().clamp(-max_norm, max_norm));
  //~ clip_single_entries | }
  return norm;
  //~ norm_after_clipping | return norm < max_norm ? norm : max_norm;
  //]
}

std::vector<double> train(const Parameters& parameters, const Loss& loss, int steps, double lr, double max_norm) {
  std::vector<double> losses;
  for (int step = 0; step < steps; ++step) {
    //[
    //- // TODO: clipping, backward, the loss, zero_grad() of every parameter, the step: in which order?
    //- todo("train: one step of the loop");
    for (const Tensor& parameter : parameters) parameter.zero_grad();
    //~ no_zero_grad |
    //~ no_zero_grad.once | if (step == 0) {
    //~ no_zero_grad.once |   for (const Tensor& parameter : parameters) parameter.zero_grad();
    //~ no_zero_grad.once | }
    const Tensor value = loss();
    value.backward();
    //~ zeroed_before_the_step | value.backward();
    //~ zeroed_before_the_step | for (const Tensor& parameter : parameters) parameter.zero_grad();
    clip_grad_norm(parameters, max_norm);
    sgd_step(parameters, lr);
    //~ clipped_too_late 2 | sgd_step(parameters, lr);
    //~ clipped_too_late | clip_grad_norm(parameters, max_norm);
    losses.push_back(value.item());
    //~ zeroed_at_the_end 6 | const Tensor value = loss();
    //~ zeroed_at_the_end | value.backward();
    //~ zeroed_at_the_end | clip_grad_norm(parameters, max_norm);
    //~ zeroed_at_the_end | sgd_step(parameters, lr);
    //~ zeroed_at_the_end | losses.push_back(value.item());
    //~ zeroed_at_the_end | for (const Tensor& parameter : parameters) parameter.zero_grad();
    //~ step_before_backward 6 | losses.push_back(loss().item());
    //~ step_before_backward | clip_grad_norm(parameters, max_norm);
    //~ step_before_backward | sgd_step(parameters, lr);
    //~ step_before_backward | for (const Tensor& parameter : parameters) parameter.zero_grad();
    //~ step_before_backward | loss().backward();
    //~ loss_after_the_step | losses.push_back(loss().item());
    //~ one_parameter_at_a_time 6 | losses.push_back(loss().item());
    //~ one_parameter_at_a_time | for (const Tensor& parameter : parameters) {
    //~ one_parameter_at_a_time |   for (const Tensor& each : parameters) each.zero_grad();
    //~ one_parameter_at_a_time |   loss().backward();
    //~ one_parameter_at_a_time |   clip_grad_norm(parameters, max_norm);
    //~ one_parameter_at_a_time |   sgd_step({parameter}, lr);
    //~ one_parameter_at_a_time | }
    //]
  }
  return losses;
}
