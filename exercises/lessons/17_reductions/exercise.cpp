//= title: Reductions
//= part: C
//= difficulty: 2
//= minutes: 20
//= after: 12
//= answer: sum_backward, mean_backward, max_backward
//= not: backward
//= mistake sum_along_another_dim
//=   question: x [{batch}, {rows}, {columns}] is summed over rows. Which entry of dy belongs to x[1, 2, 0]?
//=   because: the right number of copies was made, but along the first dim, and then reshaped to fit. The copies
//=     belong along the dim that was summed away.
//= mistake sum_first_only
//=   question: How many elements were added up into one y? How many of them get a gradient from you?
//=   because: only the first element along the dim got dy; every summand has the derivative 1.
//= mistake sum_divided
//=   question: If one of {rows} summands grows by 1, by how much does the sum grow?
//=   because: dy was divided by the number of summands. That is the derivative of a mean; in a sum each one counts
//=     fully.
//= mistake sum_not_spread
//=   question: Which shape should your gradient of a sum have?
//=   because: the dim is back with size 1, but nothing was repeated along it. A gradient has the shape of its
//=     tensor.
//= mistake dim_put_back_last
//=   question: The sum over dim 0 of a [{batch}, {rows}, {columns}] has lost its first dim. Where do you put a dim
//=     back?
//=   because: unsqueeze(-1) puts the dim of size 1 at the end, whichever dim was summed over. It belongs where it
//=     was.
//= mistake mean_not_divided
//=   question: If one of {rows} elements grows by 1, by how much does their mean grow?
//=   because: the division by the number of elements was forgotten: this is the gradient of a sum.
//= mistake mean_of_everything
//=   question: The mean over one dim: how many elements go into each of its results?
//=   because: you divided by the number of all elements of x. Each mean is over one dim only.
//= mistake mean_by_one_axis
//=   premise: Your mean over one dim is right, and over the others not.
//=   question: By what do you divide?
//=   because: the length of one dim was used, whichever dim was reduced.
//= mistake integer_division
//=   question: In C++, what is 1 / {rows}?
//=   because: both numbers are integers, so the quotient is an integer as well: 0. The gradient is 0 everywhere,
//=     and nothing says so.
//= mistake ties_paid_twice
//=   question: Two elements share the first place, and dy is 1. How much do you hand out in total?
//=   because: each of the tied elements got all of dy. If both grow by 1 the maximum grows by 1, not by 2.
//= mistake ties_of_two
//=   question: Three elements share the first place, and dy is 1. How much do you hand out in total?
//=   because: each of the tied elements got one half, however many there were. They share equally: where there are
//=     three, each gets a third.
//= mistake near_ties_shared
//=   question: 2 and 2.000000000001: which of them is the maximum? What does the other one get from you?
//=   because: the two were taken to be equal within a margin. y is a copy of an element of x, not a result that was
//=     rounded, so == finds exactly the ones that share the first place.
//= mistake first_tie_takes_all
//=   question: Two elements share the first place. What do you give to the second of them?
//=   because: dy went to the first position of the maximum. That is a convention, too (PyTorch's max(x, dim)); this
//=     exercise asks for equal sharing (PyTorch's amax).
//= mistake max_to_all
//=   question: The third largest element grows a little. What happens to the maximum?
//=   because: all elements got dy. The maximum depends only on those in the first place.
//= mistake max_of_everything
//=   question: x [{batch}, {rows}, {columns}] over rows has {batch} times {columns} maxima. How many places of x
//=     receive a gradient from you?
//=   because: x was compared with its largest element of all. Each result has its own maximum, along dim.
//= mistake ties_counted_everywhere
//=   question: Two elements share the first place in one column. Does that concern the other columns?
//=   because: dy was divided by the number of all maxima in x. Only the maxima of the same result share.
//= mistake dy_divided_in_place
//=   question: After your function has run, what is in dy? Which of your lines writes into its memory?
//=   because: a view and its base share one memory, so dy itself was divided, and all the code that still needs it
//=     gets the shares. a / b makes a new tensor; a /= b changes a.
//= mistake max_without_dy
//=   question: Where is dy in your gradient of the maximum?
//=   because: that is the derivative of y alone: 1, or a share of 1, at the maximum. It must be multiplied by dy.

#include "given.h"

Tensor sum_backward(const Tensor& dy, const Shape& shape, int dim) {
  //[
  //- // TODO: unsqueeze(dim) puts a dim of size 1 back.
  //- todo("sum_backward: dx for a sum over dim");
  return dy.unsqueeze(dim).expand(shape);
  //~ dim_put_back_last | return dy.unsqueeze(-1).expand(shape);
  //~ sum_along_another_dim | Shape copies = dy.shape();
  //~ sum_along_another_dim | copies.insert(0, shape[dim]);
  //~ sum_along_another_dim | return dy.expand(copies).reshape(shape);
  //~ sum_first_only | const Tensor dx = autograd::zeros(shape, autograd::float64);
  //~ sum_first_only | dx.select(dim, 0).copy_(dy);
  //~ sum_first_only | return dx;
  //~ sum_divided | return dy.unsqueeze(dim).expand(shape) / static_cast<double>(shape[dim]);
  //~ sum_not_spread | return dy.unsqueeze(dim);
  //]
}

Tensor mean_backward(const Tensor& dy, const Shape& shape, int dim) {
  //[
  //- // TODO: a size is an integer; static_cast<double>(size) turns it into a number to divide by.
  //- todo("mean_backward: dx for a mean over dim");
  const Tensor share = dy / static_cast<double>(shape[dim]);
  //~ mean_not_divided | const Tensor share = dy;
  //~ mean_of_everything | const Tensor share = dy / static_cast<double>(shape.numel());
  //~ mean_by_one_axis | const Tensor share = dy / static_cast<double>(shape[0]);
  //~ mean_by_one_axis.rows | const Tensor share = dy / static_cast<double>(shape[1]);
  //~ mean_by_one_axis.columns | const Tensor share = dy / static_cast<double>(shape[shape.dim() - 1]);
  //~ integer_division | const Tensor share = dy * (1 / shape[dim]);
  return share.unsqueeze(dim).expand(shape);
  //~ dim_put_back_last | return share.unsqueeze(-1).expand(shape);
  //]
}

Tensor max_backward(const Tensor& dy, const Tensor& x, const Tensor& y, int dim) {
  //[
  //- // TODO: where is x equal to its maximum, and in how many places? (a == b) is boolean; to(autograd::float64) makes
  //- // 0 and 1 of it. probe("winners", winners) shows an intermediate value to the checker.
  //- todo("max_backward: dx for a maximum over dim");
  const Tensor winners = probe("winners", (x == y.unsqueeze(dim)).to(autograd::float64));
  //~ near_ties_shared | const Tensor near = abs(x - y.unsqueeze(dim)) < 1e-6;
  //~ near_ties_shared | const Tensor winners = probe("winners", near.to(autograd::float64));
  //~ max_of_everything | const Tensor winners = probe("winners", (x == x.amax()).to(autograd::float64));
  const Tensor count = winners.sum({dim}, true);
  //~ ties_counted_everywhere | const Tensor count = winners.sum();
  return dy.unsqueeze(dim) * winners / count;
  //~ ties_paid_twice 2 | return dy.unsqueeze(dim) * winners;
  //~ ties_of_two 2 | const Tensor tied = winners.sum({dim}, true) > 1.0;
  //~ ties_of_two | return dy.unsqueeze(dim) * winners * where(tied, 0.5, ones_like(dy).unsqueeze(dim));
  //~ dy_divided_in_place 2 | Tensor share = dy.unsqueeze(dim);
  //~ dy_divided_in_place | share /= winners.sum({dim}, true);
  //~ dy_divided_in_place | return share * winners;
  //~ first_tie_takes_all 3 | return scatter_add(zeros_like(x), dim, x.argmax(dim, true), dy.unsqueeze(dim));
  //~ max_to_all 3 | return dy.unsqueeze(dim).expand(x.shape());
  //~ max_without_dy | return winners / count;
  //]
}
