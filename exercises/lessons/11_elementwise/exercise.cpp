//= title: Elementwise operations
//= part: C
//= difficulty: 1
//= minutes: 15
//= after: 02
//= answer: mul_backward, sub_backward, div_backward, pow_backward, relu_backward
//= not: backward
//= mistake mul_swapped
//=   question: Hold a[0] and change b[0] by 1. By how much does y[0] = a[0] b[0] change?
//=   because: da was multiplied by a, and db by b. An operand is multiplied by the *other* one.
//= mistake mul_both_by_y
//=   question: Where b[0] = 0, y[0] is 0 whatever a[0] is. What are your da[0] and db[0] there?
//=   because: both gradients were multiplied by the product y. exp gives back its own output as its derivative; a
//=     product does not.
//= mistake mul_without_dy
//=   question: dy says how much the loss depends on each element of y. Where is it in your da and db of the
//=     product?
//=   because: these are the derivatives of y, not of the loss. With a loss that is the plain sum of y they look
//=     right, because dy is then 1 everywhere.
//= mistake mul_in_place
//=   question: After the product's backward has run, what is in dy? Which of your lines writes into its memory?
//=   because: a Tensor is a handle, and what you multiplied in place is dy itself. Its numbers became the numbers
//=     of da, and all the code that still needs dy gets those. dy * b makes a new tensor; so does dy.clone().
//= mistake sub_without_sign
//=   question: If b[0] grows by 1, does a[0] - b[0] grow or shrink?
//=   because: both operands got dy. Along b the difference falls, so its gradient is -dy.
//= mistake sub_in_place
//=   question: After the difference's backward has run, what is in dy? How many tensors are da, db and dy?
//=   because: a Tensor is a handle, and the three are handles on dy itself. Changing one in place changes da and dy as
//=     well, and the next one to read dy gets the wrong sign.
//= mistake div_multiplies
//=   question: a is divided by 4. If it grows by 1, by how much does the quotient grow?
//=   because: by a quarter: the derivative is 1 / b, and not b.
//= mistake div_without_sign
//=   question: If b[0] > 0 grows, does 1 / b[0] grow or shrink?
//=   because: the derivative of 1/b is -1/b^2; the minus sign was lost.
//= mistake div_square_lost
//=   question: What is the derivative of 1/b at b = 2: one half or one quarter, and with which sign?
//=   because: db was divided by b once. The derivative of 1/b is -1/b^2.
//= mistake div_numerator_lost
//=   question: y = a / b. If a is twice as large, how much more does y react to b?
//=   because: your db is that of 1/b. In a/b the numerator remains as a factor.
//= mistake div_b_not_wired
//=   question: The quotient has two operands. For which of them did you return a gradient?
//=   because: db was never given a value. In an engine this is an op that is not connected to one of its inputs:
//=     nothing fails, but what b was computed from is never trained.
//= mistake pow_same_exponent
//=   question: x^3 at x = 2 is 8. What is its slope there?
//=   because: the factor came down, but the exponent stayed. The derivative of x^n is n x^(n-1).
//= mistake pow_factor_lost
//=   question: Your dx of x^3 is one third of the true one. Which 3 is missing?
//=   because: the exponent was lowered, but not brought down as a factor: n x^(n-1).
//= mistake pow_factor_lowered
//=   question: The derivative of x^3 at x = 1 is not 2. Which 3 did you lower first?
//=   because: the factor is the exponent as it was, n; you multiplied by n - 1, the lowered one.
//= mistake pow_y_over_x
//=   question: x^3 at x = 0 is flat: its slope is 0. What does your formula compute there?
//=   because: n x^n / x is n x^(n-1) wherever x is not 0. At x = 0 it is 0/0, which is NaN, and a single NaN in a
//=     gradient soon makes the whole network NaN.
//= mistake pow_flat_at_zero
//=   question: y = x^1 is x itself. What is its slope at x = 0, and what is yours?
//=   because: dx was set to 0 wherever x is 0. That is right for x^2 and x^3, whose slope is 0 there. The slope of
//=     x^1 is 1 everywhere.
//= mistake pow_of_absolute_value
//=   question: x^2 at x = -1: does it rise or fall when x grows?
//=   because: the power was taken of |x|. x^(n-1) is negative where x is and n - 1 is odd: left of 0, x^2 falls.
//= mistake relu_gates_dy
//=   question: Which must be positive for the gradient to pass: the input x, or dy?
//=   because: you cut away the negative entries of dy. relu cut away the negative entries of x: what counts is the
//=     gate that was open in the forward pass, and dy passes through it with either sign.
//= mistake relu_gates_both
//=   question: Where x is positive and dy negative, your gradient of relu is 0. Should the sign of dy decide?
//=   because: the gate was closed for negative dy as well. It depends on x alone: where x is positive, y is x, and dx
//=     is dy whatever its sign.
//= mistake relu_times_x
//=   question: For x > 0, y = x. What is the slope of that line?
//=   because: dy was multiplied by max(x, 0), the output. Where x is positive the derivative is 1.
//= mistake relu_no_gate
//=   question: x[0] = -2. It grows to -1.9. By how much does y[0] change, and what is your dx[0]?
//=   because: dy passed everywhere. Where x is negative the output is 0 and stays 0: nothing comes back.
//= mistake relu_without_dy
//=   question: Your dx has only zeros and ones. What does the loss have to do with it?
//=   because: that is the derivative of y alone. It must be multiplied by dy.
//= mistake relu_open_at_zero
//=   question: At x = 0 relu has a corner, and no slope of its own. Which side does your gradient take?
//=   because: `>=` lets dy pass at exactly 0. By the usual convention, which PyTorch and this exercise follow, the
//=     derivative at the corner is 0: a unit that gives out nothing gets nothing back.

#include "given.h"

OperandGradients mul_backward(const Tensor& dy, const Tensor& a, const Tensor& b) {
  //[
  //- // TODO: one line for each operand.
  //- todo("mul_backward: da and db for y = a * b");
  return {dy * b, dy * a};
  //~ mul_swapped | return {dy * a, dy * b};
  //~ mul_both_by_y | const Tensor y = a * b;
  //~ mul_both_by_y | return {dy * y, dy * y};
  //~ mul_without_dy | return {b, a};
  //~ mul_in_place | const Tensor db = dy * a;
  //~ mul_in_place | Tensor da = dy;
  //~ mul_in_place | da *= b;
  //~ mul_in_place | return {da, db};
  //]
}

OperandGradients sub_backward(const Tensor& dy) {
  //[
  //- todo("sub_backward: da and db for y = a - b");
  return {dy, -dy};
  //~ sub_without_sign | return {dy, dy};
  //~ sub_in_place | const Tensor da = dy;
  //~ sub_in_place | const Tensor db = dy;
  //~ sub_in_place | db.mul_(-1.0);
  //~ sub_in_place | return {da, db};
  //]
}

OperandGradients div_backward(const Tensor& dy, const Tensor& a, const Tensor& b) {
  //[
  //- todo("div_backward: da and db for y = a / b");
  const Tensor da = dy / b;
  //~ div_multiplies | const Tensor da = dy * b;
  const Tensor db = -dy * a / (b * b);
  //~ div_without_sign | const Tensor db = dy * a / (b * b);
  //~ div_square_lost | const Tensor db = -dy * a / b;
  //~ div_b_not_wired |
  //~ div_numerator_lost | const Tensor db = -dy / (b * b);
  return {da, db};
  //~ div_b_not_wired | return {da, Tensor()};
  //]
}

Tensor pow_backward(const Tensor& dy, const Tensor& x, double exponent) {
  //[
  //- // TODO: pow(x, 2.0) is x to the power 2, element by element.
  //- todo("pow_backward: dx for y = x^exponent");
  return dy * exponent * pow(x, exponent - 1.0);
  //~ pow_same_exponent | return dy * exponent * pow(x, exponent);
  //~ pow_factor_lost | return dy * pow(x, exponent - 1.0);
  //~ pow_factor_lowered | return dy * (exponent - 1.0) * pow(x, exponent - 1.0);
  //~ pow_y_over_x | return dy * exponent * pow(x, exponent) / x;
  //~ pow_flat_at_zero | return where(x == 0.0, 0.0, dy * exponent * pow(x, exponent - 1.0));
  //~ pow_of_absolute_value | return dy * exponent * pow(abs(x), exponent - 1.0);
  //]
}

Tensor relu_backward(const Tensor& dy, const Tensor& x) {
  //[
  //- // TODO: (x > 0) is a boolean tensor; where(mask, a, b) chooses element by element.
  //- todo("relu_backward: dx for y = max(x, 0)");
  return where(x > 0.0, dy, 0.0);
  //~ relu_gates_dy | return where(dy > 0.0, dy, 0.0);
  //~ relu_gates_both | return where(logical_and(x > 0.0, dy > 0.0), dy, 0.0);
  //~ relu_times_x | return where(x > 0.0, dy * x, 0.0);
  //~ relu_open_at_zero | return where(x >= 0.0, dy, 0.0);
  //~ relu_no_gate | return dy;
  //~ relu_without_dy | return where(x > 0.0, ones_like(x), 0.0);
  //]
}
