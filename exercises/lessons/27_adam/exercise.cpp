//= title: Adam
//= part: D
//= difficulty: 2
//= minutes: 20
//= after: 20
//= answer: adam_step
//= mistake corrected_kept
//=   premise: Your first steps are right.
//=   question: Which average goes on to the next step: the one as it is, or the corrected one?
//=   because: the corrected averages were written into the state, so the next step averages with a number that is
//=     too large already. Correct them only in the quotient.
//= mistake beta1_for_both
//=   question: Your first step is ten times too long with the usual betas. Which beta was exp_avg_sq averaged with, and
//=     which corrects it?
//=   because: exp_avg_sq forgets by beta2, so what is missing in it is beta2^t. It was divided by 1 - beta1^t.
//= mistake corrections_end
//=   question: beta2 is 0.999. How far is 1 - beta2^t from 1 at step 200?
//=   because: after some number of steps the corrections are left out. The correction of exp_avg is nearly 1 by
//=     then, but that of exp_avg_sq is 0.18 at step 200: without it the steps are less than half as long.
//= mistake no_correction
//=   question: Your first step is about 3.16 lr. After one step, exp_avg is a tenth of the gradient. What is
//=     exp_avg_sq?
//=   because: the averages begin at zero and were used as they are: 0.1 g / sqrt(0.001 g^2) = 3.16. Dividing by 1 -
//=     beta^t removes the effect of the initial zeros.
//= mistake second_not_corrected
//=   premise: One of the two averages begins at its right size in your step.
//=   question: What about the other?
//=   because: exp_avg was corrected, exp_avg_sq was not. It is a thousandth of g^2 after the first step, and the
//=     step becomes 31.6 times too long.
//= mistake first_not_corrected
//=   premise: One of the two averages begins at its right size in your step.
//=   question: What about the other?
//=   because: exp_avg_sq was corrected, exp_avg was not. It is a tenth of the gradient after the first step, and so the
//=     step is ten times too short.
//= mistake correction_of_the_first_step
//=   premise: Your first step is right, and the later ones are not.
//=   question: What in your formula changes from step to step?
//=   because: 1 - beta was used instead of 1 - beta^t. They are equal only at t = 1; later the averages need less
//=     and less correction.
//= mistake counted_from_zero
//=   question: What is beta^0, and what is 1 - beta^0?
//=   because: the first step was computed with t = 0: zero divided by zero. t counts from 1.
//= mistake counted_late
//=   question: Which t does your second step have?
//=   because: it has t = 1: the count goes up after the step, so each step has a t that is one too small. Keeping
//=     the first step from dividing by 1 - beta^0 does not help the later ones.
//= mistake counted_ahead
//=   question: Which t does your first step have?
//=   because: it was computed with t = 2: the count was increased once too often.
//= mistake counted_per_parameter
//=   premise: In the first step your first parameter is right.
//=   question: Which t do you use for the second, in the same step?
//=   because: the count was increased for every parameter. All parameters of one step have the same t.
//= mistake eps_inside_the_root
//=   question: Where is eps in your step, and how large is sqrt(1e-8)?
//=   because: eps was added under the root, where it counts as its own root: 1e-4 instead of 1e-8.
//= mistake eps_before_correction
//=   question: The smaller eps is, the closer your steps are to the right ones. To what do you add it: to the root
//=     of exp_avg_sq, or of the corrected one?
//=   because: eps was added before the correction, which then makes it larger too. (The paper mentions this form,
//=     and TensorFlow used it; this exercise asks for PyTorch's.)
//= mistake betas_exchanged
//=   question: Which of the two averages should remember longer, and which beta does each of yours take?
//=   because: beta1 belongs to the average of the gradient (about 10 steps), beta2 to the average of its square
//=     (about 1000).
//= mistake square_forgotten
//=   question: Where does your NaN come from? Which values can a running average of the gradient have, and which
//=     can an average of its square have?
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
//=   because: the whole gradient was added instead of a 1 - beta1 part of it, as in SGD with momentum. That sum
//=     tends to 1 / (1 - beta1).
//= mistake averages_not_kept
//=   question: What does exp_avg know about the last step, after yours?
//=   because: the old average is not in the new one: it was overwritten.
//= mistake zeroed_without_a_gradient
//=   question: What is left of a parameter that has no gradient, after your step?
//=   because: it became 0. You may take its gradient to be 0, but leave the parameter itself alone: part of a model
//=     may well be unused in a step.
//= mistake no_gradient_taken_for_zero
//=   question: A parameter has a gradient in one step, and none in the next. What moves yours there?
//=   because: the missing gradient was taken for 0. The old averages then fade, but they go on pushing the
//=     parameter. It must be left alone, averages and all, until it has a gradient again.
//= mistake zero_taken_for_no_gradient
//=   question: A gradient may exist and be 0 everywhere. What happens to the averages in such a step, and to the
//=     parameter?
//=   because: a gradient of zeros was skipped like a missing one. It is a gradient: the averages fade by it, and
//=     what is left of them moves the parameter.
//= mistake stops_at_one_without
//=   question: One of the parameters has no gradient. What becomes of those that come after it in the list?
//=   because: the loop ends there (break, or return), and the later ones are left out. Skip the parameter without a
//=     gradient: continue goes on with the next.
//= mistake betas_fixed
//=   premise: Your steps are right with the usual betas, 0.9 and 0.999.
//=   question: Where does your code get them from?
//=   because: they are written into your code as numbers. The caller may choose others: options.beta1 and
//=     options.beta2.
//= mistake corrections_fixed
//=   premise: Your averages are right with any betas, but your step is right only with the usual ones.
//=   question: Which betas do your corrections use?
//=   because: the corrections have 0.9 and 0.999 in them as numbers. What the averages have reached after t steps
//=     depends on the betas that they were made with: options.beta1 and options.beta2.
//= mistake uphill
//=   question: If the gradient is positive, which way must the parameter go?
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
  //~ first_not_corrected | const double correction1 = 1.0;
  const double correction2 = 1.0 - std::pow(options.beta2, t);
  //~ betas_exchanged.corrections_too 2 | const double correction1 = 1.0 - std::pow(options.beta2, t);
  //~ betas_exchanged.corrections_too | const double correction2 = 1.0 - std::pow(options.beta1, t);
  //~ no_correction 2 | const double correction1 = 1.0;
  //~ no_correction | const double correction2 = 1.0;
  //~ corrections_end 2 | const double correction1 = t > 100.0 ? 1.0 : 1.0 - std::pow(options.beta1, t);
  //~ corrections_end | const double correction2 = t > 100.0 ? 1.0 : 1.0 - std::pow(options.beta2, t);
  //~ beta1_for_both | const double correction2 = 1.0 - std::pow(options.beta1, t);
  //~ second_not_corrected | const double correction2 = 1.0;
  //~ betas_fixed 2 | const double correction1 = 1.0 - std::pow(0.9, t);
  //~ betas_fixed | const double correction2 = 1.0 - std::pow(0.999, t);
  //~ corrections_fixed 2 | const double correction1 = 1.0 - std::pow(0.9, t);
  //~ corrections_fixed | const double correction2 = 1.0 - std::pow(0.999, t);
  //~ counted_from_zero 4 | const auto t = static_cast<double>(state.step++);
  //~ counted_from_zero | const double correction1 = 1.0 - std::pow(options.beta1, t);
  //~ counted_from_zero | const double correction2 = 1.0 - std::pow(options.beta2, t);
  //~ counted_late 4 | const auto t = static_cast<double>(std::max<std::int64_t>(state.step++, 1));
  //~ counted_late | const double correction1 = 1.0 - std::pow(options.beta1, t);
  //~ counted_late | const double correction2 = 1.0 - std::pow(options.beta2, t);
  //~ counted_late.first_not_corrected 4 | const auto t = static_cast<double>(state.step++);
  //~ counted_late.first_not_corrected | const double correction1 = t > 0.0 ? 1.0 - std::pow(options.beta1, t) : 1.0;
  //~ counted_late.first_not_corrected | const double correction2 = t > 0.0 ? 1.0 - std::pow(options.beta2, t) : 1.0;
  //~ correction_of_the_first_step 2 | const double correction1 = 1.0 - options.beta1;
  //~ correction_of_the_first_step | const double correction2 = 1.0 - options.beta2;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Tensor gradient = parameters[i].grad();
    //~ no_gradient_taken_for_zero | const bool without = !parameters[i].grad().defined();
    //~ no_gradient_taken_for_zero | const Tensor gradient = without ? zeros_like(parameters[i]) : parameters[i].grad();
    if (!gradient.defined()) continue;
    //~ zero_taken_for_no_gradient | if (!gradient.defined() || all(gradient == 0.0)) continue;
    //~ stops_at_one_without | if (!gradient.defined()) break;
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
    //~ betas_exchanged.first_alone | exp_avg = options.beta2 * exp_avg + (1.0 - options.beta2) * gradient;
    //~ average_not_weighted | exp_avg = options.beta1 * exp_avg + gradient;
    exp_avg_sq = options.beta2 * exp_avg_sq + (1.0 - options.beta2) * gradient * gradient;
    //~ betas_exchanged.corrections_too 2 | exp_avg = options.beta2 * exp_avg + (1.0 - options.beta2) * gradient;
    //~ betas_exchanged.corrections_too | exp_avg_sq = options.beta1 * exp_avg_sq + (1.0 - options.beta1) * gradient * gradient;
    //~ betas_exchanged.second_alone | exp_avg_sq = options.beta1 * exp_avg_sq + (1.0 - options.beta1) * gradient * gradient;
    //~ square_forgotten | exp_avg_sq = options.beta2 * exp_avg_sq + (1.0 - options.beta2) * gradient;
    //~ betas_fixed 2 | exp_avg = 0.9 * exp_avg + (1.0 - 0.9) * gradient;
    //~ betas_fixed | exp_avg_sq = 0.999 * exp_avg_sq + (1.0 - 0.999) * gradient * gradient;
    //~ betas_exchanged 2 | exp_avg = options.beta2 * exp_avg + (1.0 - options.beta2) * gradient;
    //~ betas_exchanged | exp_avg_sq = options.beta1 * exp_avg_sq + (1.0 - options.beta1) * gradient * gradient;
    //~ averages_not_kept 2 | exp_avg = (1.0 - options.beta1) * gradient;
    //~ averages_not_kept | exp_avg_sq = (1.0 - options.beta2) * gradient * gradient;
    const Tensor exp_avg_hat = probe("exp_avg_hat", exp_avg / correction1);
    //~ gradient_in_the_numerator | const Tensor exp_avg_hat = gradient;
    //~ corrected_kept | exp_avg = exp_avg / correction1;
    //~ corrected_kept | const Tensor exp_avg_hat = probe("exp_avg_hat", exp_avg);
    const Tensor exp_avg_sq_hat = probe("exp_avg_sq_hat", exp_avg_sq / correction2);
    //~ corrected_kept | exp_avg_sq = exp_avg_sq / correction2;
    //~ corrected_kept | const Tensor exp_avg_sq_hat = probe("exp_avg_sq_hat", exp_avg_sq);
    parameters[i].sub_(options.lr * exp_avg_hat / (exp_avg_sq_hat.sqrt() + options.eps));
    //~ uphill | parameters[i].add_(options.lr * exp_avg_hat / (exp_avg_sq_hat.sqrt() + options.eps));
    //~ root_forgotten | parameters[i].sub_(options.lr * exp_avg_hat / (exp_avg_sq_hat + options.eps));
    //~ eps_inside_the_root | parameters[i].sub_(options.lr * exp_avg_hat / (exp_avg_sq_hat + options.eps).sqrt());
    //~ eps_before_correction | const Tensor root = (exp_avg_sq.sqrt() + options.eps) / std::sqrt(correction2);
    //~ eps_before_correction | parameters[i].sub_(options.lr * exp_avg_hat / root);
  }
  //]
}
