//= title: Log-softmax
//= part: D
//= difficulty: 2
//= minutes: 15
//= after: 21, 22
//= answer: log_probabilities, log_softmax_vjp
//= not: log_softmax, logsumexp, backward
//= mistake log_of_softmax
//=   premise: Your y is right for moderate x, and -inf where an entry lies 1000 below the largest.
//=   question: What is exp(-1000) in a double, and what is its log?
//=   because: a probability below 1e-324 is 0 as a double, and its log is -inf. Its logarithm, -1000, is a harmless
//=     number: subtract the log of the sum from x, instead of taking the log of a quotient.
//= mistake no_max
//=   premise: Your y is right for moderate x, and not finite at x = 1000.
//=   question: Which number in your code overflows?
//=   because: the sum of exp(x) is inf at x = 1000 and 0 at x = -1000, so its log is not a number that you can
//=     subtract. Subtract the largest entry of each row first.
//= mistake max_left_in
//=   question: Do the exponentials of your y sum to 1 in each row? By which factor are they off, if the largest x
//=     of the row is 2?
//=   because: you subtract log(sum(exp(x - m))) from x, but it belongs to x - m. Your y is too large by m, the
//=     largest entry of its row.
//= mistake one_maximum
//=   premise: Your y is right for moderate x, and not finite in a row that lies 2000 below another.
//=   question: Whose largest entry do you subtract there?
//=   because: one largest entry was taken for the whole batch. In a row far below it all exponentials are 0, and the
//=     log of their sum is -inf. Each row needs its own.
//= mistake first_as_shift
//=   premise: Your y is right for moderate x, and not finite where the first entry of a row lies 1000 below another.
//=   question: What is left to overflow there?
//=   because: the first entry of the row was subtracted. On paper, any number of the row will do; only with the
//=     largest is no exponential above 1.
//= mistake mean_as_shift
//=   premise: Your y is right for moderate x, and not finite where one entry lies 5000 above the others.
//=   question: How far above what you subtract is it?
//=   because: the mean of the row was subtracted. An entry can lie far above the mean, and its exponential overflows;
//=     with the largest entry no exponential is above 1.
//= mistake tiny_added
//=   question: Your y is finite, but near -27.6, or -690.8, where it should be -1000. Which number has that
//=     logarithm?
//=   because: a small number, 1e-12 or 1e-300, was added to the probability. That removes the -inf, but every class
//=     below that number gets the same logarithm. x minus the log of the sum needs no probability at all.
//= mistake log_forgotten
//=   question: Your y is x minus a sum of exponentials. The log of a quotient a/s is log(a) minus what?
//=   because: log(exp(x) / s) = x - log(s). You subtract s itself.
//= mistake normalised_over_batch
//=   question: The exponentials of your y sum to 1 along one dim. Along which, and which should it be?
//=   because: your sum runs over the {batch} rows, so that each class is a distribution over the rows. Every row is
//=     a distribution over its {classes} classes.
//= mistake whole_sum
//=   question: All exponentials of your y together sum to 1. How many distributions should there be in y?
//=   because: you divide by one sum over everything. Each of the {batch} rows is a distribution of its own and has
//=     a sum of its own.
//= mistake exp_forgotten
//=   question: Your dx subtracts y times the sum of dy. What is y here, a probability or the logarithm of one?
//=   because: dx = dy - p sum(dy) needs the probabilities p. What you have is y = log p, and all of y is negative;
//=     p is exp(y).
//= mistake sum_is_one
//=   question: Your dx is dy - p. For which dy does dy sum to 1 in each row, and does it here?
//=   because: p is multiplied by the sum of dy over the classes. In a cross-entropy that sum is the same number for
//=     every row, so it is often left out; in general, dy can have any sum.
//= mistake softmax_formula
//=   question: Your dx is p (dy - sum(p dy)). Whose backward is that?
//=   because: it is softmax's. In log-softmax the log's derivative 1/p cancels the factor p in front, and turns the
//=     weighted sum into a plain one: dy - p sum(dy).
//= mistake softmax_formula_on_y
//=   question: Your dx multiplies by y. Softmax's backward multiplies by its output, a probability; what is y
//=     here?
//=   because: it is softmax's backward with the output of a different function in it: y (dy - sum(y dy)), where y
//=     is a logarithm. Derive dy[i]/dx[j] again, from y[i] = x[i] - log(s).
//= mistake weighted_total
//=   question: Your dx subtracts p times a mean of dy, weighted by p. Does y[i] = x[i] - log(s) give dy[i] a weight?
//=   because: the weights belong to softmax's backward, which has y[i] in front. Here each dy[i] comes back through
//=     log(s) as it is: the sum of dy is a plain one.
//= mistake divided_by_p
//=   premise: Your dx is right for moderate x, and not where a class lies 1000 below another.
//=   question: By what do you divide there?
//=   because: dy was divided by p, and multiplied by it again on the way through softmax. Where p is rounded to 0 that
//=     is 0/0. On paper the two cancel, and dy itself is left.
//= mistake diagonal_only
//=   question: Your dx is (1 - p) dy. In how many entries of y does x[0] appear?
//=   because: 1 - p[j] is the derivative of y[j] with respect to its own x[j]. x[j] is also in the sum that is
//=     subtracted from all {classes} entries of y, and -p[j] dy[i] comes back from each of them.
//= mistake second_term_dropped
//=   question: Your dx is dy. Is the log of the sum, which you subtract from every x, a constant?
//=   because: it depends on every x of the row, with the derivative p. That is the second term, -p sum(dy).
//= mistake p_left_out
//=   question: Your dx is dy - sum(dy). Does each class contribute equally to the sum that is subtracted from all
//=     of y?
//=   because: d(log s)/dx[j] is p[j]: the sum of dy is handed out in proportion to the probabilities. Yours goes to
//=     every class in full.
//= mistake sign_of_second_term
//=   question: Your dx does not sum to 0 over the classes. Adding the same number to every x of a row changes y by
//=     how much?
//=   because: the log of the sum is *subtracted* from x, so its part of the gradient has a minus sign.
//= mistake summed_over_batch
//=   question: Your dx uses one sum of dy per class. In how many rows of y does the x of one row appear?
//=   because: the sum of dy runs over the {classes} classes of a row, since these share the denominator; the
//=     {batch} rows do not.
//= mistake mean_of_dy
//=   question: The second term of your dx is {classes} times too small. Does each class send back its share, or all
//=     of it?
//=   because: x[j] is in the denominator of all {classes} outputs; the parts that they send back are added, not
//=     averaged.
//= mistake changes_dy
//=   premise: Your dx is right.
//=   question: Into whose memory was it written?
//=   because: `Tensor dx = dy` is a second handle on the same tensor, and an operation in place (-=, sub_) changes the
//=     caller's dy. Subtract into a new tensor, or clone() first.
//= mistake calls_the_engine
//=   premise: The numbers are right.
//=   question: What does the engine's op do inside so that a probability of exp(-1000) gives -1000?
//=   because: that op is what this exercise is about. exp, log, sum and amax are enough to write it.

#include "given.h"

Tensor log_probabilities(const Tensor& x) {
  //[
  //- // TODO: exp, log, sum and amax are enough.
  //- //   probe("log_total", log_total)   [batch, 1], what is subtracted from every x of a row
  //- todo("log_probabilities: the value, without overflow");
  const Tensor largest = x.amax({1}, true);
  const Tensor log_total = largest + log(exp(x - largest).sum({1}, true));
  //~ max_left_in | const Tensor log_total = log(exp(x - largest).sum({1}, true));
  //~ log_forgotten | const Tensor log_total = largest + exp(x - largest).sum({1}, true);
  //~ normalised_over_batch 2 | const Tensor largest = x.amax({0}, true);
  //~ normalised_over_batch | const Tensor log_total = largest + log(exp(x - largest).sum({0}, true));
  //~ whole_sum 2 | const Tensor largest = x.amax();
  //~ whole_sum | const Tensor log_total = largest + log(exp(x - largest).sum());
  //~ one_maximum 2 | const Tensor largest = x.amax();
  //~ one_maximum | const Tensor log_total = largest + log(exp(x - largest).sum({1}, true));
  //~ mean_as_shift 2 | const Tensor largest = x.mean({1}, true);
  //~ mean_as_shift | const Tensor log_total = largest + log(exp(x - largest).sum({1}, true));
  //~ first_as_shift 2 | const Tensor largest = x.narrow(1, 0, 1);
  //~ first_as_shift | const Tensor log_total = largest + log(exp(x - largest).sum({1}, true));
  //~ no_max 2 | const Tensor log_total = log(exp(x).sum({1}, true));
  probe("log_total", log_total);
  return x - log_total;
  //~ log_of_softmax 4 | const Tensor e = exp(x - x.amax({1}, true));
  //~ log_of_softmax | return log(e / e.sum({1}, true));
  //~ tiny_added 4 | const Tensor e = exp(x - x.amax({1}, true));
  //~ tiny_added | return log(e / e.sum({1}, true) + 1e-12);
  //~ tiny_added.smallest 4 | const Tensor e = exp(x - x.amax({1}, true));
  //~ tiny_added.smallest | return log(e / e.sum({1}, true) + 1e-300);
  //~ calls_the_engine 4 | return x.log_softmax(1);
  //]
}

Tensor log_softmax_vjp(const Tensor& dy, const Tensor& y) {
  //[
  //- // TODO: differentiate y[i] = x[i] - log(s) with respect to x[j]; you have y, but not s and x.
  //- //   probe("probabilities", probabilities)   [batch, classes]
  //- //   probe("total", total)                   [batch, 1], the number that all entries of a row have in common
  //- todo("log_softmax_vjp: the gradient dx");
  const Tensor probabilities = exp(y);
  //~ exp_forgotten | const Tensor probabilities = y;
  probe("probabilities", probabilities);
  const Tensor total = dy.sum({1}, true);
  //~ sum_is_one | const Tensor total = ones_like(dy.sum({1}, true));
  //~ summed_over_batch | const Tensor total = dy.sum({0}, true);
  //~ weighted_total | const Tensor total = (probabilities * dy).sum({1}, true);
  //~ mean_of_dy | const Tensor total = dy.mean({1}, true);
  //~ softmax_formula_on_y 3 | const Tensor probabilities = y;
  //~ softmax_formula_on_y | const Tensor total = (probabilities * dy).sum({1}, true);
  probe("total", total);
  return dy - probabilities * total;
  //~ p_left_out | return dy - total;
  //~ changes_dy | Tensor dx = dy;
  //~ changes_dy | dx -= probabilities * total;
  //~ changes_dy | return dx;
  //~ divided_by_p 5 | const Tensor probabilities = exp(y);
  //~ divided_by_p | const Tensor dp = dy / probabilities;
  //~ divided_by_p | return probabilities * (dp - (dp * probabilities).sum({1}, true));
  //~ sign_of_second_term | return dy + probabilities * total;
  //~ diagonal_only 5 | return (1.0 - exp(y)) * dy;
  //~ second_term_dropped 5 | return dy;
  //~ softmax_formula 5 | const Tensor probabilities = exp(y);
  //~ softmax_formula | return probabilities * (dy - (probabilities * dy).sum({1}, true));
  //~ softmax_formula_on_y | return probabilities * (dy - total);
  //]
}
