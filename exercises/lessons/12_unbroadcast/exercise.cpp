//= title: Un-broadcast
//= part: C
//= difficulty: 2
//= minutes: 20
//= fast track
//= answer: unbroadcast, product_backward
//= not: backward
//= mistake missing_dims_first_slice
//=   question: A row [{columns}] was used by all {rows} rows of a matrix. How many of them send a gradient to it?
//=   because: the dims that the tensor does not have were dropped by taking their first slice: the gradient that one
//=     of its uses sends. All uses count.
//= mistake missing_dims_mean
//=   question: Your gradient is smaller by a factor that depends on the shapes. Where would a division come from?
//=   because: the repeats were averaged. Each repeat is a use of its own, and uses add up.
//= mistake missing_dims_kept
//=   question: A row [{columns}] was repeated {rows} times. Which shape does the gradient of a row have?
//=   because: the dims in front that the tensor never had are still there, because nothing summed them away.
//= mistake aligned_at_the_first
//=   question: Shapes [{rows}, {columns}] and [{columns}]: which dims are aligned with each other?
//=   because: broadcasting aligns shapes at the *last* dim, so what is missing is missing in front. You summed over
//=     dims at the end.
//= mistake dims_move
//=   question: You sum away dim 0 of [{batch}, {rows}, {columns}], then dim 1 of the result. Which dim of dy is that?
//=   because: sum({0}) drops its dim, and what was dim 1 is now dim 0. A sum over dim 1 then goes over what was dim
//=     2, and the old dim 1 is still there. If there are several dims in front, each is dim 0 when its turn comes;
//=     dims of size 1 do not move if each sum keeps its dim.
//= mistake same_number_of_elements
//=   question: dy is [1, {columns}], and the tensor is [{columns}]: they have equally many numbers. Which shape do
//=     you return?
//=   because: dy came back as it was, since nothing was repeated. Its dims of size 1 in front are still there, and
//=     the gradient has exactly the tensor's shape.
//= mistake scalar_as_one
//=   question: A single number has the shape []. How many dims does your gradient of it have?
//=   because: the last sum kept its dim, so the gradient is [1]. A tensor without dims has a gradient without dims.
//= mistake size_one_first_slice
//=   question: A column [{rows}, 1] was used by {columns} columns. How many of them send a gradient to it?
//=   because: along the dim of size 1 only the first use was taken. All of them must be summed.
//= mistake size_one_mean
//=   question: Where the tensor has a dim of size 1, your gradient is divided by something. By which length, and
//=     why?
//=   because: the repeats along that dim were averaged. Each of them used the tensor once, and their gradients add
//=     up.
//= mistake size_one_kept
//=   question: A column [{rows}, 1] was repeated. Which of its dims is longer in dy than in the column?
//=   because: dims of size 1 are repeated as well as missing ones. Yours are still as long as in dy.
//= mistake size_one_dropped
//=   question: A gradient of a column [{rows}, 1]: is its shape [{rows}] or [{rows}, 1]?
//=   because: the sum dropped the dim, and the next one moved into its place. With keepdim it stays, with size 1.
//= mistake only_one_kind
//=   question: A tensor [1, {columns}] was broadcast to [{batch}, {rows}, {columns}]. In how many ways was it
//=     repeated?
//=   because: where dims were missing, the dims of size 1 were left alone. Both can happen to one tensor.
//= mistake first_repeat_only
//=   question: A tensor [1, 1] is used by {rows} rows and {columns} columns. After one sum, what shape do you have?
//=   because: the loop ended at the first dim of size 1. There may be more.
//= mistake all_summed
//=   question: Every entry of your gradient is the same number. Which axes had been repeated, and which had not?
//=   because: everything was summed into one number, which was then spread over the shape. Dims that were not
//=     repeated keep their entries apart.
//= mistake empty_list_of_dims
//=   question: What does your function return if the two shapes are equal?
//=   because: the list of dims to sum over is empty then, and a sum over an empty list of dims sums over all of
//=     them.
//= mistake empty_list_in_front
//=   question: What does your function sum over if the tensor has all of dy's dims?
//=   because: the list of the dims in front is empty then, and a sum over an empty list of dims sums over all of
//=     them.
//= mistake empty_list_of_ones
//=   question: What does your function sum over if no dim of the tensor has size 1?
//=   because: the list of the dims of size 1 is empty then, and a sum over an empty list of dims sums over all of
//=     them.
//= mistake product_not_unbroadcast
//=   question: a is [{rows}, 1] and b is [{columns}]. Which shape does dy * b have, and which one does a have?
//=   because: dy * b has the shape of y. The dims along which a was repeated in the forward pass are still in it.
//= mistake product_of_sums
//=   question: Is a sum of products the product of the sums? Try it with (1, 2) and (3, 4).
//=   because: dy and b were summed separately and then multiplied. Every use of a has its own dy and its own b:
//=     first multiply, then sum.
//= mistake summed_before_the_product
//=   question: An element of a is used several times, each time with a different element of b. When you multiply by
//=     b, how many numbers are left of dy for it?
//=   because: dy was first summed to the shape of a, and then multiplied by b, which brings back the shape of y. dy
//=     * b has a number for each use: first multiply, then sum.
//= mistake product_swapped
//=   question: Hold a fixed and change one number of b. What is it multiplied by in y?
//=   because: dy was multiplied by the operand itself. In a product the local derivative is the other operand.
//= equal mutant: for (int dim = -1; dim < shape.dim(); ++dim) {
//=   because: dim -1 is the last one once more, and a sum over a length of 1 changes nothing.

#include "given.h"

Tensor unbroadcast(const Tensor& dy, const Shape& shape) {
  //[
  //- // TODO: sum away the dims in front that `shape` does not have; then the dims that have size 1 in it.
  //- todo("unbroadcast: dy summed to the given shape");
  Tensor gradient = dy;
  while (gradient.dim() > shape.dim()) gradient = gradient.sum({0});
  //~ missing_dims_first_slice | while (gradient.dim() > shape.dim()) gradient = gradient.select(0, 0);
  //~ missing_dims_mean | while (gradient.dim() > shape.dim()) gradient = gradient.mean({0});
  //~ missing_dims_kept |
  //~ aligned_at_the_first | while (gradient.dim() > shape.dim()) gradient = gradient.sum({-1});
  //~ dims_move | for (int dim = 0; dim < dy.dim() - shape.dim(); ++dim) gradient = gradient.sum({dim});
  //~ same_number_of_elements | if (dy.numel() == shape.numel()) return dy;
  //~ same_number_of_elements | while (gradient.dim() > shape.dim()) gradient = gradient.sum({0});
  //~ scalar_as_one | while (gradient.dim() > shape.dim() && gradient.dim() > 1) gradient = gradient.sum({0});
  //~ scalar_as_one | if (shape.dim() == 0 && gradient.dim() == 1) return gradient.sum({0}, true);
  for (int dim = 0; dim < shape.dim(); ++dim) {
    //~ only_one_kind | for (int dim = 0; dim < shape.dim() && dy.dim() == shape.dim(); ++dim) {
    if (shape[dim] == 1) gradient = gradient.sum({dim}, true);
    //~ size_one_first_slice | if (shape[dim] == 1) gradient = gradient.narrow(dim, 0, 1);
    //~ size_one_mean | if (shape[dim] == 1) gradient = gradient.mean({dim}, true);
    //~ size_one_dropped | if (shape[dim] == 1) gradient = gradient.sum({dim});
    //~ dims_move.of_size_one | if (shape[dim] == 1 && dim < gradient.dim()) gradient = gradient.sum({dim});
    //~ first_repeat_only | if (shape[dim] == 1) return gradient.sum({dim}, true);
  }
  //~ size_one_kept 3 |
  return gradient;
  //~ dims_move.of_size_one | return gradient.reshape(shape);
  //~ all_summed 6 | return dy.sum().expand(shape);
  //~ empty_list_in_front 6 | autograd::Dims in_front;
  //~ empty_list_in_front | for (int dim = 0; dim < dy.dim() - shape.dim(); ++dim) in_front.push_back(dim);
  //~ empty_list_in_front | Tensor gradient = dy.sum(in_front);
  //~ empty_list_in_front | autograd::Dims ones;
  //~ empty_list_in_front | for (int dim = 0; dim < shape.dim(); ++dim) {
  //~ empty_list_in_front |   if (shape[dim] == 1) ones.push_back(dim);
  //~ empty_list_in_front | }
  //~ empty_list_in_front | return ones.dim() == 0 ? gradient : gradient.sum(ones, true);
  //~ empty_list_of_ones 6 | Tensor gradient = dy;
  //~ empty_list_of_ones | while (gradient.dim() > shape.dim()) gradient = gradient.sum({0});
  //~ empty_list_of_ones | autograd::Dims ones;
  //~ empty_list_of_ones | for (int dim = 0; dim < shape.dim(); ++dim) {
  //~ empty_list_of_ones |   if (shape[dim] == 1) ones.push_back(dim);
  //~ empty_list_of_ones | }
  //~ empty_list_of_ones | return gradient.sum(ones, true);
  //~ empty_list_of_dims 6 | autograd::Dims repeated;
  //~ empty_list_of_dims | const int missing = dy.dim() - shape.dim();
  //~ empty_list_of_dims | for (int dim = 0; dim < dy.dim(); ++dim) {
  //~ empty_list_of_dims |   if (dim < missing || shape[dim - missing] == 1) repeated.push_back(dim);
  //~ empty_list_of_dims | }
  //~ empty_list_of_dims | Tensor gradient = dy.sum(repeated, true);
  //~ empty_list_of_dims | while (gradient.dim() > shape.dim()) gradient = gradient.squeeze(0);
  //~ empty_list_of_dims | return gradient;
  //]
}

ProductGradients product_backward(const Tensor& dy, const Tensor& a, const Tensor& b) {
  //[
  //- // TODO: the derivatives of y = a * b, in the shape of each operand.
  //- todo("product_backward: da in a's shape and db in b's");
  const Tensor da = unbroadcast(dy * b, a.shape());
  //~ product_not_unbroadcast | const Tensor da = dy * b;
  //~ product_of_sums | const Tensor da = unbroadcast(unbroadcast(dy, a.shape()) * b, a.shape());
  //~ product_of_sums.in_da | const Tensor da = unbroadcast(unbroadcast(dy, a.shape()) * b, a.shape());
  //~ summed_before_the_product | const Tensor da = unbroadcast(dy, a.shape()) * b;
  //~ summed_before_the_product.in_da | const Tensor da = unbroadcast(dy, a.shape()) * b;
  //~ product_swapped | const Tensor da = unbroadcast(dy * a, a.shape());
  const Tensor db = unbroadcast(dy * a, b.shape());
  //~ product_not_unbroadcast | const Tensor db = dy * a;
  //~ product_of_sums | const Tensor db = unbroadcast(unbroadcast(dy, b.shape()) * a, b.shape());
  //~ summed_before_the_product | const Tensor db = unbroadcast(dy, b.shape()) * a;
  //~ product_swapped | const Tensor db = unbroadcast(dy * b, b.shape());
  return {da, db};
  //]
}
