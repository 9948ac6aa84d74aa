//= title: Predict the ratio
//= part: A
//= difficulty: 1
//= minutes: 5
//= answer: predict
//= mistake overwrite_doubles
//=   question: For the first you say 2. Is what the wrong code returns larger or smaller than what is right? And
//=     which of the two is above the line in a / n?
//=   because: the true derivative is 2x and one contribution of x is left, so a is the smaller one. 2 is the ratio
//=     upside down, n / a. You would also see it if a contribution were counted once too often.
//= mistake overwrite_harmless
//=   question: For the first you say 1, so nothing is lost. At x = 3, what does the code return, and by how much
//=     does x * x grow if x grows by 0.001?
//=   because: the two contributions are equal, so the second assignment writes the number that is there already.
//=     But they must be added: at x = 3 the code returns 3, and 9.006001 - 9 is 0.006, which is 6 times 0.001.
//= mistake overwrite_loses_all
//=   question: For the first you say 0. Is that the number you mean, or what C++ computes for 1 / 2? If you mean 0,
//=     what does dx hold after the second assignment?
//=   because: 1 / 2 is a division of integers, which is 0; a fraction is written 1.0 / 2. And if 0 is what you mean:
//=     the first contribution is lost, the second is still there. 0 is what you see when a path is dropped
//=     altogether.
//= mistake mean_upside_down
//=   question: For the second you say 1/4. A factor 1/4 is missing in a: does that make a smaller or larger than n?
//=   because: the true derivative is 2 x[i] / 4. The code returns 2 x[i], which is 4 times that. 1/4 is n / a, and
//=     it is what you see when the code divides by 4 once too often.
//= mistake mean_harmless
//=   question: For the second you say 1. If only x[0] grows by 0.001, does the mean of four squares grow as much as
//=     x[0]^2 does?
//=   because: each square counts for a quarter in the mean, so the derivative is a quarter of the derivative of
//=     x[i]^2. The code returns the derivative of the sum.
//= mistake mean_with_the_two
//=   question: For the second you say 8. Which of the two factors, 2 and 4, is missing in the code?
//=   because: the 2 comes from the square and appears in both derivatives, so it cancels in the ratio. Only the 4
//=     of the mean is missing.
//= mistake sign_harmless
//=   question: For the third you say 1. If b grows, does a - b grow as well?
//=   because: a - b falls by as much as b grows, so the derivative is -dy. The code returns dy, as for a + b.
//= mistake sign_cancels
//=   question: For the third you say 0. For which dy does the code return 0?
//=   because: the code returns dy, which is a number other than 0, and the true derivative is -dy. Their sum is 0,
//=     but their ratio is not.
//= mistake sign_difference
//=   question: For the third you say 2. Is that a / n, or a - n?
//=   because: the two are 1 and -1, so they differ by 2. The exercise asks for their ratio.
//= mistake first_is_rounded
//=   question: Your first number comes close. If it was measured: with which step, and near which simple fraction
//=     does it lie?
//=   because: at x = 3, a step of 0.1 gives the slope 6.1 and a step of 0.001 gives 6.001, so the ratio is a little
//=     off. What the code loses is an exact part of the whole, which you can read from its two lines.
//= mistake second_is_rounded
//=   question: Your second number comes close. If it was measured: with which step, and near which whole number
//=     does it lie?
//=   because: a one-sided step leaves a small error in n, and so in the ratio. What the code forgot is an exact
//=     factor, which you can read from the loss.
//= mistake step_of_one
//=   question: You divided by a slope that you measured between two places. How far apart are they, and is the
//=     slope the same at both?
//=   because: from x = 3 to 4, say, the square grows by 7, which is its slope in the middle, at 3.5. At x = 3 itself it
//=     is 6. On a curve the step must be small. Better still, read from the code's lines what they lose.
//= mistake exponent_is_rounded
//=   question: At your exponent the two are nearly equal. At which one are they equal in every digit, whatever x
//=     is?
//=   because: k x^(k-1) and k x^k come closer and closer as k gets small, so a search that stops when they are near
//=     enough stops too early.
//= mistake relative_errors
//=   question: Yours are 1/3, 3/5 and 1. Are these ratios a / n, or relative errors |a - n| / (|a| + |n|)?
//=   because: a ratio k has the relative error |k - 1| / (|k| + 1): 1/2 has 1/3, 4 has 3/5, and -1 has 1. Gradient
//=     checks print that number, and it is worth recognising; here you need the ratio itself.
//= mistake blind_at_one
//=   question: For the fourth you say k = 1. There the code returns dy * x. What is the derivative of x^1?
//=   because: at k = 1 the true derivative is 1 and the code says x. They agree at x = 1 and nowhere else.
//= mistake blind_at_two
//=   question: For the fourth you say k = 2. There the code returns dy * 2 x^2. What is the derivative of x^2, say
//=     at x = 3?
//=   because: at k = 2 the true derivative is 2x, which is 6 at x = 3, and the code says 18.

#include "given.h"

Prediction predict() {
  Prediction prediction;
  //[
  //- // TODO: read the four wrong derivatives in given.h (they are in the text, too), and put a number in the place
  //- // of each `unknown`. Fractions are written 1.0 / 3.
  //- prediction.overwritten = unknown;     // a / n
  //- prediction.mean_forgotten = unknown;  // a / n
  //- prediction.sign_lost = unknown;       // a / n
  //- prediction.blind_exponent = unknown;  // an exponent
  prediction.overwritten = 0.5;  // one of two equal contributions is left
  //~ overwrite_doubles | prediction.overwritten = 2.0;
  //~ overwrite_harmless | prediction.overwritten = 1.0;
  //~ overwrite_loses_all | prediction.overwritten = 0.0;
  //~ first_is_rounded | prediction.overwritten = 3.0 / 6.001;
  //~ step_of_one | prediction.overwritten = 3.0 / 7.0;
  //~ step_of_one.from_two | prediction.overwritten = 2.0 / 5.0;
  //~ relative_errors | prediction.overwritten = 1.0 / 3;
  prediction.mean_forgotten = 4.0;  // the derivative of the sum, which is 4 times the mean
  //~ mean_upside_down | prediction.mean_forgotten = 0.25;
  //~ mean_harmless | prediction.mean_forgotten = 1.0;
  //~ mean_with_the_two | prediction.mean_forgotten = 8.0;
  //~ second_is_rounded | prediction.mean_forgotten = 6.0 / 1.50025;
  //~ step_of_one | prediction.mean_forgotten = 6.0 / (7.0 / 4.0);
  //~ step_of_one.from_two | prediction.mean_forgotten = 4.0 / (5.0 / 4.0);
  //~ relative_errors | prediction.mean_forgotten = 3.0 / 5;
  prediction.sign_lost = -1.0;
  //~ sign_harmless | prediction.sign_lost = 1.0;
  //~ sign_difference | prediction.sign_lost = 2.0;
  //~ sign_cancels | prediction.sign_lost = 0.0;
  //~ relative_errors | prediction.sign_lost = 1.0;
  prediction.blind_exponent = 0.0;  // both are 0 there
  //~ exponent_is_rounded | prediction.blind_exponent = 0.0001;
  //~ blind_at_one | prediction.blind_exponent = 1.0;
  //~ blind_at_two | prediction.blind_exponent = 2.0;
  //]
  return prediction;
}
