//= title: Linear layer
//= part: D
//= difficulty: 1
//= minutes: 15
//= after: 12
//= fast track
//= answer: linear_backward
//= not: linear, backward
//= mistake bias_mean
//=   question: Your db is exactly 1/{batch} of the true one, and the batch has {batch} rows: what did you do with
//=     the batch axis?
//=   because: every row of the batch adds the same bias, so its gradient is the sum over the rows; a mean divides
//=     that sum by {batch}. (Where the loss is a mean, its own 1/{batch} has already arrived inside dy.)
//= mistake bias_first_row
//=   question: Your db is the gradient that the first row of the batch alone would give. Which rows used the bias?
//=   because: the bias was broadcast: all {batch} rows used it, so all {batch} rows send a gradient back to it.
//= mistake bias_last_row
//=   question: Your db is what the last row of the batch gives. Is something overwritten where it should be added?
//=   because: a loop that assigns with `=` keeps the last row's part only; every row's part must be added.
//= mistake bias_all
//=   question: Your db is one number, or the same everywhere. Which axes did you sum over, and which one is the bias's
//=     own?
//=   because: the bias has one number per output feature; sum only over the batch axis, along which it was
//=     repeated.
//= mistake bias_per_row
//=   question: Your db has one number for each of the {batch} rows. How many numbers does the bias have, and what is
//=     each of them added to?
//=   because: the bias has one number per output feature, {out} in all, and each is added in every row. You summed over
//=     the features, dim 1; the rows are dim 0.
//= mistake weight_mean
//=   question: Your dw is exactly 1/{batch} of the true one. Where does a 1/{batch} come from?
//=   because: dy already carries whatever the loss divides by; dw is the plain sum over the batch, dy^T x.
//= mistake weight_transposed
//=   question: The weight is [{out}, {in}]. Which shape has your dw, and why does it have the right numbers?
//=   because: x^T dy is the transpose of dw. The layer uses W transposed, x W^T, so its gradient is dy^T x, in W's
//=     own shape.
//= mistake weight_reshaped
//=   premise: Your dw has the right numbers, most of them at the wrong places.
//=   question: In which order do they lie in memory, and does reshape() change that?
//=   because: x^T dy is [in, out], the transpose of dw. reshape() reads the same numbers in the same order into other
//=     rows; t() exchanges rows and columns. dy^T x has the right shape at once.
//= mistake weight_last_row
//=   question: Your dw is what the last row of the batch gives. Is something overwritten where it should be added?
//=   because: every one of the {batch} rows used the same weights, so the parts of all rows are added. A loop that
//=     assigns with `=` keeps the last one only.
//= mistake bias_counts_rows
//=   question: Your db does not change when dy does. For which dy is it right?
//=   because: db is {batch} where dy is all ones, as in the example. In general it is the sum of dy over the rows.
//= mistake squeezed
//=   premise: Your gradients are right, but not where a layer has one output, or a batch one row.
//=   question: What becomes of an axis of length 1 in your code?
//=   because: squeeze() without a dim drops every axis of length 1, and the sum then runs over a different axis
//=     from the one you meant. An axis of length 1 is an axis all the same: sum over it by its dim.
//= mistake x_minus
//=   question: Your dx is minus what it should be: which minus sign did you put in, and why?
//=   because: y grows with x by the weight itself; gradient *descent* takes the minus sign, the gradient does not.

#include "given.h"

LinearGradients linear_backward(const Tensor& dy, const Tensor& x, const Tensor& weight) {
  //[
  //- // TODO: dx, dw and db. Write the shapes beside each product: only one order of factors fits.
  //- todo("linear_backward: the gradients dx, dw and db");
  const Tensor dx = matmul(dy, weight);  // [batch, out] x [out, in]
  //~ x_minus | const Tensor dx = -matmul(dy, weight);
  const Tensor dw = matmul(dy.t(), x);  // [out, batch] x [batch, in]
  //~ weight_mean | const Tensor dw = matmul(dy.t(), x) / static_cast<double>(x.size(0));
  //~ weight_reshaped | const Tensor dw = matmul(x.t(), dy).reshape(weight.shape());
  //~ weight_last_row | const Tensor dw = dy.select(0, -1).unsqueeze(1) * x.select(0, -1);
  //~ weight_transposed | const Tensor dw = matmul(x.t(), dy);
  const Tensor db = dy.sum({0});  // every row used the same bias
  //~ bias_all.one_number | const Tensor db = dy.sum();
  //~ bias_mean | const Tensor db = dy.mean({0});
  //~ bias_per_row | const Tensor db = dy.sum({1});
  //~ bias_first_row | const Tensor db = dy.select(0, 0);
  //~ bias_last_row | const Tensor db = dy.select(0, -1);
  //~ bias_counts_rows | const Tensor db = zeros_like(dy[0]) + static_cast<double>(dy.size(0));
  //~ squeezed | const Tensor db = dy.squeeze().sum({0});
  //~ bias_all | const Tensor db = dy.sum().expand({dy.size(1)});
  return {dx, dw, db};
  //]
}
