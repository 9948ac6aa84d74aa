//= title: Adam
//= part: E
//= difficulty: 2
//= minutes: 20
//= after: 26
//= answer: adam_step
//= unnamed pair: no_correction + eps_before_correction
//= unnamed pair: no_correction + gradient_in_the_numerator
//= unnamed pair: second_not_corrected + eps_before_correction
//= unnamed pair: second_not_corrected + gradient_in_the_numerator
//= unnamed pair: counted_from_zero + eps_inside_the_root
//= unnamed pair: counted_from_zero + eps_before_correction
//= unnamed pair: counted_from_zero + root_forgotten
//= unnamed pair: counted_from_zero + uphill
//= mistake no_correction
//=   question: Your first step is about 3.16 lr. After one step, exp_avg is a tenth of the gradient. What is
//=     exp_avg_sq?
//=   because: the averages begin at zero and were used as they are: 0.1 g / sqrt(0.001 g^2) = 3.16. Dividing by 1 -
//=     beta^t takes the zeros out again.
//= mistake second_not_corrected
//=   question: One of the two averages begins at its right size in your step. What about the other?
//=   because: exp_avg was corrected, exp_avg_sq was not. It is a thousandth of g^2 after the first step, and the
//=     step becomes 31.6 times too long.
//= mistake correction_of_the_first_step
//=   question: Your first step is right, and the later ones are not. What in your formula changes from step to step?
//=   because: 1 - beta was used instead of 1 - beta^t. They are equal only at t = 1; later the averages need less
//=     and less correction.
//= mistake counted_from_zero
//=   question: What is beta^0, and what is 1 - beta^0?
//=   because: the first step was computed with t = 0: zero divided by zero. t counts from 1.
//= mistake counted_ahead
//=   question: Which t does your first step have?
//=   because: it was computed with t = 2: the count was increased once too often.
//= mistake counted_per_parameter
//=   question: Your first parameter is right. Which t do you use for the second, in the same step?
//=   because: the count was increased for every parameter. All parameters of one step have the same t.
//= mistake eps_inside_the_root
//=   question: Where does eps stand in your step, and how large is sqrt(1e-8)?
//=   because: eps was added under the root, where it counts as its own root: 1e-4 in place of 1e-8.
//= mistake eps_before_correction
//=   question: With a tiny eps your steps are right. To what do you add it: to the root of exp_avg_sq, or of the
//=     corrected one?
//=   because: eps was added before the correction, which then makes it larger too. (The paper mentions this form,
//=     and TensorFlow used it; asked for is PyTorch's.)
//= mistake betas_exchanged
//=   question: Which of the two averages is to remember longer?
//=   because: beta1 belongs to the average of the gradient (about 10 steps), beta2 to that of its square (about
//=     1000).
//= mistake square_forgotten
//=   question: Where does your NaN come from? Which numbers can a running average of the gradient be, and which one
//=     of its square?
//=   because: exp_avg_sq was given the gradient itself, and the root of a negative number is NaN.
//= mistake root_forgotten
//=   question: All gradients become ten times as large. How much larger should Adam's first step be, and how much is
//=     yours?
//=   because: the step was divided by the average of the squares, not by its root: it becomes smaller where the
//=     gradient is larger.
//= mistake gradient_in_the_numerator
//=   question: What is exp_avg for, in your step?
//=   because: the step follows the newest gradient alone (this is RMSprop). Adam goes along the corrected average.
//= mistake average_not_weighted
//=   question: If every gradient is 1, what does a running average of them tend to, and what does yours tend to?
//=   because: the whole gradient was added in place of a 1 - beta1 part of it, as in SGD with momentum. That sum
//=     tends to 1 / (1 - beta1).
//= mistake averages_not_kept
//=   question: What does exp_avg know about the last step, after yours?
//=   because: the old average is not in the new one: it was overwritten.
//= mistake zeroed_without_a_gradient
//=   question: What is left of a parameter that has no gradient, after your step?
//=   because: it became 0: its gradient may be taken for 0, but the parameter itself is left alone. Part of a model
//=     may well not be in use.
//= mistake uphill
//=   question: If the gradient is positive, which way does the parameter have to go?
//=   because: the step was added; the loss grows along the gradient.

#include "given.h"

void adam_step(const Parameters& parameters, AdamState& state, const AdamOptions& options) {
  const autograd::NoGradGuard no_grad;  // the step is not a part of the graph
  //[
  //- // TODO: count the step; for each parameter the two averages, their corrections, the step itself.
  //- // probe("exp_avg_hat", ..) and probe("exp_avg_sq_hat", ..) show the corrected averages to the checker.
  //- todo("adam_step: one step of Adam");
  ++state.step;
  //~ counted_ahead | state.step += state.step == 0 ? 2 : 1;
  const auto t = static_cast<double>(state.step);
  const double correction1 = 1.0 - std::pow(options.beta1, t);
  const double correction2 = 1.0 - std::pow(options.beta2, t);
  //~ no_correction 2 | const double correction1 = 1.0;
  //~ no_correction | const double correction2 = 1.0;
  //~ second_not_corrected | const double correction2 = 1.0;
  //~ counted_from_zero 4 | const auto t = static_cast<double>(state.step++);
  //~ counted_from_zero | const double correction1 = 1.0 - std::pow(options.beta1, t);
  //~ counted_from_zero | const double correction2 = 1.0 - std::pow(options.beta2, t);
  //~ correction_of_the_first_step 2 | const double correction1 = 1.0 - options.beta1;
  //~ correction_of_the_first_step | const double correction2 = 1.0 - options.beta2;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Tensor gradient = parameters[i].grad();
    if (!gradient.defined()) continue;
    //~ zeroed_without_a_gradient | if (!gradient.defined()) {
    //~ zeroed_without_a_gradient |   parameters[i].mul_(0.0);
    //~ zeroed_without_a_gradient |   continue;
    //~ zeroed_without_a_gradient | }
    Tensor& exp_avg = state.exp_avg[i];
    Tensor& exp_avg_sq = state.exp_avg_sq[i];
    //~ counted_per_parameter 9 | for (std::size_t i = 0; i < parameters.size(); ++i) {
    //~ counted_per_parameter |   const Tensor gradient = parameters[i].grad();
    //~ counted_per_parameter |   if (!gradient.defined()) continue;
    //~ counted_per_parameter |   Tensor& exp_avg = state.exp_avg[i];
    //~ counted_per_parameter |   Tensor& exp_avg_sq = state.exp_avg_sq[i];
    //~ counted_per_parameter |   const auto t = static_cast<double>(++state.step);
    //~ counted_per_parameter |   const double correction1 = 1.0 - std::pow(options.beta1, t);
    //~ counted_per_parameter |   const double correction2 = 1.0 - std::pow(options.beta2, t);
    exp_avg = options.beta1 * exp_avg + (1.0 - options.beta1) * gradient;
    //~ average_not_weighted | exp_avg = options.beta1 * exp_avg + gradient;
    exp_avg_sq = options.beta2 * exp_avg_sq + (1.0 - options.beta2) * gradient * gradient;
    //~ square_forgotten | exp_avg_sq = options.beta2 * exp_avg_sq + (1.0 - options.beta2) * gradient;
    //~ betas_exchanged 2 | exp_avg = options.beta2 * exp_avg + (1.0 - options.beta2) * gradient;
    //~ betas_exchanged | exp_avg_sq = options.beta1 * exp_avg_sq + (1.0 - options.beta1) * gradient * gradient;
    //~ averages_not_kept 2 | exp_avg = (1.0 - options.beta1) * gradient;
    //~ averages_not_kept | exp_avg_sq = (1.0 - options.beta2) * gradient * gradient;
    const Tensor exp_avg_hat = probe("exp_avg_hat", exp_avg / correction1);
    //~ gradient_in_the_numerator | const Tensor exp_avg_hat = gradient;
    const Tensor exp_avg_sq_hat = probe("exp_avg_sq_hat", exp_avg_sq / correction2);
    parameters[i].sub_(options.lr * exp_avg_hat / (exp_avg_sq_hat.sqrt() + options.eps));
    //~ uphill | parameters[i].add_(options.lr * exp_avg_hat / (exp_avg_sq_hat.sqrt() + options.eps));
    //~ root_forgotten | parameters[i].sub_(options.lr * exp_avg_hat / (exp_avg_sq_hat + options.eps));
    //~ eps_inside_the_root | parameters[i].sub_(options.lr * exp_avg_hat / (exp_avg_sq_hat + options.eps).sqrt());
    //~ eps_before_correction | const Tensor root = (exp_avg_sq.sqrt() + options.eps) / std::sqrt(correction2);
    //~ eps_before_correction | parameters[i].sub_(options.lr * exp_avg_hat / root);
  }
  //]
}
