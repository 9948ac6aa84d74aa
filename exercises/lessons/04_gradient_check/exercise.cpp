//= title: Gradient check that cannot lie
//= part: A
//= difficulty: 2
//= minutes: 20
//= fast track
//= answer: check_backward
//= no steps
//= mistake upstream_of_ones
//=   question: Your check lets "dy forgotten" through. What is dy in your check, and what is a number times it?
//=   because: with dy = 1 everywhere a factor of dy cannot be missed, moving gradients to other places changes
//=     nothing, and a softmax, whose outputs sum to 1, has no gradient at all. A plain sum as the loss amounts to
//=     the same thing.
//= mistake upstream_of_twos
//=   question: Your check lets wrong derivatives of softmax through. In what do the entries of your dy differ
//=     from each other?
//=   because: a dy that is the same number everywhere is a multiple of the plain sum. The outputs of a softmax
//=     sum to 1, whatever goes in, so that a loss with such a dy does not change at all: nothing is measured.
//= mistake same_dy_everywhere
//=   question: Your check lets wrong derivatives of softmax through. In what do the entries of your dy differ
//=     from each other? And how large is a measured derivative of something that does not change?
//=   because: a dy that is the same number everywhere is a multiple of the plain sum. The outputs of a softmax
//=     sum to 1, whatever goes in, so that nothing is left to measure but rounding, which is not exactly 0 and
//=     near enough to it.
//= mistake absolute_tolerance
//=   question: One of the gradients is about 0.000001, and half of it is missing in a wrong one. How large is that
//=     difference beside your tolerance?
//=   because: |a - n| < 0.01, say, tells you nothing about numbers that are themselves smaller than 0.01. The
//=     difference must be compared with the gradient.
//= mistake wide_tolerance
//=   question: One of the wrong gradients is off by 1 %. From which relative error on does your check say "fail"?
//=   because: a wide tolerance, a tenth or a hundredth, lets through what is nearly right. In float64 a right derivative
//=     and a central difference agree to seven digits and more, so a much narrower one costs nothing.
//= mistake first_input_only
//=   question: Which inputs of the linear layer does your check look at? Where does the wrong db show?
//=   because: x is right, and the bias, the third input, was never looked at.
//= mistake first_entry_only
//=   question: How many of the 6 entries of x does your check measure?
//=   because: a gradient that is wrong at one entry only was looked at somewhere else.
//= mistake last_entry_decides
//=   question: If the first entry is wrong and the last is right, what does your check say at the end?
//=   because: the verdict is overwritten at every entry, so the last one decides. What was found wrong once must
//=     stay wrong.
//= mistake one_right_is_enough
//=   question: How many entries have to be right for your check to say "pass"?
//=   because: it passes as soon as one entry agrees, and most wrong gradients agree somewhere.
//= mistake not_zero_is_enough
//=   question: Your check passes everything that is not zero. With what does it compare the gradient?
//=   because: "there is a gradient, and it is not 0" is true of nearly every wrong gradient.
//= mistake magnitudes
//=   question: Is -2 equal to 2? What does your check say to a gradient that is exactly -1 times the right one?
//=   because: the absolute values are compared, so every lost minus sign passes.
//= mistake signed_error
//=   question: If a = 0.5 and n = 2, what is your error, and is it larger than your tolerance?
//=   because: a - n is negative wherever a is too small, and a negative number is below every tolerance. The
//=     gradient that is cut off at 0.5 is nowhere too large.
//= mistake sums_compared
//=   premise: Your check lets a gradient through that has the right numbers at the wrong places.
//=   question: What is compared with what?
//=   because: the sums over all entries are compared. Numbers that change places do not change their sum.
//= mistake norm_of_everything
//=   question: One of two inputs has gradients of about 0.000001, the other one of about 1. If half of the small
//=     ones is missing, how much does that change your norm?
//=   because: in a norm over all inputs, or in a comparison with the largest of all gradients, an input with small
//=     gradients has no weight, whatever they are. Compare each input by itself or, better, each entry.
//= mistake norm_of_everything_wide
//=   question: One of two inputs has gradients of about 0.000001, the other one of about 1. If half of the small
//=     ones is missing, how much does that change your norm? And from which relative error on does your check say
//=     "fail"?
//=   because: in a norm over all inputs, an input with small gradients has no weight, whatever they are: compare
//=     each input by itself or, better, each entry. And one of the wrong gradients is off by 1 % everywhere, which
//=     is far more than the seven digits to which right ones agree.
//= mistake nan_passes
//=   question: What does C++ say to NaN > 0.001? And to NaN <= 0.001? Which of the two does std::max(0.001, NaN)
//=     return?
//=   because: every comparison with NaN is false, so "error > tolerance" never holds, and a gradient of NaN is not
//=     found wrong. Ask whether it is right, not whether it is wrong: !(error <= tolerance).
//= mistake zero_over_zero
//=   premise: Your check fails a right relu.
//=   question: Where x is negative, a and n are both 0. What is your error there?
//=   because: |a - n| divided by the larger of the two is 0 / 0, which is NaN. Two zeros agree.
//= mistake zero_over_zero_at_once
//=   premise: Your check fails a right relu, and calls x^0 wrong where nothing is proved.
//=   question: Where a and n are both 0, what is your error?
//=   because: |a - n| divided by either of them, or by the larger of the two, is 0 / 0 there, which is NaN, and you
//=     return "fail" at once. Two zeros agree.
//= mistake zeros_skipped
//=   question: Which entries does your check leave out? If the code says 0 and the truth is 0.7, is that one of
//=     them?
//=   because: entries with a = 0 or n = 0 are left out. That is where you see what relu wrongly lets through, and
//=     where dropped paths show. Only where *both* are 0 is there nothing to compare.
//= mistake measured_zeros_skipped
//=   question: Which entries does your check leave out? If the truth is 0 and the code says 0.7, is that one of
//=     them?
//=   because: entries at which 0 is measured are left out, maybe because nothing can be divided by 0. That is where
//=     relu shows a forgotten mask. Only where *both* are 0 is there nothing to compare.
//= mistake vacuous_by_returned
//=   question: A derivative returns 0 everywhere, and what is measured is not 0. Does that prove nothing?
//=   because: you ask only whether what is returned is zero. It proves a lot: what is returned is wrong. Nothing
//=     is proved where what is measured is zero as well.
//= mistake vacuous_by_measured
//=   question: A derivative returns -0.1 everywhere, and 0 is measured. Does that prove nothing?
//=   because: you ask only whether what is measured is zero. It proves a lot: what is returned is wrong. Nothing
//=     is proved where what is returned is zero as well.
//= mistake vacuous_passes
//=   question: The derivative of x^0 is 0, whatever x is. Which wrong derivatives of a power can a check at
//=     exponent 0 find?
//=   because: everything is zero, measured and returned, so their agreement proves nothing, but your check says
//=     "pass".
//= mistake loss_without_dy
//=   premise: Your check fails right derivatives.
//=   question: Which number's derivative does backward return when it is given dy, and which number do you measure?
//=   because: backward(dy) returns the derivative of sum(dy * y), and you measure the derivative of sum(y).
//= mistake other_dy_each_time
//=   premise: Your check fails right derivatives.
//=   question: How often do you draw dy?
//=   because: dy is drawn again for every evaluation of the loss, so the difference of two losses is mostly the
//=     difference between two values of dy.
//= mistake measured_at_a_copy
//=   question: For you every measured derivative is 0. Which tensor does central_difference move, and which one
//=     does your loss read?
//=   because: the loss is computed from copies, and central_difference moves the originals.
//= equal mutant: if (larger <= 1e-9) continue;
//= equal mutant: if (!(std::abs(a - n) < 1e-4 * larger)) right = false;
//=   because: the bounds lie far from what is measured on either side: which side they belong to decides nothing.

#include "given.h"

Verdict check_backward(const Op& op, const std::vector<Tensor>& inputs) {
  //[
  //- // TODO: a dy, the gradients op.backward gives for it, and the measured one for every entry of every input.
  //- // autograd::zeros, ones and randn(shape, autograd::float64) make tensors; to_vector() gives the numbers of one.
  //- todo("check_backward: is op.backward the derivative of op.forward?");
  const Tensor dy = autograd::randn(op.forward(inputs).shape(), autograd::float64);
  //~ upstream_of_ones | const Tensor dy = autograd::ones(op.forward(inputs).shape(), autograd::float64);
  //~ upstream_of_twos | const Tensor dy = 2.0 * autograd::ones(op.forward(inputs).shape(), autograd::float64);
  //~ same_dy_everywhere | const Tensor dy = 1.7 * autograd::ones(op.forward(inputs).shape(), autograd::float64);
  const std::vector<Tensor> gradients = op.backward(dy, inputs);
  //~ measured_at_a_copy | const std::vector<Tensor> gradients = op.backward(dy, inputs);
  //~ measured_at_a_copy | std::vector<Tensor> copies;
  //~ measured_at_a_copy | for (const Tensor& input : inputs) copies.push_back(input.clone());
  const auto loss = [&] { return (dy * op.forward(inputs)).sum().item(); };
  //~ loss_without_dy | const auto loss = [&] { return op.forward(inputs).sum().item(); };
  //~ other_dy_each_time | const auto loss = [&] {
  //~ other_dy_each_time |   return (autograd::randn(dy.shape(), autograd::float64) * op.forward(inputs)).sum().item();
  //~ other_dy_each_time | };
  //~ measured_at_a_copy | const auto loss = [&] { return (dy * op.forward(copies)).sum().item(); };
  bool right = true;
  //~ one_right_is_enough | bool right = false;
  //~ not_zero_is_enough | bool right = false;
  //~ norm_of_everything | bool right = true;
  //~ norm_of_everything | double off = 0.0;
  //~ norm_of_everything | double norm = 0.0;
  //~ norm_of_everything_wide | bool right = true;
  //~ norm_of_everything_wide | double off = 0.0;
  //~ norm_of_everything_wide | double norm = 0.0;
  //~ sums_compared | bool right = true;
  //~ sums_compared | double sum_a = 0.0;
  //~ sums_compared | double sum_n = 0.0;
  bool all_zero = true;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    //~ first_input_only | for (std::size_t k = 0; k < 1; ++k) {
    const std::vector<double> analytic = gradients[k].to_vector();
    for (std::size_t entry = 0; entry < analytic.size(); ++entry) {
      //~ first_entry_only | for (std::size_t entry = 0; entry < 1; ++entry) {
      const double a = analytic[entry];
      //~ magnitudes | const double a = std::abs(analytic[entry]);
      const double n = central_difference(loss, inputs[k], entry);
      //~ magnitudes | const double n = std::abs(central_difference(loss, inputs[k], entry));
      const double larger = std::max(std::abs(a), std::abs(n));
      if (larger < 1e-9) continue;  // both are zero: they agree, and it proves nothing
      //~ same_dy_everywhere | if (larger == 0.0) continue;
      //~ zero_over_zero | if (larger < 1e-9) {
      //~ zero_over_zero |   if (!(std::abs(a - n) / larger <= 1e-4)) right = false;
      //~ zero_over_zero |   continue;
      //~ zero_over_zero | }
      //~ zero_over_zero_at_once | if (larger < 1e-9) return Verdict::fail;
      //~ zeros_skipped | if (std::abs(a) < 1e-9 || std::abs(n) < 1e-9) continue;
      all_zero = false;
      //~ measured_zeros_skipped | all_zero = false;
      //~ measured_zeros_skipped | if (std::abs(n) < 1e-9) continue;
      //~ vacuous_by_returned | if (a != 0.0) all_zero = false;
      //~ vacuous_by_measured | if (std::abs(n) > 1e-9) all_zero = false;
      if (!(std::abs(a - n) <= 1e-4 * larger)) right = false;  // NaN is wrong, too
      //~ same_dy_everywhere | if (!(std::abs(a - n) <= 1e-4 * larger + 1e-9)) right = false;
      //~ absolute_tolerance | if (!(std::abs(a - n) <= 0.01)) right = false;
      //~ wide_tolerance | if (!(std::abs(a - n) <= 0.1 * larger)) right = false;
      //~ last_entry_decides | right = std::abs(a - n) <= 1e-4 * larger;
      //~ one_right_is_enough | if (std::abs(a - n) <= 1e-4 * larger) right = true;
      //~ not_zero_is_enough | if (a != 0.0) right = true;
      //~ signed_error | if (!(a - n <= 1e-4 * larger)) right = false;
      //~ nan_passes | if (std::abs(a - n) > 1e-4 * larger) right = false;
      //~ norm_of_everything | off += (a - n) * (a - n);
      //~ norm_of_everything | norm += n * n;
      //~ norm_of_everything_wide | off += (a - n) * (a - n);
      //~ norm_of_everything_wide | norm += n * n;
      //~ sums_compared | sum_a += a;
      //~ sums_compared | sum_n += n;
    }
  }
  if (all_zero) return Verdict::vacuous;
  //~ vacuous_passes |
  //~ norm_of_everything | if (all_zero) return Verdict::vacuous;
  //~ norm_of_everything | right = std::sqrt(off) <= 1e-4 * std::sqrt(norm);
  //~ norm_of_everything_wide | if (all_zero) return Verdict::vacuous;
  //~ norm_of_everything_wide | right = std::sqrt(off) <= 0.02 * std::sqrt(norm);
  //~ sums_compared | if (all_zero) return Verdict::vacuous;
  //~ sums_compared | right = std::abs(sum_a - sum_n) <= 1e-4 * std::max(std::abs(sum_a), std::abs(sum_n));
  return right ? Verdict::pass : Verdict::fail;
  //]
}
