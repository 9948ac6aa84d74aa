//= title: Moving data
//= part: C
//= difficulty: 1
//= minutes: 15
//= after: 13
//= answer: transpose_backward, permute_backward, flip_backward, split_groups_backward
//= not: backward
//= mistake transpose_ignored
//=   question: x is [{batch}, {time}, {features}]. After the transposition, where is the number that was
//=     x[1, 4, 0]? And where did your backward take its gradient from?
//=   because: dy was passed on as it came, in y's order. In a square matrix even the shape gives nothing away.
//= mistake transpose_last_two
//=   question: Which dims does your function exchange when dims 0 and 2 were asked for?
//=   because: the last two were exchanged, as in a matrix. The forward pass exchanged dim0 and dim1.
//= mistake permute_again
//=   question: dims {1, 2, 0} move every dim one place to the left. Where are they after doing it twice?
//=   because: the same permutation was used again. That leads back only if it exchanges dims in pairs; here you
//=     need the inverse.
//= mistake permute_reshaped
//=   premise: Your gradient has the right shape.
//=   question: Do its numbers lie in memory in the order of dy or of x?
//=   because: a reshape gives new names to the places and moves nothing. What was permuted has to be permuted back.
//= mistake permute_order_reversed
//=   question: dims {1, 2, 0} read from the back are {0, 2, 1}. Is that the permutation that undoes it?
//=   because: the list was reversed, but the inverse is something else: where dims[i] = d, inverse[d] = i.
//= mistake negative_dims_sorted
//=   premise: Your answer is right for {1, 2, 0} and not for {-1, 0, 1}, though -1 means dim 2.
//=   question: What do you compare?
//=   because: the dims were sorted as they stand. A dim -1 is the last one, and sorts before all others.
//= mistake negative_is_last
//=   question: Of three dims -1 is dim 2. Which dim is -3, and which one do you take it for?
//=   because: every negative dim was taken for the last one. It counts from the end: add the number of dims to it.
//= mistake negative_dims_not_found
//=   premise: Your answer is right for {1, 2, 0} and not for {-1, 0, 1}, though -1 means dim 2.
//=   question: Where in the list {-1, 0, 1} does your code find dim 2?
//=   because: it looks for the number 2, and the list has -1 for it. So whatever your inverse then says about dim 2
//=     is wrong. Add the number of dims to a negative one before you compare.
//= mistake permute_twice_more
//=   question: How often must you apply {1, 2, 0} until every dim is where it was? And {0, 2, 1}, and {1, 2, 3, 0}?
//=   because: the same permutation was used twice more. A cycle of three is back where it began after three times,
//=     so {1, 2, 0} needs two more. An exchange of two needs one more, and a cycle of four needs three.
//= mistake permute_once_or_twice_more
//=   question: {1, 2, 3, 0} moves every dim of four one place to the left. After how many times are they all back
//=     where they were?
//=   because: the same permutation was used once more or twice more. With three dims, one of the two leads back. A
//=     cycle of four needs three more.
//= mistake flip_ignored
//=   question: The first element of y is the last one of x. Which entry of your dx gets dy[0]?
//=   because: dy was passed on in the order of y.
//= mistake flip_first_dim
//=   question: Along which dim did the forward pass reverse, and along which do you?
//=   because: dim 0 was reversed whatever was asked for.
//= mistake flip_one_off
//=   question: x has {time} elements along time. Reversed, where is x[0], and where do you look for it?
//=   because: element i was taken from n - i, and 0 from 0. Counted from 0, the last element is n - 1, so element i
//=     comes from n - 1 - i.
//= mistake groups_reshaped_only
//=   question: Each token's features are spread over {groups} groups that lie far apart in y. What brings them
//=     together?
//=   because: dy was reshaped to x's shape without exchanging groups and time first. The numbers of several tokens
//=     are mixed; the shape is right.
//= mistake groups_reshape_first
//=   question: The forward pass cut, then exchanged. In which order does the backward pass undo the two?
//=   because: the reshape was undone before the exchange. A chain is undone from its end.
//= mistake groups_interleaved
//=   question: In the last dim of x, which number comes after the first of group 0: the second of group 0, or the
//=     first of group 1?
//=   because: groups was put after size, so the groups are interleaved in the last dim, one number of each in turn.
//=     In x each group is in one piece: [.., groups, size] before the reshape.
//= mistake groups_with_size
//=   question: After your exchange the dims should be [batch, time, groups, size]. Which two did you exchange?
//=   because: groups and size changed places instead of groups and time.

#include "given.h"

Tensor transpose_backward(const Tensor& dy, int dim0, int dim1) {
  //[
  //- todo("transpose_backward: dx for y = x.transpose(dim0, dim1)");
  return dy.transpose(dim0, dim1);
  //~ transpose_ignored | return dy;
  //~ transpose_last_two | return dy.transpose(-1, -2);
  //]
}

Tensor permute_backward(const Tensor& dy, const Dims& dims) {
  //[
  //- // TODO: dim dims[i] of x has become dim i of y. Which permutation brings them back?
  //- todo("permute_backward: dx for y = x.permute(dims)");
  Dims inverse = dims;
  for (int i = 0; i < dims.dim(); ++i) {
    const std::int64_t dim = dims[i] < 0 ? dims[i] + dims.dim() : dims[i];
    inverse[dim] = i;
  }
  return dy.permute(inverse);
  //~ permute_again 6 | return dy.permute(dims);
  //~ permute_twice_more 6 | return dy.permute(dims).permute(dims);
  //~ permute_once_or_twice_more 6 | bool exchanged = true;
  //~ permute_once_or_twice_more | for (int i = 0; i < dims.dim(); ++i) {
  //~ permute_once_or_twice_more |   const std::int64_t dim = (dims[i] + dims.dim()) % dims.dim();
  //~ permute_once_or_twice_more |   if ((dims[static_cast<int>(dim)] + dims.dim()) % dims.dim() != i) exchanged = false;
  //~ permute_once_or_twice_more | }
  //~ permute_once_or_twice_more | return exchanged ? dy.permute(dims) : dy.permute(dims).permute(dims);
  //~ negative_is_last 6 | Dims inverse;
  //~ negative_is_last | for (int dim = 0; dim < dims.dim(); ++dim) {
  //~ negative_is_last |   for (int i = 0; i < dims.dim(); ++i) {
  //~ negative_is_last |     if ((dims[i] < 0 ? dims.dim() - 1 : dims[i]) == dim) inverse.push_back(i);
  //~ negative_is_last |   }
  //~ negative_is_last | }
  //~ negative_is_last | return dy.permute(inverse);
  //~ negative_dims_not_found 6 | Dims inverse;
  //~ negative_dims_not_found | for (int dim = 0; dim < dims.dim(); ++dim) {
  //~ negative_dims_not_found |   const auto found = std::find(dims.begin(), dims.end(), dim);
  //~ negative_dims_not_found |   inverse.push_back(found == dims.end() ? dim : found - dims.begin());
  //~ negative_dims_not_found | }
  //~ negative_dims_not_found | return dy.permute(inverse);
  //~ negative_dims_not_found.taken_for_0 6 | Dims inverse;
  //~ negative_dims_not_found.taken_for_0 | for (int dim = 0; dim < dims.dim(); ++dim) {
  //~ negative_dims_not_found.taken_for_0 |   const auto found = std::find(dims.begin(), dims.end(), dim);
  //~ negative_dims_not_found.taken_for_0 |   inverse.push_back(found == dims.end() ? 0 : found - dims.begin());
  //~ negative_dims_not_found.taken_for_0 | }
  //~ negative_dims_not_found.taken_for_0 | return dy.permute(inverse);
  //~ negative_dims_not_found.left_as_minus_one 6 | Dims inverse;
  //~ negative_dims_not_found.left_as_minus_one | for (int dim = 0; dim < dims.dim(); ++dim) {
  //~ negative_dims_not_found.left_as_minus_one |   const auto found = std::find(dims.begin(), dims.end(), dim);
  //~ negative_dims_not_found.left_as_minus_one |   inverse.push_back(found == dims.end() ? -1 : found - dims.begin());
  //~ negative_dims_not_found.left_as_minus_one | }
  //~ negative_dims_not_found.left_as_minus_one | return dy.permute(inverse);
  //~ negative_dims_not_found.left_out 6 | Dims inverse;
  //~ negative_dims_not_found.left_out | for (int dim = 0; dim < dims.dim(); ++dim) {
  //~ negative_dims_not_found.left_out |   const auto found = std::find(dims.begin(), dims.end(), dim);
  //~ negative_dims_not_found.left_out |   if (found != dims.end()) inverse.push_back(found - dims.begin());
  //~ negative_dims_not_found.left_out | }
  //~ negative_dims_not_found.left_out | return dy.permute(inverse);
  //~ permute_reshaped 6 | autograd::Shape shape = dy.shape();
  //~ permute_reshaped | for (int i = 0; i < dims.dim(); ++i) {
  //~ permute_reshaped |   shape[(dims[i] + dims.dim()) % dims.dim()] = dy.size(i);
  //~ permute_reshaped | }
  //~ permute_reshaped | return dy.reshape(shape);
  //~ permute_order_reversed 6 | Dims inverse = dims;
  //~ permute_order_reversed | for (int i = 0; i < dims.dim(); ++i) inverse[i] = dims[dims.dim() - 1 - i];
  //~ permute_order_reversed | return dy.permute(inverse);
  //~ negative_dims_sorted 6 | Dims inverse = dims;
  //~ negative_dims_sorted | for (int i = 0; i < dims.dim(); ++i) {
  //~ negative_dims_sorted |   int rank = 0;
  //~ negative_dims_sorted |   for (const std::int64_t other : dims) rank += other < dims[i];
  //~ negative_dims_sorted |   inverse[rank] = i;
  //~ negative_dims_sorted | }
  //~ negative_dims_sorted | return dy.permute(inverse);
  //]
}

Tensor flip_backward(const Tensor& dy, int dim) {
  //[
  //- todo("flip_backward: dx for y = flip(x, {dim})");
  return flip(dy, {dim});
  //~ flip_ignored | return dy;
  //~ flip_first_dim | return flip(dy, {0});
  //~ flip_one_off | std::vector<Tensor> slices;
  //~ flip_one_off | for (std::int64_t i = 0; i < dy.size(dim); ++i) {
  //~ flip_one_off |   slices.push_back(dy.select(dim, (dy.size(dim) - i) % dy.size(dim)));
  //~ flip_one_off | }
  //~ flip_one_off | return autograd::stack(slices, dim);
  //]
}

Tensor split_groups_backward(const Tensor& dy) {
  //[
  //- // TODO: two steps were done, an exchange last. dy is [batch, groups, time, size].
  //- // probe("joined", joined) shows the tensor [batch, time, groups, size] to the checker.
  //- todo("split_groups_backward: dx [batch, time, groups * size]");
  const Tensor joined = probe("joined", dy.transpose(1, 2));  // [batch, time, groups, size]
  //~ groups_with_size | const Tensor joined = probe("joined", dy.transpose(1, 3));
  //~ groups_interleaved | const Tensor joined = dy.permute({0, 2, 3, 1});
  return joined.reshape({dy.size(0), dy.size(2), dy.size(1) * dy.size(3)});
  //~ groups_reshaped_only 2 | return dy.reshape({dy.size(0), dy.size(2), dy.size(1) * dy.size(3)});
  //~ groups_reshape_first 2 | const Tensor flat = dy.reshape({dy.size(0), dy.size(1) * dy.size(3), dy.size(2)});
  //~ groups_reshape_first | return flat.transpose(1, 2);
  //]
}
