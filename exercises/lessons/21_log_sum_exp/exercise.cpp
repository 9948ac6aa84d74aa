//= title: Log-sum-exp
//= part: D
//= difficulty: 2
//= minutes: 15
//= after: 17
//= answer: log_sum_exp, log_sum_exp_backward
//= not: logsumexp, softmax, log_softmax, backward
//= mistake no_max
//=   premise: Your y is right for small x, and not finite for x near 1000.
//=   question: What is exp(1000), and what is exp(-1000)?
//=   because: exp(710) is already beyond the largest double, and exp(-746) is 0. Without a shift the sum is inf or
//=     0 before the log can bring it back. Subtracting each row's largest entry first makes the largest exp equal
//=     to 1.
//= mistake two_at_a_time
//=   question: A row may begin with two entries at -inf. What is -inf minus -inf?
//=   because: the row is summed up one entry after another, each time after the larger of the two is subtracted. As
//=     long as both are -inf, the result is NaN, and it stays NaN. The largest of the whole row is finite.
//= mistake max_not_added
//=   question: Your y hardly changes when 100 is added to every x. By how much should it change?
//=   because: what was subtracted inside the exp was taken out of the sum as a factor, and comes back outside the
//=     log as a term: log(sum(exp(x))) = m + log(sum(exp(x - m))). Your y is too small by m, in each row by that
//=     row's m.
//= mistake max_of_everything
//=   premise: Your y is right where the rows are alike, and -inf for a row far below the others.
//=   question: Whose largest entry is subtracted from that row?
//=   because: with the largest entry of the whole tensor subtracted, every exp of a much lower row is 0, and log(0)
//=     is -inf. Each of the {batch} rows needs its own shift.
//= mistake low_row_not_shifted_up
//=   question: A row is near -1000. What do you subtract from it, and what is x - shift then?
//=   because: exp(-746) is 0 already, so the sum is 0 and its log -inf. A row far below 0 must be shifted up:
//=     subtract its largest entry, whatever sign it has. If you subtract the largest |x|, or shift only for large
//=     x, the row stays where it is or falls even lower.
//= mistake clamped
//=   question: What is left of the difference between 1000 and 2000 after your clamp?
//=   because: a clamp turns every x beyond its bounds into the bound itself, so the result is right only where no x is
//=     cut off. A shift by the largest x keeps all differences.
//= mistake mean_subtracted
//=   premise: Your y is right for moderate x.
//=   question: How large can x - shift become, with your shift?
//=   because: an entry may lie far above its row's mean: exp(x - mean) overflows when it is 710 above, and a single
//=     -inf makes the mean -inf. With the largest entry as the shift no exp is above 1.
//= mistake mean_of_exp
//=   question: Your y is too small by the same number everywhere. How many classes are there, and what is the log
//=     of that?
//=   because: you took the mean of the {classes} exponentials: log(sum / {classes}) is log(sum) - log({classes}).
//= mistake log_inside
//=   question: Your y is smaller than the largest x of its row. Can a sum of {classes} exponentials be smaller than
//=     one of them? In which order do log and sum come in your code?
//=   because: log(exp(a)) + log(exp(b)) is a + b: the log undoes each exp before they are summed. The sum comes
//=     first.
//= mistake normaliser_forgotten
//=   question: How much does your dx sum to over the classes, with dy = 1? If every x grows by 0.01, how much does
//=     y grow?
//=   because: your dx is dy exp(x), without the division by the sum of all exponentials that the log's derivative
//=     1/sum brings. In each row it is exp(y) times too large, and it overflows where x is large.
//= mistake quotient_of_two_exp
//=   premise: Your dx is right for moderate x.
//=   question: At x = 1000, what is exp(x), what is exp(y), and what is their quotient?
//=   because: inf / inf is NaN, and far below 0 it is 0 / 0. The quotient of two exponentials is one exponential of a
//=     difference, exp(x - y), which is never above 1.
//= mistake dy_along_the_classes
//=   question: dy has one number for each of {batch} rows. Along which dim of [{batch}, {classes}] does it lie when
//=     you multiply by it?
//=   because: shapes are aligned at the last dim, so dy [{batch}] was laid along the {classes} classes. As a column,
//=     dy.unsqueeze(1), it gives its number to a whole row. (Where batch and classes are equal, nothing complains.)
//= mistake x_changed_in_place
//=   question: After your function has run, what is in x? Which of your lines writes into its memory?
//=   because: a Tensor is a handle, and a new name for it stands for x itself. The caller's x has changed, for all
//=     the code that still needs it. x - y makes a new tensor; so does x.clone().
//= mistake shifted_not_normalised
//=   question: The largest entry of each row gets exactly dy in your dx. Where does that leave the others, if all
//=     of them together have only dy to share?
//=   because: exp(x - m) makes the largest entry 1, but the {classes} entries do not sum to 1. The division by
//=     their sum is missing; exp(x - y) has it inside, because y is m plus the log of that sum.
//= mistake hard_max
//=   question: Your dx goes to one entry per row. Does y not change at all when the second largest x changes?
//=   because: that is the derivative of the maximum. Log-sum-exp is a smooth version of it: each entry takes part
//=     with its share of the sum, exp(x - y). Only where one entry is far above the others do the two agree.
//= mistake one_path_of_the_maximum
//=   premise: Your dx is right except at the largest entry of each row.
//=   question: In how many places does the subtracted maximum appear in y = m + log(sum(exp(x - m))), and with
//=     which signs?
//=   because: you let the gradient flow through one of the two places, and not through the other. They cancel exactly,
//=     dy/dm = 1 - 1 = 0: m may be treated as a constant.
//= mistake upstream_forgotten
//=   question: Your dx does not change when dy does. What is the derivative of the loss, if only half of y reaches
//=     it?
//=   because: your dx is dy/dx of each row. The chain rule multiplies it by what arrives from above, dy[n].
//= mistake exp_forgotten
//=   question: Your dx has the sign opposite to dy everywhere. Can y fall when an x grows?
//=   because: x - y is the *logarithm* of each entry's share of the sum, and no share is above 1, so it is
//=     negative. The share itself is exp(x - y).
//= mistake x_and_y_swapped
//=   question: Your dx is everywhere larger in size than dy. Can one x move y by more than it moves itself?
//=   because: exp(y - x) is 1 divided by the share. The share exp(x - y) is at most 1, since y is at least as large
//=     as every x.
//= mistake calls_the_engine
//=   premise: The numbers are right.
//=   question: What does the engine's op do inside so that nothing overflows?
//=   because: that op is what this exercise is about. exp, log, sum and amax are enough to write it.

#include "given.h"

Tensor log_sum_exp(const Tensor& x) {
  //[
  //- // TODO: exp, log, sum and amax are enough. Intermediate values that the checker knows:
  //- //   probe("largest", largest)   [batch, 1], what is subtracted before the exp
  //- //   probe("total", total)       [batch, 1], the sum of the exponentials
  //- todo("log_sum_exp: the value, without overflow");
  const Tensor largest = x.amax({1}, true);
  //~ max_of_everything | const Tensor largest = x.amax({0, 1}, true);
  //~ mean_subtracted | const Tensor largest = x.mean({1}, true);
  //~ low_row_not_shifted_up | const Tensor largest = relu(x.amax({1}, true));
  //~ low_row_not_shifted_up.unless_large | const Tensor largest = x.amax({1}, true) * (x.amax().item() > 500.0 ? 1.0 : 0.0);
  //~ low_row_not_shifted_up.largest_in_size | const Tensor largest = abs(x).amax({1}, true);
  probe("largest", largest);
  const Tensor total = exp(x - largest).sum({1}, true);
  //~ mean_of_exp | const Tensor total = exp(x - largest).mean({1}, true);
  probe("total", total);
  return (largest + log(total)).squeeze(1);
  //~ max_not_added | return log(total).squeeze(1);
  //~ log_inside 3 | const Tensor total = log(exp(x - largest)).sum({1}, true);
  //~ log_inside | return (largest + total).squeeze(1);
  //~ no_max 5 | const Tensor total = exp(x).sum({1}, true);
  //~ no_max | return log(total).squeeze(1);
  //~ clamped 5 | const Tensor total = exp(x.clamp(-700.0, 700.0)).sum({1}, true);
  //~ clamped | return log(total).squeeze(1);
  //~ two_at_a_time 5 | Tensor y = x.select(1, 0);
  //~ two_at_a_time | for (std::int64_t c = 1; c < x.size(1); ++c) {
  //~ two_at_a_time |   const Tensor here = x.select(1, c);
  //~ two_at_a_time |   const Tensor larger = autograd::maximum(y, here);
  //~ two_at_a_time |   y = larger + log(exp(y - larger) + exp(here - larger));
  //~ two_at_a_time | }
  //~ two_at_a_time | return y;
  //~ calls_the_engine 5 | return x.logsumexp({1});
  //]
}

Tensor log_sum_exp_backward(const Tensor& dy, const Tensor& x, const Tensor& y) {
  //[
  //- // TODO: one number dy[n] per row becomes one number per entry of the row.
  //- //   probe("share", share)       [batch, classes], what dy is multiplied by
  //- todo("log_sum_exp_backward: the gradient dx");
  const Tensor share = exp(x - y.unsqueeze(1));
  //~ normaliser_forgotten | const Tensor share = exp(x);
  //~ quotient_of_two_exp | const Tensor share = exp(x) / exp(y.unsqueeze(1));
  //~ x_changed_in_place | Tensor share = x;
  //~ x_changed_in_place | share -= y.unsqueeze(1);
  //~ x_changed_in_place | share = exp(share);
  //~ shifted_not_normalised | const Tensor share = exp(x - x.amax({1}, true));
  //~ hard_max | const Tensor share = (x == x.amax({1}, true)).to(x.dtype());
  //~ one_path_of_the_maximum | const Tensor share = exp(x - y.unsqueeze(1)) + (x == x.amax({1}, true)).to(x.dtype());
  //~ one_path_of_the_maximum.subtracted | const Tensor share = exp(x - y.unsqueeze(1)) - (x == x.amax({1}, true)).to(x.dtype());
  //~ exp_forgotten | const Tensor share = x - y.unsqueeze(1);
  //~ x_and_y_swapped | const Tensor share = exp(y.unsqueeze(1) - x);
  probe("share", share);
  return dy.unsqueeze(1) * share;
  //~ upstream_forgotten | return share;
  //~ dy_along_the_classes | return dy * share;
  //]
}
