//= title: Value, add, mul
//= part: B
//= difficulty: 1
//= minutes: 15
//= fast track
//= answer: value, add, mul
//= mistake grad_not_set
//=   question: All your gradients are NaN. What is in `grad` before the first contribution is added to it?
//=   because: contributions are *added*, so the sum has to begin at 0. A variable that has not been set holds
//=     whatever was in that memory; here it holds NaN, so that you see it.
//= mistake results_grad_not_set
//=   question: The walk adds contributions to the `grad` of a result, too, and passes on the sum. What is in it
//=     when you have made that node?
//=   because: a node made with make_shared alone has NaN in its grad, and a number added to NaN is NaN. value()
//=     sets it to 0.
//= mistake grad_starts_at_one
//=   question: The gradient of a number that is not used at all is 1. With what does `grad` begin, and for which
//=     node would 1 be right?
//=   because: dL/dL is 1 for the output alone, and the walk back puts it there itself. All others begin at 0.
//= mistake same_operand_twice
//=   question: With a = 2 and b = 3, what is the data of your a + b?
//=   because: a is added to itself. The derivatives are those of a + b, so only the number itself gives the mistake
//=     away.
//= mistake product_is_a_sum
//=   question: With a = 2 and b = 3, what is the data of your a * b?
//=   because: the line was copied from add, and still adds. The derivatives are those of a product.
//= mistake operands_swapped
//=   question: For c = a * b: if only a grows by 0.001, by how much does c grow? On which of the two numbers does
//=     that depend?
//=   because: a's gradient is dy * b, the *other* factor. Yours is dy * a.
//= mistake both_get_the_product
//=   question: For c = a * b with a = 2 and b = 5: if a grows by 1, does c grow by 10?
//=   because: both gradients are dy * c, where each should be dy times the other factor.
//= mistake mul_forgets_dy
//=   question: Your mul returns the same whatever dy is. What would be different if the loss were 100 times as
//=     large?
//=   because: b and a are the derivatives of the product; the chain rule multiplies them by dy, the derivative of
//=     the loss by the product.
//= mistake add_forgets_dy
//=   question: Your add returns 1 for each input. If the loss changes by dy for each unit of a + b, by how much
//=     does it change for each unit of a?
//=   because: 1 is the derivative of a + b with respect to a; the chain rule multiplies it by dy.
//= mistake add_multiplies
//=   question: For c = a + b with b = 5: if a grows by 0.001, does c grow by 0.005?
//=   because: that is the derivative of a product. In a sum each operand counts for itself, with the factor 1.
//= mistake add_halves
//=   question: Your add gives half of dy to each input. If a alone grows by 0.001, by how much does a + b grow?
//=   because: dy is not shared out: each of the two changes the sum by as much as it changes itself, so each gets
//=     all of dy.
//= mistake second_gets_nothing
//=   question: The second factor's gradient is 0. Does b not change the product?
//=   because: the 0 is a placeholder, or would be right for a constant. Both factors are variables.
//= mistake adds_it_itself
//=   question: Your gradients are too large by whole factors. Who adds to an input's `grad`: your backward, or
//=     its caller?
//=   because: the walk back adds what backward returns. Yours adds it to a->grad and b->grad as well, as
//=     micrograd's does, where nothing else adds it; here it counts twice.
//= mistake product_over_factor
//=   question: Your gradient of a factor is the product divided by that factor. What is it where the factor is 0?
//=   because: 0 / 0 is NaN. The product without one factor is the other factor, which you have: there is no need to
//=     divide.
//= mistake twice_in_one
//=   premise: Your gradients of a + a and a * a are right.
//=   question: How often does a appear in `inputs` there, and how often was it used?
//=   because: a is listed once, with both contributions added together. You do not need that special case: if a
//=     node is listed twice, it gets dy twice, and the walk back adds.
//= mistake same_input_once
//=   question: How many contributions should a get from a + a, and from a * a? How often does it appear in the
//=     inputs that you list?
//=   because: you list a node once if both operands are that node, so it gets one contribution of the two. Nothing
//=     special is needed there: {a, a} and two gradients, which the walk adds.
//= mistake inputs_not_listed
//=   question: Nothing arrives below a node that you compute. How does the walk find its way from there to what it
//=     was computed from?
//=   because: the walk follows `inputs`. Where they are empty, a sum or a product looks like a leaf that has a
//=     backward.
//= mistake by_reference
//=   question: `x = mul(x, b)` in the caller's code changes the variable x. Which number does your backward read
//=     afterwards?
//=   because: with [&a, &b] the closure keeps a reference to the caller's *variables*, and reads what they hold
//=     when backward runs. By then x is another node, made later. A copy of the pointer, [a, b], keeps the node.

#include "given.h"

NodePtr value(double data) {
  //[
  //- // TODO: a node with this number and no inputs: std::make_shared<Node>(). What is its grad to begin with?
  //- todo("value: a leaf with this number");
  const NodePtr leaf = std::make_shared<Node>();
  leaf->data = data;
  leaf->grad = 0.0;  // contributions will be added to it
  //~ grad_not_set |
  //~ grad_starts_at_one | leaf->grad = 1.0;
  return leaf;
  //]
}

NodePtr add(const NodePtr& a, const NodePtr& b) {
  //[
  //- // TODO: a node with the sum, its grad and inputs, and a backward: [](double dy) { return Gradients{..., ...}; }
  //- todo("add: a node for a + b that knows its derivatives");
  const NodePtr sum = value(a->data + b->data);
  //~ same_operand_twice | const NodePtr sum = value(a->data + a->data);
  //~ results_grad_not_set | const NodePtr sum = std::make_shared<Node>();
  //~ results_grad_not_set | sum->data = a->data + b->data;
  //~ results_grad_not_set.of_a_sum | const NodePtr sum = std::make_shared<Node>();
  //~ results_grad_not_set.of_a_sum | sum->data = a->data + b->data;
  sum->inputs = {a, b};
  //~ inputs_not_listed |
  //~ same_input_once | sum->inputs = a == b ? std::vector<NodePtr>{a} : std::vector<NodePtr>{a, b};
  sum->backward = [](double dy) { return Gradients{dy, dy}; };
  //~ same_input_once | sum->backward = [n = sum->inputs.size()](double dy) { return Gradients(n, dy); };
  //~ twice_in_one | if (a == b) sum->inputs = {a};
  //~ twice_in_one | if (a == b) sum->backward = [](double dy) { return Gradients{2.0 * dy}; };
  //~ add_forgets_dy | sum->backward = [](double) { return Gradients{1.0, 1.0}; };
  //~ adds_it_itself | sum->backward = [a, b](double dy) {
  //~ adds_it_itself |   a->grad += dy;
  //~ adds_it_itself |   b->grad += dy;
  //~ adds_it_itself |   return Gradients{dy, dy};
  //~ adds_it_itself | };
  //~ add_multiplies | sum->backward = [a, b](double dy) { return Gradients{dy * b->data, dy * a->data}; };
  //~ add_halves | sum->backward = [](double dy) { return Gradients{0.5 * dy, 0.5 * dy}; };
  return sum;
  //]
}

NodePtr mul(const NodePtr& a, const NodePtr& b) {
  //[
  //- // TODO: the same for the product. Its derivatives need the two numbers: make the closure keep what it needs.
  //- todo("mul: a node for a * b that knows its derivatives");
  const NodePtr product = value(a->data * b->data);
  //~ product_is_a_sum | const NodePtr product = value(a->data + b->data);
  //~ results_grad_not_set | const NodePtr product = std::make_shared<Node>();
  //~ results_grad_not_set | product->data = a->data * b->data;
  //~ results_grad_not_set.of_a_product | const NodePtr product = std::make_shared<Node>();
  //~ results_grad_not_set.of_a_product | product->data = a->data * b->data;
  product->inputs = {a, b};
  //~ inputs_not_listed |
  //~ same_input_once | product->inputs = a == b ? std::vector<NodePtr>{a} : std::vector<NodePtr>{a, b};
  product->backward = [a, b](double dy) { return Gradients{dy * b->data, dy * a->data}; };
  //~ operands_swapped | product->backward = [a, b](double dy) { return Gradients{dy * a->data, dy * b->data}; };
  //~ adds_it_itself | product->backward = [a, b](double dy) {
  //~ adds_it_itself |   a->grad += dy * b->data;
  //~ adds_it_itself |   b->grad += dy * a->data;
  //~ adds_it_itself |   return Gradients{dy * b->data, dy * a->data};
  //~ adds_it_itself | };
  //~ product_over_factor | const double c = product->data;
  //~ product_over_factor | product->backward = [a, b, c](double dy) {
  //~ product_over_factor |   return Gradients{dy * c / a->data, dy * c / b->data};
  //~ product_over_factor | };
  //~ same_input_once | product->backward = [a, b](double dy) {
  //~ same_input_once |   return a == b ? Gradients{dy * b->data} : Gradients{dy * b->data, dy * a->data};
  //~ same_input_once | };
  //~ twice_in_one | if (a == b) product->inputs = {a};
  //~ twice_in_one | if (a == b) product->backward = [a](double dy) { return Gradients{2.0 * dy * a->data}; };
  //~ both_get_the_product | const double c = product->data;
  //~ both_get_the_product | product->backward = [c](double dy) { return Gradients{dy * c, dy * c}; };
  //~ mul_forgets_dy | product->backward = [a, b](double) { return Gradients{b->data, a->data}; };
  //~ second_gets_nothing | product->backward = [b](double dy) { return Gradients{dy * b->data, 0.0}; };
  //~ by_reference | product->backward = [&a, &b](double dy) { return Gradients{dy * b->data, dy * a->data}; };
  return product;
  //]
}
