//= title: Central difference
//= part: A
//= difficulty: 1
//= minutes: 10
//= answer: central_difference
//= mistake forward_difference
//=   question: For x^2 at x = 3 and eps = 0.1 you get 6.1, not 6. At which two places do you evaluate f, and which
//=     place lies in the middle of them?
//=   because: (f(x + eps) - f(x)) / eps is the slope midway between x and x + eps, so it belongs to x + eps / 2.
//=     Its error falls in proportion to eps; with a step to each side the middle is x itself, and the error falls
//=     like eps^2.
//= mistake backward_difference
//=   question: For x^2 at x = 3 and eps = 0.1 you get 5.9, not 6. Which place lies in the middle of the two at
//=     which you evaluate f?
//=   because: (f(x) - f(x - eps)) / eps is the slope at x - eps / 2. With a step to each side the middle is x
//=     itself.
//= mistake eps_once
//=   question: Your derivatives are exactly twice the true ones. How far apart are the two places at which you
//=     evaluate f?
//=   because: x - eps and x + eps are 2 eps apart, and you divide by eps.
//= mistake half_way_back
//=   question: After the first evaluation x[i] is x + eps. Where is it at the second one?
//=   because: it is back at x, not at x - eps. So f(x + eps) - f(x) is divided by 2 eps, which is half of a one-sided
//=     difference.
//= mistake parentheses
//=   question: At eps = 0.1 your derivatives are 1/100 of the true ones. In which order does C++ work out a / 2.0 *
//=     eps?
//=   because: from left to right, so it divides by 2 and *multiplies* by eps. Instead of 1 / eps there is eps, a
//=     factor of eps^2.
//= mistake sign
//=   question: Yours is exactly -1 times the derivative. Which of the two values of f do you subtract from which?
//=   because: a function that rises has a positive derivative: subtract f on the left from f on the right.
//= mistake not_restored
//=   premise: Your first derivative is right and the later ones are off.
//=   question: What is in x[0] when the derivative with respect to x[1] is measured?
//=   because: x[i] is still x - eps when you return, so every later derivative is measured at a place that has
//=     moved.
//= mistake restored_by_arithmetic
//=   question: In doubles, what is 0.3 + 0.1 - 0.2 + 0.1? Is it 0.3?
//=   because: every addition rounds, so adding and taking away the same steps does not always lead back to the same
//=     bits. A million measurements later the parameters have drifted. Keep the value, and put it back.
//= mistake minus_zero_lost
//=   question: There is a number that you put back with different bits, though == sees no difference. What is -0.0
//=     + 0.0?
//=   because: -0.0 + 0.0 is +0.0. The two are equal and have different bits; 1 / x tells them apart. Keep x[i] as
//=     it is, before anything is added to it.
//= mistake copy_moved
//=   question: Your derivative is 0 everywhere. Did the place at which f was evaluated move at all?
//=   because: a copy of x was moved, and f was evaluated at x itself, both times. The difference of a number and
//=     itself is 0. A gradient check with this mistake accepts every gradient that is zero.
//= mistake all_moved
//=   question: You get the same number for every i. Which entries of x were moved?
//=   because: with all entries moved at once you measure the sum of all {inputs} derivatives.
//= mistake first_moved
//=   question: You get the same number for every i: the derivative with respect to x[0]. Where does your code use
//=     i?
//=   because: x[0] is moved whatever i is.
//= mistake values_in_float
//=   premise: Your derivatives are right to some four or six digits.
//=   question: Of which type are the two values that you subtract?
//=   because: a float keeps seven digits. Most of them are the same in the two values and cancel, so what is left
//=     of the difference is mostly rounding. Keep them in doubles.
//= mistake relative_step
//=   question: Your derivative has an extra factor x[i]. How far did you move x[i], and what did you divide by?
//=   because: a step of eps * x[i] was taken and divided by eps: what is left over is x[i], sign and all.
//= mistake step_at_least_eps
//=   premise: Your derivative with respect to x[i] is right where x[i] lies between -1 and 1, and at 2 it is measured
//=     with twice the step.
//=   question: How far should x[i] be moved?
//=   because: a step of eps * max(1, |x[i]|) suits numbers of all sizes, and good libraries take it, but the
//=     exercise asks for a step of eps. Its error grows with the square of the step.
//= mistake step_grows_with_x
//=   question: At x[i] = 1 you move x[i] by twice eps. How far should it move?
//=   because: a step of eps * (1 + |x[i]|) suits numbers of all sizes, and libraries take it, but the exercise asks
//=     for a step of eps. Its error grows with the square of the step.
//= mistake half_steps
//=   question: At x = 3 with eps = 0.1, at which two places do you evaluate f?
//=   because: you evaluate f at 2.95 and 3.05, half a step to each side, and these are eps apart. The exercise asks
//=     for a step of eps to each side: then the places are 2 eps apart, which is why the difference is divided by 2
//=     eps.
//= mistake own_eps
//=   question: Take eps ten times as large. Does your derivative change?
//=   because: the step is a number of your own, but the exercise asks for a step of eps. The caller has reasons for
//=     it: exercise 03 looks for the best one.

#include "given.h"

double central_difference(const Function& f, std::vector<double>& x, std::size_t i, double eps) {
  //[
  //- // TODO: f one step to the right, f one step to the left, and the distance between. Leave x as it was.
  //- // probe("up", f(x)) and probe("down", f(x)) show the two values to the checker.
  //- todo("central_difference: the derivative of f with respect to x[i]");
  const double before = x[i];
  //~ own_eps | eps = 1e-5;
  //~ own_eps | const double before = x[i];
  //~ first_moved | i = 0;
  //~ first_moved | const double before = x[i];
  //~ minus_zero_lost | const double before = x[i] + 0.0;
  //~ step_at_least_eps | const double before = x[i];
  //~ step_at_least_eps | eps *= std::max(1.0, std::abs(before));
  //~ step_grows_with_x | const double before = x[i];
  //~ step_grows_with_x | eps *= 1.0 + std::abs(before);
  x[i] = before + eps;
  //~ half_steps | x[i] = before + eps / 2.0;
  //~ half_steps.divided_by_eps | x[i] = before + eps / 2.0;
  //~ restored_by_arithmetic | x[i] += eps;
  //~ copy_moved | std::vector<double> moved = x;
  //~ copy_moved | moved[i] += eps;
  //~ all_moved | const std::vector<double> all = x;
  //~ all_moved | for (double& value : x) value += eps;
  //~ relative_step | x[i] = before + eps * before;
  const double up = probe("up", f(x));
  //~ values_in_float | const float up = probe("up", f(x));
  //~ backward_difference | x[i] = before;
  //~ backward_difference | const double up = probe("up", f(x));
  x[i] = before - eps;
  //~ half_steps | x[i] = before - eps / 2.0;
  //~ half_steps.divided_by_eps | x[i] = before - eps / 2.0;
  //~ forward_difference | x[i] = before;
  //~ half_way_back | x[i] -= eps;
  //~ restored_by_arithmetic | x[i] -= 2.0 * eps;
  //~ copy_moved | moved[i] -= 2.0 * eps;
  //~ all_moved | for (double& value : x) value -= 2.0 * eps;
  //~ relative_step | x[i] = before - eps * before;
  const double down = probe("down", f(x));
  //~ values_in_float | const float down = probe("down", f(x));
  x[i] = before;
  //~ not_restored |
  //~ restored_by_arithmetic | x[i] += eps;
  //~ all_moved | x = all;
  return (up - down) / (2.0 * eps);
  //~ forward_difference | return (up - down) / eps;
  //~ backward_difference | return (up - down) / eps;
  //~ eps_once | return (up - down) / eps;
  //~ half_steps.divided_by_eps | return (up - down) / eps;
  //~ parentheses | return (up - down) / 2.0 * eps;
  //~ sign | return (down - up) / (2.0 * eps);
  //]
}
