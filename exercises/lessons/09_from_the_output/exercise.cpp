//= title: From the output, not the input
//= part: B
//= difficulty: 1
//= minutes: 15
//= after: 06
//= answer: tanh_of, sigmoid_of, exp_of, log_of, relu_of
//= mistake tan_for_tanh
//=   question: Between which two numbers does tanh lie? And your y?
//=   because: tan is the tangent of an angle, and tanh the hyperbolic one, which stays between -1 and 1.
//= mistake sigmoid_exponent_sign
//=   question: Does sigmoid rise or fall with x? What about your y?
//=   because: it is 1 / (1 + e^-x). Without the minus, y is 1 minus the sigmoid, and falls.
//= mistake e_with_three_decimals
//=   premise: Your y of exp is right in three digits or so.
//=   question: Which number do you raise to the power x?
//=   because: e is 2.718281828...; std::exp knows all of it.
//= mistake log_to_base_ten
//=   question: What is your log of e? And of 10?
//=   because: log10 has the base 10. The natural logarithm, whose derivative is 1 / x, is std::log.
//= mistake relu_is_abs
//=   question: What is your relu of -2?
//=   because: the sign was dropped, which is the absolute value. relu gives 0 for numbers below 0.
//= mistake tanh_from_input
//=   question: In tanh' = 1 - (...)^2, what stands in the parentheses: what went in, or what came out?
//=   because: the derivative of tanh is 1 - tanh(x)^2, which is 1 - y^2. If you use x instead, the slope is right
//=     near 0, where tanh(x) is nearly x, but negative beyond 1.
//= mistake tanh_twice
//=   question: How often has tanh been applied to x when y is there? How often in your derivative?
//=   because: y is tanh(x) already; 1 - tanh(y)^2 applies it a second time. Near 0 it is nearly right, and far out
//=     it is too steep.
//= mistake tanh_square_forgotten
//=   question: How steep is tanh at x = -2, and how steep is yours? Can tanh be steeper to the left than to the
//=     right?
//=   because: 1 - y has lost the square. tanh is symmetric about 0, so its slope is the same at x and -x; 1 - y is
//=     not.
//= mistake tanh_plus
//=   question: Where is tanh steepest, and where flattest? What does 1 + y^2 say for large x?
//=   because: 1 + y^2 is the derivative of tan. tanh flattens out, so its slope has to fall to 0, which 1 - y^2
//=     does.
//= mistake sigmoid_from_input
//=   question: In s' = (...)(1 - ...), what stands in the parentheses: what went in, or what came out?
//=   because: the derivative is y (1 - y) with y = sigmoid(x), between 0 and 1/4. If you use x instead, it is
//=     negative wherever x is negative, and the slope of a rising function cannot be negative.
//= mistake sigmoid_twice
//=   question: How often has the sigmoid been applied to x when y is there? How often in your derivative?
//=   because: y is sigmoid(x) already; sigmoid(y) is the sigmoid of a number between 0 and 1, so your slope is
//=     always near 1/4.
//= mistake exp_from_input
//=   question: Which number is its own derivative: x, or e^x?
//=   because: the derivative of e^x is e^x, the *output*. x was kept where y should have been.
//= mistake exp_twice
//=   question: What is in y already when you take exp of it?
//=   because: y is e^x, so exp(y) is e to the power of e^x.
//= mistake dy_forgotten
//=   question: What does your function return if dy is 0, so that nothing depends on its result?
//=   because: you return dy/dx, the local derivative; the chain rule multiplies it by the gradient that arrives.
//= mistake exp_power_rule
//=   question: In x^n the base varies. What varies in e^x?
//=   because: x e^(x-1) is the power rule, n x^(n-1), with the roles of base and exponent mixed up. For e^x the
//=     rule is different: it is its own derivative.
//= mistake log_from_output
//=   question: How steep is the logarithm at x = 10? What is log(10)?
//=   because: the derivative of log is 1 / x, with the input. Of the five, this is the one that would rather keep
//=     x. (From the output it is exp(-y).)
//= mistake log_multiplies
//=   question: Does the logarithm get steeper or flatter as x grows?
//=   because: its slope is 1 / x: dy is divided by x, not multiplied.
//= mistake relu_masks_by_dy
//=   question: Which number decides whether relu lets something through: the one that goes forward, or the one that
//=     comes back?
//=   because: the mask is x > 0, known since the forward pass. A negative gradient passes just as a positive one
//=     does.
//= mistake relu_times_x
//=   question: How steep is relu at x = 3? And at x = 5?
//=   because: the slope is 1 wherever x is positive. Multiplied by x, it would be the derivative of x^2 / 2.
//= mistake relu_no_mask
//=   question: How much does relu(-2) change when x changes a little?
//=   because: not at all: relu is flat on the left. The gradient passes only where x was positive.
//= mistake relu_passes_at_zero
//=   premise: At x = exactly 0 relu has a kink: slope 0 to the left, 1 to the right.
//=   question: Which one does PyTorch take?
//=   because: there is no derivative at a kink, so a convention decides, and it is 0 (x > 0, not x >= 0). It
//=     matters more than you would think: sums of zeros, and padding, are exactly 0.
//= mistake output_read_late
//=   question: Between forward and backward, another number was written into the node's data. At which point is
//=     your derivative taken?
//=   because: your backward reads node.data, and finds the new number there. A derivative belongs to the number
//=     that was *computed*, so keep that one in `saved`. (The engine keeps a reference to the memory and counts its
//=     versions, so that it notices.)
//= mistake input_read_late
//=   question: Between forward and backward x got another value, as in a step of training. At which x is your
//=     derivative taken?
//=   because: your backward reads node.input->data when it runs. Keep the number, not the place where it was
//=     stored.
//= mistake all_from_input
//=   question: Three of yours are wrong in the same way: tanh, sigmoid and exp. Which number did you put into their
//=     formulas, x or y?
//=   because: 1 - y^2, y (1 - y) and y are written in terms of the *output*. With x in its place all three are
//=     wrong, though near 0 the first hardly shows it.
//= mistake kept_outside
//=   question: Two nodes are made before the backward of the first one is called. Which number does it find in your
//=     variable: its own?
//=   because: all nodes share a static or global variable, so each node finds what the last one left there. Each
//=     node has its own `saved`.
//= mistake input_not_x
//=   question: A walk back has called the backward of your node. To which node does the result belong, and how does
//=     the walk find that node?
//=   because: what backward returns goes to node.input. That has to be x, the very node that was handed in: with
//=     nullptr there, or a copy of x, the gradient never arrives.
//= mistake relu_masks_both
//=   question: Where x is positive and dy is -1: what is dx? What is yours?
//=   because: the mask is x > 0 and nothing else. Where it is open, a negative gradient passes like a positive one.
//=     (Masking by dy as well is a method for making pictures, "guided backprop", not a derivative.)
//= equal mutant: const double y = x->data >= 0.0 ? x->data : 0.0;
//=   because: at 0 both sides are 0.

#include "given.h"

NodePtr tanh_of(const NodePtr& x) {
  //[
  //- // TODO: compute y; choose the one number to keep; say how dy becomes dx. Like this:
  //- //   const auto backward = [](const Node& node, double dy) { return dy * ...; };  // with node.saved
  //- //   return make_node(y, x, /* saved: */ ..., backward);
  //- todo("tanh_of: the node, and its derivative");
  const double y = std::tanh(x->data);
  //~ kept_outside | const double y = std::tanh(x->data);
  //~ kept_outside | static double kept = 0.0;
  //~ kept_outside | kept = y;
  //~ tan_for_tanh | const double y = std::tan(x->data);
  const auto backward = [](const Node& node, double dy) {
    const double t = node.saved;
    //~ kept_outside | const double t = kept;
    //~ output_read_late | const double t = node.data;
    return dy * (1.0 - t * t);
    //~ dy_forgotten | return 1.0 - t * t;
    //~ tanh_twice | return dy * (1.0 - std::tanh(t) * std::tanh(t));
    //~ tanh_square_forgotten | return dy * (1.0 - t);
    //~ tanh_plus | return dy * (1.0 + t * t);
  };
  return make_node(y, x, y, backward);
  //~ input_not_x | return make_node(y, std::make_shared<Node>(*x), y, backward);
  //~ tanh_from_input | return make_node(y, x, x->data, backward);
  //~ all_from_input | return make_node(y, x, x->data, backward);
  //]
}

NodePtr sigmoid_of(const NodePtr& x) {
  //[
  //- // TODO: y = 1 / (1 + e^-x)
  //- todo("sigmoid_of: the node, and its derivative");
  const double y = 1.0 / (1.0 + std::exp(-x->data));
  //~ kept_outside | const double y = 1.0 / (1.0 + std::exp(-x->data));
  //~ kept_outside | static double kept = 0.0;
  //~ kept_outside | kept = y;
  //~ sigmoid_exponent_sign | const double y = 1.0 / (1.0 + std::exp(x->data));
  const auto backward = [](const Node& node, double dy) {
    const double s = node.saved;
    //~ kept_outside | const double s = kept;
    //~ sigmoid_twice | const double s = 1.0 / (1.0 + std::exp(-node.saved));
    //~ output_read_late | const double s = node.data;
    return dy * s * (1.0 - s);
    //~ dy_forgotten | return s * (1.0 - s);
  };
  return make_node(y, x, y, backward);
  //~ input_not_x | return make_node(y, std::make_shared<Node>(*x), y, backward);
  //~ sigmoid_from_input | return make_node(y, x, x->data, backward);
  //~ all_from_input | return make_node(y, x, x->data, backward);
  //]
}

NodePtr exp_of(const NodePtr& x) {
  //[
  //- // TODO: y = e^x
  //- todo("exp_of: the node, and its derivative");
  const double y = std::exp(x->data);
  //~ kept_outside | const double y = std::exp(x->data);
  //~ kept_outside | static double kept = 0.0;
  //~ kept_outside | kept = y;
  //~ e_with_three_decimals | const double y = std::pow(2.718, x->data);
  const auto backward = [](const Node& node, double dy) {
    const double e = node.saved;
    //~ kept_outside | const double e = kept;
    //~ output_read_late | const double e = node.data;
    return dy * e;
    //~ exp_twice | return dy * std::exp(e);
    //~ dy_forgotten | return e;
    //~ exp_power_rule | return dy * e * std::exp(e - 1.0);
  };
  return make_node(y, x, y, backward);
  //~ input_not_x | return make_node(y, std::make_shared<Node>(*x), y, backward);
  //~ exp_from_input | return make_node(y, x, x->data, backward);
  //~ exp_power_rule | return make_node(y, x, x->data, backward);
  //~ all_from_input | return make_node(y, x, x->data, backward);
  //]
}

NodePtr log_of(const NodePtr& x) {
  //[
  //- // TODO: y = the natural logarithm of x. Which number would you keep here?
  //- todo("log_of: the node, and its derivative");
  const double y = std::log(x->data);
  //~ kept_outside | const double y = std::log(x->data);
  //~ kept_outside | static double kept = 0.0;
  //~ kept_outside | kept = x->data;
  //~ log_to_base_ten | const double y = std::log10(x->data);
  const auto backward = [](const Node& node, double dy) {
    const double before = node.saved;
    //~ kept_outside | const double before = kept;
    //~ input_read_late | const double before = node.input->data;
    return dy / before;
    //~ log_multiplies | return dy * before;
    //~ dy_forgotten | return 1.0 / before;
  };
  return make_node(y, x, x->data, backward);
  //~ input_not_x | return make_node(y, std::make_shared<Node>(*x), x->data, backward);
  //~ log_from_output | return make_node(y, x, y, backward);
  //]
}

NodePtr relu_of(const NodePtr& x) {
  //[
  //- // TODO: y = x where it is positive, else 0. At x = 0 the gradient is 0.
  //- todo("relu_of: the node, and its derivative");
  const double y = x->data > 0.0 ? x->data : 0.0;
  //~ kept_outside | const double y = x->data > 0.0 ? x->data : 0.0;
  //~ kept_outside | static double kept = 0.0;
  //~ kept_outside | kept = x->data;
  //~ relu_is_abs | const double y = std::abs(x->data);
  const auto backward = [](const Node& node, double dy) {
    const double before = node.saved;
    //~ kept_outside | const double before = kept;
    //~ input_read_late | const double before = node.input->data;
    return before > 0.0 ? dy : 0.0;
    //~ relu_masks_by_dy | return dy > 0.0 ? dy : 0.0;
    //~ relu_masks_both | return before > 0.0 && dy > 0.0 ? dy : 0.0;
    //~ relu_times_x | return before > 0.0 ? dy * before : 0.0;
    //~ relu_no_mask | return dy;
    //~ dy_forgotten | return before > 0.0 ? 1.0 : 0.0;
    //~ relu_passes_at_zero | return before >= 0.0 ? dy : 0.0;
  };
  return make_node(y, x, x->data, backward);
  //~ input_not_x | return make_node(y, std::make_shared<Node>(*x), x->data, backward);
  //]
}
