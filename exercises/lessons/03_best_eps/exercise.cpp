//= title: The best eps
//= part: A
//= difficulty: 1
//= minutes: 15
//= after: 02
//= answer: error_in_double, error_in_float, best_step
//= mistake forward_difference
//=   question: From eps = 0.1 to 0.01 your error falls to about a tenth. To what should it fall for a central
//=     difference?
//=   because: the error of a one-sided difference is f'' eps / 2: a tenth of the step, a tenth of the error. With a
//=     step to each side the term with f'' cancels, and the error falls like eps^2, to a hundredth. In double, the
//=     best eps of a one-sided difference is 1e-8, and it is not as good there as the central difference is at
//=     1e-5.
//= mistake eps_once
//=   question: Your error is as large as the derivative itself, at every eps. How far apart are x + eps
//=     and x - eps?
//=   because: the difference is divided by eps, and the two places lie 2 eps apart: the quotient is twice the
//=     derivative, and no eps can mend that.
//= mistake relative_step
//=   question: How far from x do you look where x is 2, and how far where x is 0.002? Which eps do you measure?
//=   because: the step was eps times x, which is different at every point and 0 at x = 0. The exercise asks what
//=     one eps does, the same at all points.
//= mistake signed_error
//=   question: Is the error -5 larger or smaller than 0.001? Which of your points can win?
//=   because: quotient - derivative is negative wherever the quotient is too small, so those points are never "the
//=     worst". What counts is the distance.
//= mistake relative_error
//=   question: You divide the distance by the derivative. How large is that quotient at a point where the
//=     derivative is nearly 0?
//=   because: the exercise asks for the distance itself. Relative errors are what a gradient check compares, but
//=     where the curve is level they blow up, and the worst point would always be that one.
//= mistake mean_error
//=   premise: One of three points lies beside a kink and has the error 0.6, and the others are right.
//=   question: What does your error say, and which point would you have wanted to hear about?
//=   because: the mean over the points hides a point where the measurement fails; the exercise asks for the worst
//=     point.
//= mistake last_point
//=   question: If the first point has a large error and the last a small one, what do you return?
//=   because: the error is assigned at every point, so the last one decides. Keep the largest.
//= mistake promoted_to_double
//=   question: Your float measurement is good to ten digits. How many digits does a float have?
//=   because: f, the double version, was called (or the arithmetic was done in double). A float carries seven
//=     digits; a difference of two of them carries fewer.
//= mistake rounded_afterwards
//=   question: Whose rounding do you want to see: that of f_float, or that of a float that holds the result of f?
//=   because: f works in double, and is rounded once, at its end. A program in float rounds at each of its steps,
//=     and error_in_float must show what it loses there: that is why you are given f_float.
//= mistake place_in_double
//=   question: In which type is your x + eps worked out before f_float gets it: what are the types of x and of eps?
//=   because: if either of the two is a double, so is the sum, and it is rounded to float afterwards, now and then
//=     to the float next to the right one. Convert both to float first.
//= mistake quotient_in_double
//=   question: What is the type of a float divided by a double, and what is the type of 2.0?
//=   because: with a double among them, C++ works the quotient out in double, which shows digits that a program in
//=     float does not have. 2.0f is a float, and so is the step if you make it one.
//= mistake compared_in_float
//=   question: The derivative is a double. What does it lose before you compare the quotient with it?
//=   because: rounded to float, the derivative can agree with the quotient though neither is right. The reference
//=     must be more accurate than what you measure, so this comparison is in double.
//= mistake eps_of_the_habit
//=   question: Your float error is the same whatever eps is. Where does error_in_float use eps?
//=   because: 1e-6 was written there, a good habit in double. In float, x + 1e-6 differs from x by a few of the
//=     smallest possible steps, so hardly a digit of the difference quotient is right.
//= mistake smallest_step
//=   question: You say that 1e-12 is best. Beside f(x) = 2, which carries 16 digits, how many digits has the
//=     difference of f at two places that lie 2e-12 apart?
//=   because: smaller is better only until rounding takes over: f(x + eps) and f(x - eps) agree in nearly all
//=     digits, their difference consists of the rest, and the division by eps makes the rounding large.
//= mistake largest_error
//=   question: Your step is the one with the largest error. Which way round is the comparison?
//=   because: the errors are compared with > where < belongs.
//= mistake error_returned
//=   question: Two numbers belong to the best try, its eps and its error. Which of them do you return?
//=   because: the smallest error is returned, not the step that has it.
//= mistake first_rise
//=   question: On the way to smaller steps, an error can rise once and then fall again. Where do you stop?
//=   because: the search ends at the first step that is no better than the one before. Errors are uneven, near
//=     kinks above all: |x| measured at 0.004 is useless at 0.01 and exact at 0.001.
//= mistake smallest_from_one
//=   question: Suppose that all twelve errors are larger than 5. Which of them is smaller than the number that
//=     you begin with?
//=   because: a search for the smallest has to begin with one of the errors (or with infinity). If it begins with a
//=     number of your own, it finds nothing when all the errors are larger than that.
//= mistake range_too_short
//=   question: What is the smallest eps that you try?
//=   because: the search ends at 1e-4. In double the best central step is smaller than that.
//= mistake last_step_missing
//=   question: Which is the smallest step that your loop tries, and which is the smallest on the list?
//=   because: the loop ends at 1e-11, but 1e-12 must be tried too.
//= equal mutant: for (int digits = 1; digits <= 12; ++digits) {
//=   because: 0.1 is tried a second time, and gives what it gave the first time.
//= equal mutant: if (here <= smallest) {
//=   because: of two steps with the same error, each is the best.

#include "given.h"

double error_in_double(const Problem& problem, double eps) {
  //[
  //- // TODO: the central difference at every point, and its distance from the derivative. Return the largest.
  //- todo("error_in_double: how far the central difference is from the derivative, at the worst point");
  double worst = 0.0;
  //~ signed_error | double worst = -1e300;
  for (const double x : problem.points) {
    const double quotient = (problem.f(x + eps) - problem.f(x - eps)) / (2.0 * eps);
    //~ forward_difference | const double quotient = (problem.f(x + eps) - problem.f(x)) / eps;
    //~ relative_step | const double h = eps * x;
    //~ relative_step | const double quotient = (problem.f(x + h) - problem.f(x - h)) / (2.0 * h);
    //~ eps_once | const double quotient = (problem.f(x + eps) - problem.f(x - eps)) / eps;
    const double error = std::abs(quotient - problem.derivative(x));
    //~ signed_error | const double error = quotient - problem.derivative(x);
    //~ relative_error | const double error = std::abs(quotient / problem.derivative(x) - 1.0);
    worst = std::max(worst, error);
    //~ mean_error | worst += error / static_cast<double>(problem.points.size());
    //~ last_point | worst = error;
  }
  return worst;
  //]
}

double error_in_float(const Problem& problem, double eps) {
  //[
  //- // TODO: the same with f_float. x and eps as float first: `const float step = static_cast<float>(eps);`
  //- todo("error_in_float: the same, with f_float and in float");
  const float step = static_cast<float>(eps);
  //~ eps_of_the_habit | const float step = 1e-6f;
  //~ promoted_to_double |
  //~ place_in_double | const double step = eps;
  double worst = 0.0;
  //~ signed_error | double worst = -1e300;
  for (const double point : problem.points) {
    const float x = static_cast<float>(point);
    //~ promoted_to_double | const double x = point;
    //~ place_in_double | const double x = point;
    const float quotient = (problem.f_float(x + step) - problem.f_float(x - step)) / (2.0f * step);
    //~ promoted_to_double | const double quotient = (problem.f(x + eps) - problem.f(x - eps)) / (2.0 * eps);
    //~ rounded_afterwards | const float up = static_cast<float>(problem.f(static_cast<double>(x + step)));
    //~ rounded_afterwards | const float down = static_cast<float>(problem.f(static_cast<double>(x - step)));
    //~ rounded_afterwards | const float quotient = (up - down) / (2.0f * step);
    //~ place_in_double | const float up = problem.f_float(static_cast<float>(x + step));
    //~ place_in_double | const float down = problem.f_float(static_cast<float>(x - step));
    //~ place_in_double | const float quotient = (up - down) / static_cast<float>(2.0 * step);
    //~ quotient_in_double | const double rise = problem.f_float(x + step) - problem.f_float(x - step);
    //~ quotient_in_double | const double quotient = rise / (2.0 * step);
    //~ forward_difference | const float quotient = (problem.f_float(x + step) - problem.f_float(x)) / step;
    //~ relative_step | const float h = step * x;
    //~ relative_step | const float quotient = (problem.f_float(x + h) - problem.f_float(x - h)) / (2.0f * h);
    //~ eps_once | const float quotient = (problem.f_float(x + step) - problem.f_float(x - step)) / step;
    const double error = std::abs(static_cast<double>(quotient) - problem.derivative(point));
    //~ compared_in_float | const double error = std::abs(quotient - static_cast<float>(problem.derivative(point)));
    //~ signed_error | const double error = static_cast<double>(quotient) - problem.derivative(point);
    //~ relative_error | const double error = std::abs(static_cast<double>(quotient) / problem.derivative(point) - 1.0);
    worst = std::max(worst, error);
    //~ mean_error | worst += error / static_cast<double>(problem.points.size());
    //~ last_point | worst = error;
  }
  return worst;
  //]
}

double best_step(const std::function<double(double eps)>& error) {
  //[
  //- // TODO: try 1e-1, 1e-2, ..., 1e-12.
  //- todo("best_step: the eps with the smallest error");
  double best = 0.1;
  //~ first_rise | double best = 0.1;
  //~ first_rise | double before = error(best);
  double eps = 0.1;
  double smallest = error(eps);
  //~ smallest_from_one | double smallest = std::min(1.0, error(eps));
  for (int digits = 2; digits <= 12; ++digits) {
    //~ range_too_short | for (int digits = 2; digits <= 4; ++digits) {
    //~ last_step_missing | for (int digits = 2; digits < 12; ++digits) {
    eps = std::pow(10.0, -digits);
    const double here = error(eps);
    if (here < smallest) {
      //~ smallest_step | if (eps < best) {
      //~ largest_error | if (here > smallest) {
      //~ first_rise | if (here >= before) break;
      //~ first_rise | before = here;
      //~ first_rise | if (here < smallest) {
      best = eps;
      smallest = here;
    }
  }
  return best;
  //~ error_returned | return smallest;
  //]
}
