//= title: Concat, slice, stack
//= part: C
//= difficulty: 2
//= minutes: 20
//= after: 13
//= answer: cat_backward, stack_backward, narrow_backward, windows_backward
//= not: backward, slice_backward
//= mistake cat_parts_exchanged
//=   question: In y, which comes first: the {first} columns of the left part or the {second} of the right one?
//=   because: the parts were taken in the opposite order. In a network the two are, say, a word and its context, and
//=     each would be trained by the other's gradient.
//= mistake cat_first_dim
//=   question: The parts were joined along the columns. Along which dim do you take them apart?
//=   because: dy was cut along dim 0, whatever dim was asked for.
//= mistake cat_equal_parts
//=   question: The parts have {first} and {second} columns. How many do yours have?
//=   because: dy was cut into equal parts. Each part has the size of what was joined.
//= mistake cat_start_not_moved
//=   question: Where in y does the second part begin?
//=   because: every part was read from the beginning. The start moves on by the size of each part.
//= mistake cat_starts_at_the_size_before
//=   question: Parts of {first}, {second} and {time} were joined. Where does the third one begin?
//=   because: each part was read from the size of the one before it. It begins after *all* the parts before it:
//=     their sizes add up. With two parts that is the same.
//= mistake cat_starts_in_own_sizes
//=   question: Parts of {first} and {second} were joined. Where does the second one begin, and on which of the two
//=     sizes does that depend?
//=   because: part i was read from i times its own size, as if all parts were as long as it is. It begins where the
//=     ones before it end: their sizes add up.
//= mistake only_dims_0_and_1
//=   premise: For dim 0 and dim 1 yours is right.
//=   question: Which dim do you take when the third of four is asked for?
//=   because: every dim but the first is taken for dim 1. `dim` can be any of them: hand it on as it is.
//= mistake stack_dim_kept
//=   question: The tensors that were stacked had one dim less than y. How many has your gradient?
//=   because: the new dim is still there, with size 1: `narrow` keeps it, `select` drops it.
//= mistake stack_squeezes_all
//=   question: Tensors of shape [{rows}, 1] were stacked. Which shape has your gradient of one of them?
//=   because: squeeze() drops every dim of size 1, even those that the tensors had themselves. squeeze(dim) drops
//=     the new one alone, and select(dim, i) has dropped it already.
//= mistake stack_first_dim
//=   question: Along which dim were the tensors stacked, and along which do you take them apart?
//=   because: dy was taken apart along dim 0. The new dim can be anywhere.
//= mistake last_part_missing
//=   question: How many tensors were put together, and how many gradients do you return?
//=   because: the loop ends one step early, so the last of them gets no gradient. i < n runs up to n - 1 already.
//= mistake narrow_start_forgotten
//=   question: y[0] was x[start]. Which entry of your dx gets dy[0]?
//=   because: the gradient was put at the beginning. It belongs to where the slice was cut out.
//= mistake narrow_stops_at_the_last_index
//=   question: x has {time} elements, and the slice reaches up to its end. What is in the last place of your dx?
//=   because: the end of the slice was limited to time - 1, the last index. An end is one more than the last index,
//=     so a slice up to the end lost its last element.
//= mistake narrow_not_padded
//=   question: What is the gradient of an element of x that is not in the slice, and where is it in your dx?
//=   because: dy was returned as it is. The gradient of x has x's shape; outside the slice it is 0.
//= mistake outside_not_set
//=   question: An element of x is not in the slice. Which of your lines writes its gradient?
//=   because: none does. autograd::empty() is memory as it was found, here filled with NaN so that you see it. The
//=     gradient outside the slice is 0: begin with zeros.
//= mistake overlap_overwritten
//=   question: x[4] is in several windows. How many of them are in your gradient?
//=   because: each window was written over what the ones before it had left. An element in several windows gets the
//=     sum.
//= mistake rows_share_one_tensor
//=   question: How many different tensors do the rows in your list stand for?
//=   because: one. A Tensor is a handle, and the list has n handles on the same tensor: add_ on one changes all of
//=     them, so every row of your gradient is the same. rows.at(i) = rows.at(i) + .. puts a new tensor into that
//=     place.
//= mistake two_windows_at_most
//=   question: Windows of {size} with a step of 2: in how many of them is x[4]?
//=   because: an element was taken to be in two windows at most, as in the picture. How many there are depends on
//=     size and step: with {size} and 2 there can be more.
//= mistake windows_all_at_the_start
//=   question: Where in x does window 2 begin?
//=   because: all windows were added at the beginning: the offset was forgotten.
//= mistake windows_one_apart
//=   question: Window 0 begins at x[0]. Where does window 1 begin, if the step is 2?
//=   because: window w was put at position w. It begins at w steps.
//= mistake windows_side_by_side
//=   question: Window 0 covers {size} elements, and the step is 2. Does window 1 begin after it, or inside it?
//=   because: window w was put at w times the size of a window, as if they did not overlap, and the last ones end up
//=     outside x.
//= mistake overlap_averaged
//=   question: If an element in 3 windows grows by 1, how many elements of y grow by 1?
//=   because: the gradients were divided by the number of windows that an element is in. It is used that many times,
//=     and its uses add up.

#include "given.h"

std::vector<Tensor> cat_backward(const Tensor& dy, const std::vector<std::int64_t>& sizes, int dim) {
  //[
  //- // TODO: dy.narrow(dim, start, length) is a part of dy.
  //- todo("cat_backward: the parts of dy");
  std::vector<Tensor> parts;
  std::int64_t start = 0;
  for (const std::int64_t size : sizes) {
    //~ last_part_missing | for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
    //~ last_part_missing |   const std::int64_t size = sizes[i];
    parts.push_back(dy.narrow(dim, start, size));
    //~ cat_starts_in_own_sizes | parts.push_back(dy.narrow(dim, static_cast<std::int64_t>(parts.size()) * size, size));
    //~ only_dims_0_and_1 | parts.push_back(dy.narrow(dim == 0 ? 0 : 1, start, size));
    //~ cat_first_dim | parts.push_back(dy.narrow(0, start, size));
    //~ cat_parts_exchanged | parts.push_back(dy.narrow(dim, dy.size(dim) - start - size, size));
    start += size;
    //~ cat_start_not_moved |
    //~ cat_starts_at_the_size_before | start = size;
  }
  return parts;
  //~ cat_equal_parts 7 | return dy.chunk(static_cast<std::int64_t>(sizes.size()), dim);
  //]
}

std::vector<Tensor> stack_backward(const Tensor& dy, int dim) {
  //[
  //- // TODO: as many parts as dim is long, each with one dim less than dy.
  //- todo("stack_backward: the parts of dy");
  std::vector<Tensor> parts;
  for (std::int64_t i = 0; i < dy.size(dim); ++i) parts.push_back(dy.select(dim, i));
  //~ only_dims_0_and_1 | for (std::int64_t i = 0; i < dy.size(dim); ++i) parts.push_back(dy.select(dim == 0 ? 0 : 1, i));
  //~ last_part_missing | for (std::int64_t i = 0; i < dy.size(dim) - 1; ++i) parts.push_back(dy.select(dim, i));
  //~ last_part_missing.of_a_stack | for (std::int64_t i = 0; i < dy.size(dim) - 1; ++i) parts.push_back(dy.select(dim, i));
  //~ stack_dim_kept | for (std::int64_t i = 0; i < dy.size(dim); ++i) parts.push_back(dy.narrow(dim, i, 1));
  //~ stack_squeezes_all | for (std::int64_t i = 0; i < dy.size(dim); ++i) parts.push_back(dy.narrow(dim, i, 1).squeeze());
  //~ stack_first_dim | for (std::int64_t i = 0; i < dy.size(dim); ++i) parts.push_back(dy.select(0, i));
  return parts;
  //]
}

Tensor narrow_backward(const Tensor& dy, const Shape& shape, int dim, std::int64_t start) {
  //[
  //- // TODO: what does x have before the slice and after it, and what is the gradient there?
  //- todo("narrow_backward: dx, in x's shape");
  Shape before = shape;
  before[dim] = start;
  //~ narrow_start_forgotten | before[dim] = 0;
  Shape behind = shape;
  behind[dim] = shape[dim] - before[dim] - dy.size(dim);
  return autograd::cat({autograd::zeros(before, dy.dtype()), dy, autograd::zeros(behind, dy.dtype())}, dim);
  //~ narrow_not_padded 5 | return dy;
  //~ outside_not_set 5 | const Tensor dx = autograd::empty(shape, dy.dtype());
  //~ outside_not_set | dx.narrow(dim, start, dy.size(dim)).copy_(dy);
  //~ outside_not_set | return dx;
  //~ only_dims_0_and_1 5 | const int along = dim == 0 ? 0 : 1;
  //~ only_dims_0_and_1 | const Tensor dx = autograd::zeros(shape, dy.dtype());
  //~ only_dims_0_and_1 | dx.narrow(along, start, dy.size(along)).copy_(dy);
  //~ only_dims_0_and_1 | return dx;
  //~ narrow_stops_at_the_last_index 3 | const std::int64_t end = std::min(start + dy.size(dim), shape[dim] - 1);
  //~ narrow_stops_at_the_last_index | Shape behind = shape;
  //~ narrow_stops_at_the_last_index | behind[dim] = shape[dim] - end;
  //~ narrow_stops_at_the_last_index | const Tensor inside = dy.narrow(dim, 0, end - start);
  //~ narrow_stops_at_the_last_index | return autograd::cat({autograd::zeros(before, dy.dtype()), inside, autograd::zeros(behind, dy.dtype())}, dim);
  //]
}

Tensor windows_backward(const Tensor& dy, const Shape& shape, std::int64_t step) {
  // dx, row by row: one tensor [features] for each element of x.
  std::vector<Tensor> rows(static_cast<std::size_t>(shape[0]), autograd::zeros({shape[1]}, dy.dtype()));
  //[
  //- // TODO: dy.select(0, w).select(0, j) is the gradient of element j of window w. To which row does it belong?
  //- todo("windows_backward: dx, in x's shape");
  for (std::int64_t window = 0; window < dy.size(0); ++window) {
    for (std::int64_t j = 0; j < dy.size(1); ++j) {
      Tensor& row = rows.at(window * step + j);
      //~ windows_all_at_the_start | Tensor& row = rows.at(j);
      //~ windows_one_apart | Tensor& row = rows.at(window + j);
      //~ windows_side_by_side | Tensor& row = rows.at(window * dy.size(1) + j);
      //~ windows_side_by_side.cut_off | if (window * dy.size(1) + j >= shape[0]) continue;
      //~ windows_side_by_side.cut_off | Tensor& row = rows.at(window * dy.size(1) + j);
      row = row + dy.select(0, window).select(0, j);
      //~ rows_share_one_tensor | row.add_(dy.select(0, window).select(0, j));
      //~ overlap_overwritten | row = dy.select(0, window).select(0, j);
    }
  }
  //~ two_windows_at_most 6 | for (std::int64_t i = 0; i < shape[0]; ++i) {
  //~ two_windows_at_most |   const std::int64_t last = i / step;
  //~ two_windows_at_most |   for (std::int64_t window = std::max<std::int64_t>(0, last - 1); window <= last; ++window) {
  //~ two_windows_at_most |     const std::int64_t j = i - window * step;
  //~ two_windows_at_most |     if (window >= dy.size(0) || j >= dy.size(1)) continue;
  //~ two_windows_at_most |     rows.at(i) = rows.at(i) + dy.select(0, window).select(0, j);
  //~ two_windows_at_most |   }
  //~ two_windows_at_most | }
  //~ overlap_averaged 6 | Tensor count = autograd::zeros({shape[0], 1}, dy.dtype());
  //~ overlap_averaged | for (std::int64_t window = 0; window < dy.size(0); ++window) {
  //~ overlap_averaged |   for (std::int64_t j = 0; j < dy.size(1); ++j) {
  //~ overlap_averaged |     rows[window * step + j] = rows[window * step + j] + dy.select(0, window).select(0, j);
  //~ overlap_averaged |     count.set_({window * step + j, 0}, count.at({window * step + j, 0}) + 1.0);
  //~ overlap_averaged |   }
  //~ overlap_averaged | }
  //~ overlap_averaged | return autograd::stack(rows) / count.clamp(1.0, HUGE_VAL);
  return autograd::stack(rows);
  //]
}
